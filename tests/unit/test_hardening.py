"""What a process with the key forbids itself, tried from outside of it."""

import argparse
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stream_deid import cli, config
from stream_deid.errors import Halt
from stream_deid.hardening import open_to_others

PROGRAM = """
import sys, resource
from stream_deid.hardening import harden
harden()
open(sys.argv[1], "w").close()
print(resource.getrlimit(resource.RLIMIT_CORE), flush=True)
sys.stdin.read()
"""


def test_a_hardened_process_keeps_its_memory_files_and_cores_to_itself(tmp_path):
    file = tmp_path / "out"
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"(0, 0)\n"
        assert file.stat().st_mode & 0o777 == 0o600
        memory = Path(f"/proc/{process.pid}/mem").stat()
        assert (memory.st_uid, memory.st_gid) == (0, 0)  # not dumpable: root's, whoever runs it
        process.stdin.close()
    assert process.returncode == 0


def test_a_key_file_is_its_owners_alone_and_never_overwritten(tmp_path):
    key = tmp_path / "key"
    assert cli.main(["keygen", str(key)]) == 0
    assert key.stat().st_mode & 0o777 == 0o600
    assert not open_to_others(key)
    before = key.read_bytes()
    assert cli.main(["keygen", str(key)]) != 0
    assert key.read_bytes() == before
    with pytest.raises(Halt, match=r"key\.unwritable"):
        config.write_new_key(tmp_path / "no" / "such" / "folder")


def test_keygen_into_a_redirected_file_closes_it(tmp_path):
    with (tmp_path / "key").open("w") as out:
        os.fchmod(out.fileno(), 0o644)
        subprocess.run([sys.executable, "-m", "stream_deid.cli", "keygen"], stdout=out, check=True)
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_others_can_read_is_told(tmp_path, caplog):
    key = tmp_path / "key"
    config.write_new_key(key)
    config.read_key(config.Keys(file=str(key)))
    assert not caplog.records
    key.chmod(0o644)
    config.read_key(config.Keys(file=str(key)))
    (told,) = caplog.records
    assert told.ours == {"event": "key_open_to_others"}
    assert key.read_text().strip() not in caplog.text


def test_other_programs_inherit_no_settings_and_no_key():
    environ = {"PATH": "/bin", "STREAM_DEID_KEYS__VALUE": "secret", "STREAM_DEID_CONFIG": "x"}
    assert config.without_secrets(environ) == {"PATH": "/bin"}


SEES_NO_NOTES = {
    "keygen", "config show", "config check", "reference", "top", "models export", "models build",
    "models check", "models serve", "lists compile", "templates compile", "demo", "chaos", "broker",
}  # fmt: skip
"""They see what is made up, or what serves; their files may be for others (engines, lists)."""


def commands(parser, name=""):
    inner = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    for action in inner:
        for word, one in action.choices.items():
            yield from commands(one, f"{name} {word}".strip())
    if not inner:
        yield name, inspect.getsource(parser.get_default("run"))


def test_every_command_that_may_see_notes_is_hardened():
    """`evaluate --errors`, `compare --html`, `review` and others wrote words of notes for all."""
    marks = "@sees_notes", "hardened_settings(", "harden()"
    found = dict(commands(cli._parser()))
    bare = {name for name, source in found.items() if not any(m in source for m in marks)}
    assert bare == SEES_NO_NOTES


def test_what_people_are_given_to_correct_is_their_own(tmp_path):
    notes, out = tmp_path / "notes.jsonl", tmp_path / "marked"
    notes.write_text('{"id": "1", "text": "Seen by Dr. Anna Keller on 3/4/2021.", "spans": []}\n')
    command = ["lists", "build", f"plain:en:{notes}", "--least", "1", "--out", str(out)]
    run = [sys.executable, "-m", "stream_deid.cli", *command]
    done = subprocess.run(run, capture_output=True, text=True, umask=0o022, check=False)
    assert done.returncode == 0, done.stderr
    assert out.stat().st_mode & 0o777 == 0o600
