"""A small local supervisor: keeps worker processes running, as Kubernetes would.

A worker that ends is started again after a pause that doubles up to `max_pause_s` and falls
back once the worker has lived for a while. For demos and trials. The local Triton's is another
program (`serving/local/supervisor.py`): it imports nothing, guards one server and gives up.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_LIVED_S = 20.0


class Supervised:
    """One worker process, restarted whenever it ends, until `stop`."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        first_pause_s: float = 0.2,
        max_pause_s: float = 10.0,
    ) -> None:
        self.starts = 0
        self.statuses: list[int] = []
        self._command = list(command)
        self._env = {**os.environ, **(env or {})}
        self._log = log
        self._first_pause_s = first_pause_s
        self._max_pause_s = max_pause_s
        self._end = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="supervisor", daemon=True)

    def start(self) -> Self:
        self._thread.start()
        return self

    @property
    def running(self) -> bool:
        process = self._process
        return process is not None and process.poll() is None

    def send(self, number: signal.Signals) -> bool:
        """Send a signal to the present process; False if there is none."""
        with self._lock:
            process = self._process
            if process is None or process.poll() is not None:
                return False
            process.send_signal(number)
            return True

    def kill(self, *, patience_s: float = 60.0) -> None:
        """SIGKILL the present process, or the next where none runs, and see it end.

        A process that was struck still looks as if it ran for a while: who only sends the
        signal twice may strike one process twice.

        Raises:
            TimeoutError: none ended within `patience_s` seconds.
        """
        ended, deadline = len(self.statuses), time.monotonic() + patience_s
        while len(self.statuses) == ended:
            self.send(signal.SIGKILL)
            if time.monotonic() > deadline:
                raise TimeoutError(f"no process was there to be killed for {patience_s:.0f} s")
            time.sleep(0.01)

    def stop(self, *, wait_s: float = 40.0) -> int | None:
        """SIGTERM, and SIGKILL after `wait_s`; the last process's exit status."""
        self._end.set()
        self.send(signal.SIGCONT)  # one that was stopped would hear of nothing
        self.send(signal.SIGTERM)
        self._thread.join(wait_s)
        if self._thread.is_alive():
            self.send(signal.SIGKILL)
            self._thread.join(10)
        return self.statuses[-1] if self.statuses else None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _keep(self) -> None:
        pause = self._first_pause_s
        while not self._end.is_set():
            began = time.monotonic()
            self._run_once()
            if time.monotonic() - began > _LIVED_S:
                pause = self._first_pause_s
            self._end.wait(pause)
            pause = min(2 * pause, self._max_pause_s)

    def _run_once(self) -> None:
        log = self._log.open("ab") if self._log else None
        try:
            with self._lock:
                if self._end.is_set():
                    return
                self._process = subprocess.Popen(  # noqa: S603 - the caller's command
                    self._command, env=self._env, stdout=log, stderr=log
                )
                self.starts += 1
            self.statuses.append(self._process.wait())
        finally:
            if log:
                log.close()
