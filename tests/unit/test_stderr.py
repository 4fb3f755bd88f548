"""What others print in a process that sees notes: its kind and how much of it, never a word."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import stream_deid

CANARY = "Quillfeather"
PROGRAM = """
import ctypes, os, subprocess, sys, traceback, warnings
from stream_deid import ending, stderr

NAME = "Quill" + "feather"
libc = ctypes.CDLL(None)

def printed_natively():
    libc.dprintf(2, f"{NAME} was there\\n".encode())

def panicked():
    libc.dprintf(2, b"thread '<unnamed>' panicked at src/lib.rs:3:5:\\n")
    libc.dprintf(2, f"byte index 1 is no boundary of `{NAME}`\\n".encode())

def panicked_for_real():
    from tokenizers import NormalizedString
    try:
        NormalizedString(NAME).filter(lambda _: 1)
    except BaseException:
        pass

def printed_by_a_child():
    subprocess.run(["sh", "-c", f"echo {NAME}; echo {NAME} >&2"])

def printed_by_a_fork():
    child = os.fork()
    if child == 0:
        printed_natively()
        os._exit(0)
    os.waitpid(child, 0)

def traced():
    try:
        raise ValueError(NAME)
    except ValueError:
        traceback.print_exc()

def printed():
    print(NAME, file=sys.stderr)
    print(NAME, file=sys.__stderr__)
    print(NAME, flush=True)

def without_an_end():
    libc.dprintf(2, NAME.encode())

def warned():
    warnings.warn(NAME)

def aborted():
    libc.dprintf(2, f"Assertion `{NAME}' failed.\\n".encode())
    libc.abort()

def much_while_nobody_reads():
    line = f"{NAME}\\n".encode() * 1000
    write = ctypes.PyDLL(None).write  # holds the interpreter: no thread of Python runs
    for _ in range(1000):
        write(2, line, len(line))

def nobody_reads_any_more():
    for descriptor in range(3, 20):
        try:
            if not os.get_blocking(descriptor):
                os.close(descriptor)
        except OSError:
            pass
    printed_natively()
    much_while_nobody_reads()

def go():
    stderr.alone(answers=len(sys.argv) > 2)
    globals()[sys.argv[1]]()
    stderr.stream().write("own word\\n")
    return 0

ending.as_process(go)
"""


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("printed_natively", "other"),
        ("panicked", "panic"),
        ("panicked_for_real", "panic"),
        ("printed_by_a_child", "other"),
        ("printed_by_a_fork", "other"),
        ("traced", "traceback"),
        ("printed", "other"),
        ("without_an_end", "other"),
        ("much_while_nobody_reads", "other"),
    ],
)
def test_words_of_others_are_counted_and_left_out(case, kind):
    done = ran(case)
    assert CANARY not in done.stdout + done.stderr
    assert f"words of a library are left out ({kind}, lines: " in done.stderr
    assert done.stderr.count(f"({kind}, ") <= 2, "once when it begins, once at the end"
    assert "own word" in done.stderr
    assert done.returncode == 0


def test_a_warning_is_told_by_kind_and_place():
    done = ran("warned")
    assert CANARY not in done.stderr
    assert re.search(r"stream-deid: UserWarning at <string>:\d+", done.stderr)


TOLD = re.compile(r"(?:stream-deid: )?words of a library are left out \(\w+, lines: \d+\)\n")


def test_a_crash_is_told_by_kind_and_place_without_what_an_assertion_says():
    done = ran("aborted")
    assert CANARY not in done.stderr
    told = TOLD.sub("", done.stderr)  # the reader's line may stand in the midst of the crash's
    assert "Fatal Python error: Aborted" in told
    assert "in aborted" in told
    assert done.returncode < 0


def test_nothing_hangs_where_nobody_reads_any_more():
    done = ran("nobody_reads_any_more")
    assert CANARY not in done.stdout + done.stderr
    assert "own word" in done.stderr


def test_an_answer_on_standard_output_stays():
    done = ran("printed", "answers")
    assert done.stdout == f"{CANARY}\n"
    assert CANARY not in done.stderr


def test_what_we_say_ourselves_goes_past_the_filter():
    """Whoever wrote to `sys.stderr` would be left out as others are, and say nothing."""
    others = "training", "attack", "rig"
    root = Path(stream_deid.__file__).parent
    said = re.compile(r"sys\.stderr|stderr=True|(?<![\w.])print\(")
    texts = {p.relative_to(root).as_posix(): p.read_text("utf-8") for p in root.rglob("*.py")}
    found = {name for name, text in texts.items() if said.search(text)}
    before_notes = {"stderr.py", "cli/operation.py"}
    assert {name for name in found if not name.startswith(others)} == before_notes
