"""Where the socket of a local server lies: its path is an address, and addresses are short."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_PREFIX, _SOCKET = "stream-deid-triton-", "triton:1"
_LONGEST_ADDRESS = 107  # bytes


def socket_folder() -> Path:
    """A new folder of this user alone (0700); in `/tmp` where the path of a socket in `TMPDIR`
    would be longer than an address of `AF_UNIX` (unix(7)).
    """
    made = Path(tempfile.mkdtemp(prefix=_PREFIX))
    if len(os.fsencode(f"{made}/{_SOCKET}")) <= _LONGEST_ADDRESS:
        return made
    made.rmdir()
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir="/tmp"))
