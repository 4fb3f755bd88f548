"""Which files a model server can reach: what it runs from, its own folder, and no other.

Landlock (landlock(7), Linux 5.13 and later), which any user may put on itself and nobody takes off
again. Without it a server that root started would still own root's files, disks among them, and
one of an ordinary user that user's key. Runs between fork and exec, imports nothing of
`stream_deid`. Processes outside of the fence can be neither traced nor, from Linux 6.12 on,
signalled.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import site
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS = 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = (
    1 << n for n in (0, 1, 2, 3, 14, 15)
)
REMOVE_DIR, REMOVE_FILE, MAKE_DIR = 1 << 4, 1 << 5, 1 << 7
TIDY = READ_DIR | MAKE_DIR | REMOVE_DIR | REMOVE_FILE
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many there are, by version; later ones have 16
SCOPES = 3  # abstract sockets, signals

SYSTEM = (
    "/bin", "/lib", "/lib64", "/sbin", "/usr", "/proc", "/sys/devices", "/sys/fs/cgroup",
    "/nix/store", "/gnu/store",
    "/etc/ld.so.cache", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group",
    "/dev/random", "/dev/urandom", "/dev/zero",
)  # fmt: skip
FOLDERS = ("/tmp",)  # noqa: S108  # where Triton makes an empty folder and removes it
SCRATCH = ("/dev/shm", "/dev/null", "/dev/full")  # noqa: S108

_libc = ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """What the kernel knows of Landlock; 0 where it is off or unknown."""
    return max(0, int(_libc.syscall(CREATE_RULESET, None, 0, VERSION)))


def needed(command: str) -> list[str]:
    """What a server that is `command` reads: the system's libraries, itself, this Python."""
    carrier = Path(shutil.which(command) or command).resolve().parent.parent
    mine = [carrier, carrier.parent.parent / "nvidia_pytriton.libs", Path(sys.prefix)]
    packages = [Path(folder) for folder in site.getsitepackages()]
    linked = [entry for folder in packages for entry in _entries(folder) if entry.is_symlink()]
    everything = [*mine, Path(sys.base_prefix), *packages, *linked]
    return [*SYSTEM, *{str(path.resolve()) for path in everything}]


def _entries(folder: Path) -> Iterator[Path]:
    return folder.iterdir() if folder.is_dir() else iter(())


def shut_in(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Reach nothing else, this process and its children, for good. Raises `OSError`."""
    known = version()
    every = (1 << RIGHTS.get(known, 16)) - 1
    attributes = struct.pack("=QQQ", every, 0, SCOPES)[
        : 8 if known < 4 else 16 if known < 6 else 24
    ]
    rules = _called(CREATE_RULESET, attributes, len(attributes), 0)
    given = (readable, READ), (writable, every), (FOLDERS, TIDY)
    for paths, allowed in given:
        for path in paths:
            _allow(rules, path, allowed & every)
    if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    _called(RESTRICT_SELF, rules, 0)
    os.close(rules)


def _allow(rules: int, path: str, allowed: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):  # noqa: PTH112 - a plain call between fork and exec
            allowed &= OF_FILES
        _called(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", allowed, place), 0)
    finally:
        os.close(place)


def _called(number: int, *arguments: int | bytes) -> int:
    found = int(_libc.syscall(number, *arguments))
    if found < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    return found
