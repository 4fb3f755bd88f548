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
