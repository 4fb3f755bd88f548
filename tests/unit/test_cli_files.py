"""Files and folders that a command line names: what can't be read, isn't what it should be, or
can't be written, is told with its path before anything is done, and is never a defect of ours.
"""

import os
import re
import signal
import subprocess
import sys

import pytest

from stream_deid import exits
from stream_deid.cli import main

BROKEN = {
    "binary": bytes(range(128, 256)) * 4,
    "wide": '{"id": "1", "text": "x"}\n'.encode("utf-16"),
    "cut": b'{"id": \n',
    "a list": b"[1,2]\n",
    "nothing": b"",
    "missing": None,
    "folder": None,
}
READ = [
    "attack --score FILE",
    "attack --corpus jsonl:en:FILE --only parrot",
    "attack --corpus marked:en:FILE --only parrot",
    "attack --corpus brat:en:FILE --only parrot",
    "attack --corpus physionet:en:FILE --only parrot",
    "attack --corpus i2b2:en:FILE --only parrot",
    "attack --corpus i2b2-2006:en:FILE --only parrot",
    "evaluate jsonl:en:FILE",
    "compare jsonl:en:FILE a=patterns",
    "compare marked:en:NOTES a=crf:FILE",
    "compare marked:en:NOTES a=onnx:FILE",
    "choose jsonl:en:FILE onnx:.",
    "review take FILE --out out",
    "review agree jsonl:en:FILE jsonl:en:FILE",
    "review pick jsonl:en:FILE a=patterns b=patterns --out out",
    "lists build jsonl:en:FILE --out out",
    "lists build messages:en:FILE --out out",
    "lists review FILE",
    "lists compile FILE --out out",
    "templates review FILE",
    "templates compile FILE --out out",
    "train FILE.toml --out out",
    "models export FILE.toml . --version 1 --o-bias 0",
    "--config FILE config check",
    "--config FILE demo",
    "file FILE --out out --audit audit",
    "explain FILE",
]
ANYTHING_FITS = {
    ("lists build messages:en:FILE --out out", "nothing"),
    ("--config FILE config check", "nothing"),
    ("--config FILE demo", "nothing"),
    ("file FILE --out out --audit audit", "a list"),
    ("explain FILE", "a list"),
    ("file FILE --out out --audit audit", "cut"),
    ("explain FILE", "cut"),
}
"""No settings are settings; a line that is no message is a reject of its own."""


CASES = [(c, b) for c in READ for b in BROKEN if (c, b) not in ANYTHING_FITS]


@pytest.mark.parametrize(("command", "broken"), CASES)
def test_a_file_that_can_not_be_read_is_told_with_its_path(
    command, broken, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STREAM_DEID_DATA", str(tmp_path))
    (tmp_path / "notes.txt").write_text("=== 1 | note\nSeen by [[DOCTOR|Keller]].\n")
    for name in ("given", "given.toml"):
        if broken == "folder":
            (tmp_path / name).mkdir()
        elif (content := BROKEN[broken]) is not None:
            (tmp_path / name).write_bytes(content)
    words = command.replace("FILE", "given").replace("NOTES", "notes.txt").split()
    status = main(words)
    said = capsys.readouterr()
    assert (status, "defect" in said.err) == (exits.MISCONFIGURED, False), said.err
    assert re.search("given|blinded_key.csv", said.out + said.err)


@pytest.mark.parametrize(
    "command",
    ["fuzz --keep NO", "chaos --logs NO", "attack --out NO", "replay --diff NO", "broker --data NO",
     "train r --out NO", "fuzz --samples NO"],
)  # fmt: skip
@pytest.mark.parametrize("place", ["/proc/x", "file/x"])
def test_a_folder_that_can_not_be_written_is_told_at_once(
    command, place, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as ended:
        main(command.replace("NO", place).split())
    assert ended.value.code == exits.USAGE
    assert re.search("can be written in /proc|is no folder", capsys.readouterr().err)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_fuzz_ends_clean_when_it_is_told_to():
    command = [sys.executable, "-m", "stream_deid.cli", "fuzz", "--count", "9999999"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()  # it tells how far it is
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
        assert process.wait(60) == 128 + signal.SIGTERM
    assert b"of 9999999" in first
    assert b"resource_tracker" not in rest


@pytest.mark.parametrize("form", ["auto", "json", "hl7v2", "fhir"])
def test_an_input_without_an_end_that_is_no_message_is_refused_at_once(form, tmp_path):
    command = [sys.executable, "-m", "stream_deid.cli", "file", "-", "--format", form]
    out = ["--out", str(tmp_path / "out"), "--audit", str(tmp_path / "audit")]
    endless = ["cat", "/dev/zero"]
    with subprocess.Popen(endless, stdout=subprocess.PIPE) as cat:
        ended = subprocess.run(
            [*command, *out], stdin=cat.stdout, capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip
        cat.kill()
    assert ended.returncode == exits.MISCONFIGURED
    assert "stream-deid: file.format: stdin begins with zeros" in ended.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "start", ["{", '[{"text": "', '{"resourceType": "Bundle", "x": "', r"MSH|^~\&|A|"]
)
def test_a_line_without_an_end_is_refused_and_little_of_it_held(start, tmp_path):
    bounds = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2**27, 2**27)); "
        "resource.setrlimit(resource.RLIMIT_DATA, (2**30, 2**30)); "
    )
    run = "from stream_deid.cli import main; main()"
    out = ["file", "-", "--out", str(tmp_path / "out"), "--audit", str(tmp_path / "audit")]
    endless = ["sh", "-c", """printf %s "$1"; tr '\\0' a < /dev/zero""", "sh", start]
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as feed:
        ended = subprocess.run(
            [sys.executable, "-c", bounds + run, *out], stdin=feed.stdout, capture_output=True,
            text=True, timeout=120, check=False,
        )  # fmt: skip
        feed.kill()
    assert ended.returncode == exits.MISCONFIGURED
    assert "stream-deid: file.too_long: stdin has a line of more than 64,000,000" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_a_full_disk_cuts_short_is_not_left(tmp_path):
    few = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); "
    run = "from stream_deid.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", few + run, "keygen", str(tmp_path / "key")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ended.returncode == exits.MISCONFIGURED
    said = f"stream-deid: key.unwritable: {tmp_path}/key can't be written: File too large\n"
    assert ended.stderr == said
    assert list(tmp_path.iterdir()) == []
