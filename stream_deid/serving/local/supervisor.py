"""Keeps one Triton server alive for as long as its parent lives.

`python -m stream_deid.serving.local.supervisor PID_FILE RESTARTS SHM_PREFIX -- COMMAND...`, with a
pipe as standard input whose other end the parent holds. Three things end the server: SIGTERM,
the end of the pipe (the parent died, however it died), and a crash after `RESTARTS` restarts.
A supervisor killed by SIGKILL takes the server with it (PR_SET_PDEATHSIG). Before each start the
shared memory that a killed stub left behind is swept. Its exit status is the server's.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
GRACE_S = 8.0
BACKOFF_S = 0.5
YOUNG_S = 60.0
SHM = Path("/dev/shm")  # noqa: S108  # where Triton's python backend puts its shared memory


def sweep(prefix: str, folder: Path = SHM) -> int:
    """Remove what earlier servers of this prefix left in shared memory; returns how many."""
    stale = [path for path in folder.glob(f"{prefix}*") if path.is_file()]
    for path in stale:
        path.unlink(missing_ok=True)
    return len(stale)


def sweep_orphans(prefix: str, folder: Path = SHM) -> int:
    """Remove regions of any server of ours that no living process has mapped any more."""
    mapped: set[str] = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            text = maps.read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has just ended, or belongs to another user
            continue
        mapped |= {line.split(None, 5)[-1] for line in text.splitlines() if prefix in line}
    young = time.time() - YOUNG_S
    orphans = [
        path
        for path in folder.glob(f"{prefix}*")
        if str(path) not in mapped and path.stat().st_mtime < young
    ]
    for path in orphans:
        path.unlink(missing_ok=True)
    return len(orphans)


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Supervisor:
    """One server, started again after a crash at most `restarts` times."""

    def __init__(self, command: list[str], pid_file: Path, restarts: int, prefix: str) -> None:
        self.command, self.pid_file = command, pid_file
        self.restarts, self.prefix = restarts, prefix
        self.stopping = False
        self._wake, self._waker = os.pipe()
        for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD):
            signal.signal(signum, self._on_signal)

    def _on_signal(self, signum: int, _frame: object) -> None:
        if signum != signal.SIGCHLD:
            self.stopping = True
        os.write(self._waker, b".")

    def run(self) -> int:
        """Serve until told to stop; returns the server's exit status."""
        while True:
            status = self._once()
            if self.stopping or self.restarts <= 0:
                return status if status >= 0 else 128 - status
            self.restarts -= 1
            time.sleep(BACKOFF_S)

    def _once(self) -> int:
        sweep(self.prefix)
        server = subprocess.Popen(  # noqa: S603  # the command comes from local_server
            self.command,
            stdin=subprocess.DEVNULL,
            process_group=0,
            preexec_fn=_die_with_parent,  # noqa: PLW1509  # this process has a single thread
        )
        self.pid_file.write_text(f"{server.pid}\n", encoding="ascii")
        self._wait(server)
        status = _stop(server)
        sweep(self.prefix)
        return status

    def _wait(self, server: subprocess.Popen[bytes]) -> None:
        """Return when the server has ended, or when it must."""
        with selectors.DefaultSelector() as selector:
            selector.register(0, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            while server.poll() is None and not self.stopping:
                for key, _ in selector.select():
                    if not os.read(key.fd, 4096) and key.fd == 0:
                        self.stopping = True


def _stop(server: subprocess.Popen[bytes]) -> int:
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            server.kill()
    status = server.wait()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)  # models' processes that outlived a killed server
    return status


def main(argv: list[str]) -> int:
    """Run from the command line; see the module's text."""
    pid_file, restarts, prefix, separator, *command = argv
    if separator != "--" or not command:
        raise SystemExit("usage: supervisor PID_FILE RESTARTS SHM_PREFIX -- COMMAND...")
    return Supervisor(command, Path(pid_file), int(restarts), prefix).run()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
