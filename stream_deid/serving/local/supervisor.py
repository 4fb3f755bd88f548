"""Keeps one Triton server alive, and shut in, for as long as its parent lives.

`python -I supervisor.py STATE RESTARTS SHM_PREFIX NETWORK -- COMMAND...`, with a pipe as standard
input whose other end the parent holds. Three things end the server: SIGTERM, the end of the pipe
(the parent died, however it died), and a crash after `RESTARTS` restarts; a model's process that
died is a crash of the server, which would go on failing every request of that model. A supervisor
killed by SIGKILL takes the server with it (PR_SET_PDEATHSIG). Where `/dev/shm` is shared with
others (`confinement`), regions are closed to them as soon as they appear, and what a killed stub
left behind is swept. STATE is a folder: `pid`, the server's, and `confined`, the measures that
hold. NETWORK is `none` or `loopback`. The exit status is the server's.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
GRACE_S = 8.0
BACKOFF_S = 0.5
YOUNG_S = 60.0
WATCH_S = 0.25
LIFELINE_VARIABLE = "STREAM_DEID_LIFELINE"
STUB = "triton_python_backend_stub"
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


def seal(prefix: str, folder: Path = SHM) -> int:
    """Close regions to other users; returns how many were open."""
    opened = 0
    for path in folder.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)
                opened += 1
    return opened


def stubs(server: int) -> dict[int, tuple[bool, list[str]]]:
    """The processes of a server's models: whether each lives, and its arguments (from /proc)."""
    found: dict[int, tuple[bool, list[str]]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            name, _, rest = (entry / "stat").read_text(encoding="utf-8").rpartition(")")
            state, parent = rest.split()[:2]
            arguments = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:  # it has just ended
            continue
        if int(parent) == server and (STUB in arguments[0] or STUB[:15] in name):
            found[int(entry.name)] = state not in "ZX", arguments
    return found


class Supervisor:
    """One server, started again after a crash at most `restarts` times."""

    def __init__(
        self,
        command: list[str],
        state: Path,
        restarts: int,
        prefix: str,
        shut_in: Callable[[], None],
    ) -> None:
        self.command, self.state = command, state
        self.restarts, self.prefix = restarts, prefix
        self._shut_in = shut_in
        self.stopping = self.orphaned = False
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
        lifeline = os.pipe()  # its writing end is the server's alone: see `backend/model.py`
        server = subprocess.Popen(  # noqa: S603  # the command comes from local_server
            self.command,
            stdin=subprocess.DEVNULL,
            process_group=0,
            pass_fds=lifeline,
            env={**os.environ, LIFELINE_VARIABLE: " ".join(map(str, lifeline))},
            preexec_fn=self._become,  # noqa: PLW1509  # this process has a single thread
        )
        for end in lifeline:
            os.close(end)
        part = self.state / "pid.part"
        part.write_text(f"{server.pid}\n", encoding="ascii")
        part.replace(self.state / "pid")  # read while it is written, it would be empty
        self._wait(server)
        status = _stop(server)
        sweep(self.prefix)
        return status

    def _become(self) -> None:
        """Between fork and exec of the server."""
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        self._shut_in()

    def _wait(self, server: subprocess.Popen[bytes]) -> None:
        """Return when the server or one of its models has ended, or when it must."""
        seen: set[int] = set()
        with selectors.DefaultSelector() as selector:
            selector.register(0, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            while server.poll() is None and not self.stopping:
                for key, _ in selector.select(WATCH_S):
                    if not os.read(key.fd, 4096) and key.fd == 0:
                        self.stopping = self.orphaned = True
                seal(self.prefix)
                living = {pid for pid, (lives, _) in stubs(server.pid).items() if lives}
                if seen - living:
                    return
                seen |= living


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
    state, restarts, prefix, network, separator, *command = argv
    if separator != "--" or not command or network not in ("none", "loopback"):
        raise SystemExit("usage: supervisor STATE RESTARTS SHM_PREFIX none|loopback -- COMMAND...")
    os.umask(0o077)
    folder = os.open(Path(state).parent, os.O_RDONLY | os.O_DIRECTORY)
    fence, shut_in = _beside("fence"), _as_it_is
    needed = fence.needed(command[0])
    held = _beside("confinement").confine(network=network == "none", own=state, needed=needed)
    if fence.version():
        held.append("files")
        shut_in = partial(fence.shut_in, needed, [state, *fence.SCRATCH])
    (Path(state) / "confined").write_text(" ".join(held), encoding="ascii")
    supervisor = Supervisor(command, Path(state), int(restarts), prefix, shut_in)
    status = supervisor.run()
    if supervisor.orphaned:
        shutil.rmtree(state, ignore_errors=True)
        with contextlib.suppress(OSError):  # where it is, under what hides it from this process
            os.rmdir(Path(state).name, dir_fd=folder)
    return status


def _as_it_is() -> None:
    """The system has no fence."""


def _beside(name: str) -> Any:
    """A module beside this one; this process runs isolated, without the package's path."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
