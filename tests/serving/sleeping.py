"""A Triton server that sleeps, with the processes of its models, and wakes up."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator

from stream_deid.serving.local.server import LocalServer, stub_pids


@contextlib.contextmanager
def asleep(server: LocalServer) -> Iterator[None]:
    """The server and its models' processes stopped (SIGSTOP), going on (SIGCONT) behind the block.

    Which of them is the first to run again is chance, and one that finds the others silent for as
    long as that may end itself, which has the server started anew: what was one process before may
    be gone by the time that it is woken, and be another after it.
    """
    family = [server.pid, *stub_pids(server.pid).values()]
    for pid in family:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
