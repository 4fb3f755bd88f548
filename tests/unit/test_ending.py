"""Signals of a service, in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stream_deid.rig.broker import Broker

SERVICE = """
import signal, sys
from stream_deid import ending
ending.on_signal(lambda number: sys.exit(f"drained by {number.name}"))
print("ready", flush=True)
while True:
    signal.pause()
"""


@pytest.fixture
def service():
    command = [sys.executable, "-c", SERVICE]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        yield running
        running.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_these_drain_a_service(service: subprocess.Popen[str], number: signal.Signals) -> None:
    service.send_signal(number)
    assert service.communicate(timeout=60)[1] == f"drained by {number.name}\n"


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_these_do_nothing(service: subprocess.Popen[str], number: signal.Signals) -> None:
    service.send_signal(number)
    service.send_signal(signal.SIGTERM)
    assert service.communicate(timeout=60)[1] == "drained by SIGTERM\n"


def test_nohup_is_heeded() -> None:
    asked = SERVICE.split("print", maxsplit=1)[0].replace(
        "ending.on", "signal.signal(signal.SIGHUP, signal.SIG_IGN)\nending.on"
    )
    command = [sys.executable, "-c", asked + "print(signal.getsignal(signal.SIGHUP).name)"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == "SIG_IGN\n"


IN_LOOP = """
import asyncio, signal
from stream_deid import ending

async def main():
    ended = asyncio.Event()
    ending.on_signal(lambda number: ended.set(), loop=asyncio.get_running_loop())
    print("ready", flush=True)
    await asyncio.to_thread(signal.raise_signal, signal.SIGINT)
    await ended.wait()

asyncio.run(main())
signal.raise_signal(signal.SIGTERM)
print("ended in order", flush=True)
"""


def test_a_loop_is_told_and_nobody_once_it_is_closed() -> None:
    command = [sys.executable, "-c", IN_LOOP]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["ready", "ended in order"]


@pytest.mark.parametrize("number", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_what_anybody_had_ignored_stays_so_where_it_is_heeded(number: str) -> None:
    asked = f"""
import signal
from stream_deid import ending
signal.signal(signal.{number}, signal.SIG_IGN)
ending.on_signal(print, heeded=ending.BY_ANYBODY)
print(signal.getsignal(signal.{number}) == signal.SIG_IGN)
"""
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert said.stdout == "True\n"


class Starting(Broker):
    """A broker that is told to end while it starts."""

    def _command(self) -> list[str]:
        return [sys.executable, "-c", "import signal; signal.pause()"]

    def _answers(self) -> bool:
        assert self._process is not None
        self.launched = self._process
        raise SystemExit(143)


def test_a_broker_that_is_starting_is_taken_along(tmp_path: Path) -> None:
    broker = Starting(tmp_path)
    with pytest.raises(SystemExit), broker:
        pass
    assert broker.launched.wait(60) == -signal.SIGTERM


ABORTS_AT_EXIT = """
import atexit, ctypes, sys, threading, time
from stream_deid import ending
libc = ctypes.CDLL(None)
def run():
    libc.__cxa_atexit(libc.abort, None, None)  # as libraries whose threads still run
    atexit.register(print, "done at exit")
    threading.Thread(target=lambda: time.sleep(0.3) or print("no daemon")).start()
    print("ran")
    {}
ending.as_process(run)
"""


@pytest.mark.parametrize(
    ("last", "status"),
    [("return 0", 0), ("return 75", 75), ("sys.exit(143)", 143), ("sys.exit()", 0)],
)
def test_what_libraries_do_at_an_exit_costs_no_status_and_no_output(last: str, status: int) -> None:
    ended = _python(ABORTS_AT_EXIT.format(last))
    assert (ended.returncode, ended.stderr) == (status, "")
    assert ended.stdout.split("\n") == ["ran", "no daemon", "done at exit", ""]


CLI = "from stream_deid.cli import main; main()"
MODULE = "import runpy; runpy.run_module('stream_deid.cli', run_name='__main__')"


@pytest.mark.parametrize("command", [CLI, MODULE])
def test_every_command_ends_so(command: str) -> None:
    abort = "import ctypes; libc = ctypes.CDLL(None); libc.__cxa_atexit(libc.abort, None, None); "
    ended = _python(abort + command, "keygen", "--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("usage:")
    assert _python(abort + command, "keygen", "/no/such/folder/key").returncode == 78


@pytest.mark.parametrize("command", [["keygen"], ["config", "show"], ["reference"]])
def test_an_output_that_can_t_be_written_to_the_end_is_told(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = _python(CLI, *command, stdout=full)
    told = "stream-deid: file.system: an output: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (78, told)


CRASHES = """
import ctypes
from stream_deid import ending
def of_a_note(text):
    {}
ending.as_process(lambda: of_a_note("Quillfeather"))
"""


@pytest.mark.parametrize("crash", ["ctypes.CDLL(None).abort()", "ctypes.string_at(0)"])
def test_a_native_crash_leaves_lines_of_code_and_no_text(crash: str) -> None:
    ended = _python(CRASHES.format(crash))
    assert ended.returncode in (-signal.SIGABRT, -signal.SIGSEGV)
    assert "in of_a_note" in ended.stderr
    assert "Quillfeather" not in ended.stderr


def _python(
    program: str, *arguments: str, stdout: object = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
    )  # fmt: skip
