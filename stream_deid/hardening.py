"""What a process that holds the key and raw notes forbids itself before it reads either.

`docs/security.md` says what each measure is for. The model server has its own (`serving/local`).
"""

from __future__ import annotations

import ctypes
import os
import resource
import stat
import sys
from pathlib import Path

PR_SET_DUMPABLE = 4


def harden() -> None:
    """No core file, no memory for other processes of this user to read, files for us alone.

    Root and debuggers with its rights still can; `/proc/PID/environ` is closed as well.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.umask(0o077)


def silence_engines() -> None:
    """Engines that report their use to their makers find nobody to report to; to be called before
    they are imported. The operator's own opt-outs stay as they are.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    os.environ.setdefault("NNCF_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def open_to_others(path: Path) -> bool:
    """Whether users outside of a file's group can read it, or its group can write it."""
    return bool(path.stat().st_mode & (stat.S_IRWXO | stat.S_IWGRP))
