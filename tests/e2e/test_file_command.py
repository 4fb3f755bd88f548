"""`stream-deid file` as a person runs it: a file in, a clean file and an audit out, a status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from harness import PATIENCE_S, until
from whole import KEY, MODELS

from stream_deid.rig.synthetic import feed, poison
from stream_deid.serving.local.server import LocalServer


def command(
    server: LocalServer, folder: Path, source: Path, *arguments: str, **env: str
) -> tuple[list[str], dict[str, str]]:
    """The command and its environment."""
    line = [
        sys.executable, "-m", "stream_deid.cli", "file", str(source), "--quiet",
        "--out", str(folder / "clean"), "--audit", str(folder / "audit"), *arguments,
    ]  # fmt: skip
    models = {
        f"STREAM_DEID_MODELS__{code.upper()}": orjson.dumps(n).decode()
        for code, n in MODELS.items()
    }
    settings = {
        "STREAM_DEID_KEYS__VALUE": KEY, "STREAM_DEID_TRITON__URL": server.url, **models, **env,
    }  # fmt: skip
    return line, {**os.environ, **settings}


def run(
    server: LocalServer, folder: Path, source: Path, *arguments: str, stdin: bytes = b"", **env: str
):
    line, environment = command(server, folder, source, *arguments, **env)
    return subprocess.run(
        line, env=environment, input=stdin.decode(), capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_nothing_half_written(
    server: LocalServer, tmp_path: Path, number: signal.Signals
) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_bytes(b"\n".join(m.value for m in feed(4000, 23) if m.format == "json"))
    line, environment = command(server, tmp_path, source)
    # a program started in the background of a script inherits that SIGINT is ignored
    before = signal.signal(number, signal.default_int_handler)
    with subprocess.Popen(line, env=environment, stderr=subprocess.PIPE) as process:
        try:
            part = tmp_path / ".clean.part"
            until(lambda: part.exists() and part.stat().st_size, process.poll)
            process.send_signal(number)
            assert (
                f"ended by {number.name}: nothing is written".encode() in process.communicate()[1]
            )
            assert process.wait(PATIENCE_S) == 128 + number
        finally:
            process.kill()
            signal.signal(number, before)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.jsonl"]


def test_a_signal_at_any_moment_ends_it(server: LocalServer, tmp_path: Path) -> None:
    """A signal that arrived in a callback of a library was swallowed there, once in a few runs."""
    source = tmp_path / "notes.jsonl"
    source.write_bytes(b"\n".join(m.value for m in feed(2000, 24) if m.format == "json"))
    for turn in range(6):
        line, environment = command(server, tmp_path, source)
        with subprocess.Popen(line, env=environment) as process:
            part = tmp_path / ".clean.part"
            least = 400 * turn
            until(lambda: part.exists() and part.stat().st_size > least, process.poll)  # noqa: B023
            process.send_signal(signal.SIGTERM)
            try:
                assert process.wait(PATIENCE_S) == 128 + signal.SIGTERM
            finally:
                process.kill()
        assert [path.name for path in tmp_path.iterdir()] == ["notes.jsonl"]


def test_json_lines_in_order_with_rejects(server: LocalServer, tmp_path: Path) -> None:
    good = [m.value for m in feed(40, 21) if m.format == "json"]
    bad = dict(poison())["json truncated"].value
    source = tmp_path / "notes.jsonl"
    source.write_bytes(b"\n".join([*good[:5], bad, *good[5:]]) + b"\n")
    done = run(server, tmp_path, source)
    assert done.returncode == 3, done.stderr
    clean = [orjson.loads(line) for line in (tmp_path / "clean").read_bytes().splitlines()]
    audit = [orjson.loads(line) for line in (tmp_path / "audit").read_bytes().splitlines()]
    dead = [
        orjson.loads(line) for line in (tmp_path / "clean.dead.jsonl").read_bytes().splitlines()
    ]
    assert len(clean) == len(audit) == len(good)
    assert [a["source"]["line"] for a in audit] == [n for n in range(1, len(good) + 2) if n != 6]
    assert [a["note_id"] for a in audit] == [c["note_id"] for c in clean]
    assert [(d["source"]["line"], d["code"]) for d in dead] == [(6, "json.syntax")]
    assert "1 rejected" in done.stderr


def test_outer_files_tell_neither_order_nor_lengths(server: LocalServer, tmp_path: Path) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_bytes(b"\n".join(m.value for m in feed(40, 22) if m.format == "json"))
    orders, kept = [], []
    for name, flags in (("inner", []), ("outer", ["--outer"]), ("again", ["--outer"])):
        folder = tmp_path / name
        folder.mkdir()
        done = run(server, folder, source, *flags)
        assert done.returncode == 0, done.stderr
        orders.append((folder / "clean").read_bytes().splitlines())
        kept.append([orjson.loads(line) for line in (folder / "audit").read_bytes().splitlines()])
        assert sorted(p.name for p in folder.iterdir()) == ["audit", "clean"]
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1] == orders[2]
    ids = [orjson.loads(line)["note_id"] for line in orders[0]]
    assert sorted(one["note_id"] for one in kept[1]) == sorted(ids)
    assert [one["note_id"] for one in kept[1]] != ids
    spans = [span for one in kept[1] for span in one["spans"]]
    assert spans
    assert all("start" not in span and "detectors" not in span for span in spans)
    assert all("source" not in one for one in kept[1])


def test_hl7_file_keeps_what_is_not_phi(server: LocalServer, tmp_path: Path) -> None:
    messages = [m for m in feed(60, 22) if m.format == "hl7v2"]
    source = tmp_path / "messages.hl7"
    source.write_bytes(b"".join(m.value for m in messages))
    done = run(server, tmp_path, source, "--format", "hl7v2")
    assert done.returncode == 0, done.stderr
    out = (tmp_path / "clean").read_bytes()
    assert out.count(b"MSH|") == len(messages)
    for message in messages:
        kind, control = message.value.split(b"|")[8:10]
        assert kind in out
        assert b"|" + control + b"|" not in out
        patient = message.value.split(b"PID|")[1].split(b"|")[4].split(b"^")
        assert b"|" + b"^".join(patient) + b"|" not in out


def test_the_same_key_gives_the_same_bytes(server: LocalServer, tmp_path: Path) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_bytes(b"\n".join(m.value for m in feed(20, 23) if m.format == "json"))
    outs = []
    for seed, concurrency in (("1", "1"), ("2", "16")):
        folder = tmp_path / seed
        folder.mkdir()
        done = run(server, folder, source, "--concurrency", concurrency, PYTHONHASHSEED=seed)
        assert done.returncode == 0, done.stderr
        outs.append(((folder / "clean").read_bytes(), (folder / "audit").read_bytes()))
    assert outs[0] == outs[1]


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"STREAM_DEID_KEYS__VALUE": "short"}, "key.weak"),
        ({"STREAM_DEID_KAFFKA__GROUP": "x"}, "unknown setting kaffka"),
        ({"STREAM_DEID_POLICY__NAME": "none"}, "policy.unknown"),
        ({"STREAM_DEID_MODELS__EN": '["no_such_model"]'}, "manifest.missing"),
    ],
)
def test_wrong_settings_are_told_and_nothing_is_written(
    server: LocalServer, tmp_path: Path, env: dict[str, str], told: str
) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_bytes(next(m.value for m in feed(9, 24) if m.format == "json"))
    done = run(server, tmp_path, source, **env)
    assert done.returncode == 78
    assert told in done.stderr
    assert not (tmp_path / "clean").exists()
    assert "Traceback" not in done.stderr


def test_standard_input_and_output_and_nothing_lost_over_the_input(server, tmp_path) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_bytes(next(m.value for m in feed(9, 25) if m.format == "json"))
    piped = run(server, tmp_path, Path("-"), "--out", "-", stdin=source.read_bytes())
    assert piped.returncode == 0, piped.stderr
    assert orjson.loads(piped.stdout)["note_id"]
    before = source.read_bytes()
    over = run(server, tmp_path, source, "--out", str(source), "--overwrite")
    assert over.returncode == 78
    assert "file.paths" in over.stderr
    assert source.read_bytes() == before
