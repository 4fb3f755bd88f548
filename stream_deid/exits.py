"""Exit statuses of every command (README, "Run it for real").

0 all well; 1 stopped by something unforeseen, or what a command was to judge is not well (`doctor`:
warnings, `trace`: nothing is known, `top`: nobody answers, `demo`, `chaos`, `fuzz`: the account);
2 wrong arguments; 3 finished, but messages were rejected (`replay --verify`: not all is the same);
75 something needed was away for too long, try again later (EX_TEMPFAIL of sysexits.h); 78 settings,
models or files are not as they must be (EX_CONFIG); 130 ended by Ctrl-C before it was done; 143
ended by SIGTERM before it was done (what drains, as a worker does, ends with 0).
"""

from __future__ import annotations

from stream_deid.errors import Halt, Unavailable

OK, CRASHED, USAGE, REJECTS, UNAVAILABLE, MISCONFIGURED, INTERRUPTED = 0, 1, 2, 3, 75, 78, 130

_NOT_OF_THE_INSTALLATION = ("stream.", "file.incomplete", "replay.crashed")


def status_of(error: BaseException) -> int:
    """The exit status that tells a supervisor or a script what went wrong."""
    if isinstance(error, Unavailable):
        return UNAVAILABLE
    if isinstance(error, Halt) and not error.code.startswith(_NOT_OF_THE_INSTALLATION):
        return MISCONFIGURED
    return CRASHED
