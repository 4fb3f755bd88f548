"""`stream-deid split` on Apache Kafka: every message of a batch under its patient, or none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mllp_parties import bodies, make_topics, message, read_all, settings

from stream_deid.config import Kafka

HEAD = b"FHS|^~\\&|LAB\rBHS|^~\\&|LAB\r"


def split(kafka: Kafka, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stream_deid.cli", "split", str(file), *options]
    return subprocess.run(
        command, env=settings(kafka), capture_output=True, text=True, timeout=120, check=False
    )


def test_each_message_is_published_under_its_patient(apache: Kafka, tmp_path: Path) -> None:
    make_topics(apache)
    raws = [message(f"{n}", patient=f"{n % 3 + 1}", text=f"Quillfeather {n}") for n in range(30)]
    file = tmp_path / "batch.hl7"
    file.write_bytes(HEAD + b"".join(raws) + b"BTS|30\rFTS|1\r")
    done = split(apache, file, "--publish")
    assert (done.returncode, done.stdout) == (0, "")
    records = read_all(apache, apache.topic_in)
    assert sorted(bodies(records)) == sorted(raws)
    assert {r.key() for r in records} == {b"1@HOSP", b"2@HOSP", b"3@HOSP"}
    assert all(r.headers() == [("format", b"hl7v2")] for r in records)
    done = split(apache, file, "--out", str(tmp_path / "messages"))
    written = sorted((tmp_path / "messages").iterdir())
    assert [one.read_bytes() for one in written] == raws
    assert written[0].stat().st_mode & 0o077 == 0
    assert split(apache, file, "--out", str(tmp_path / "messages")).returncode == 78


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (HEAD + message("1") + b"BTS|2\rFTS|1\r", "hl7.batch: BTS-1 says 2 where 1 are"),
        (HEAD + message("1") + message("2").replace(b"ADT^A01", b"") + b"BTS|2\rFTS|1\r",
         "message 2: hl7.msh"),
        (b"Quillfeather was here\r" + HEAD + message("1"), "hl7.batch"),
        (HEAD, "hl7.batch: FHS without FTS"),
        (b"", "hl7.msh"),
    ],
)  # fmt: skip
def test_nothing_is_written_where_something_is_wrong(
    apache: Kafka, tmp_path: Path, raw: bytes, told: str
) -> None:
    make_topics(apache)
    file = tmp_path / "batch.hl7"
    file.write_bytes(raw)
    done = split(apache, file, "--publish")
    assert done.returncode == 3
    assert told in done.stderr
    assert "Quillfeather" not in done.stderr
    assert not bodies(read_all(apache, apache.topic_in))
