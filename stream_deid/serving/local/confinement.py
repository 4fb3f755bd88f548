"""What a model server of ours can't do, whatever runs inside it.

Runs in the supervisor before the server starts, by plain system calls (Linux namespaces(7),
capabilities(7)), so it imports nothing of `stream_deid`. Each measure that the system refuses is
left out and named in what `confine` returns; the server is started all the same, with what is
left (docs/security.md tells what that means on a shared host).

* `memory`: a mount namespace with a `/dev/shm` of its own, mode 0700: Triton's regions hold the
  tokens of notes, are created 0644 whatever the umask, and stay readable while they live.
* `sockets`: nothing in `/run`, where a container engine and other services listen to root.
* `scratch`: nothing in `/tmp` but its own folder; what it leaves there (Triton an empty folder a
  run) goes with it.
* `network`: a network namespace without any interface: nothing can call home or be called.
* `privileges`: no capability, no way to gain one; where root started it, nothing is left of root
  but its files.
* `dumps`: no core file.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Iterable
from pathlib import Path

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 1 << 18
MNT_DETACH = 2
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
SHM = "/dev/shm"  # noqa: S108  # where Triton's python backend puts its shared memory
RUN = "/run"
TMP = "/tmp"  # noqa: S108

_libc = ctypes.CDLL(None, use_errno=True)


def confine(*, network: bool, own: str = "", needed: Iterable[str] = ()) -> list[str]:
    """Shut this process and its children in; `network`: take the network away as well. `own`: its
    folder, `needed`: others that must stay in sight.

    Returns the measures that hold, out of those above.
    """
    held = ["dumps"]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if _unshare(CLONE_NEWNS | (CLONE_NEWNET if network else 0)):
        held += ["network"] * network
        if _private_memory():
            held.append("memory")
            held += ["sockets"] * _hidden(RUN, own, *needed)
            held += ["scratch"] * _hidden_but(TMP, own, *needed)
    if _drop_privileges():
        held.append("privileges")
    return held


def _unshare(flags: int) -> bool:
    """New namespaces: as root at once, otherwise inside a user namespace of our own."""
    if _libc.unshare(flags) == 0:
        return True
    flags |= CLONE_NEWUSER
    if not _can_enter(flags):
        return False
    _enter(flags)
    return True


def _can_enter(flags: int) -> bool:
    """Tried by a child: who has entered a namespace and can't map its user is nobody for good.

    (A root without capabilities can't map itself, user_namespaces(7).)
    """
    child = os.fork()
    if child == 0:
        try:
            _enter(flags)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _enter(flags: int) -> None:
    """Raises `OSError` where the system refuses any part of it."""
    uid, gid = os.getuid(), os.getgid()
    if _libc.unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")


def _private_memory() -> bool:
    if _libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        return False
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    return bool(_libc.mount(b"stream-deid", SHM.encode(), b"tmpfs", flags, b"mode=0700") == 0)


def _hidden(folder: str, *seen: str) -> bool:
    """Nothing in a folder for this process and its children, unless they need it themselves, or
    something elsewhere is called by a link in it (a checkout in `/tmp` whose `.venv` is a link).
    """
    named = [Path(path) for path in (*seen, sys.prefix, sys.base_prefix)]
    needed = [place for path in named for place in (path.absolute(), path.resolve())]
    if any(path.is_relative_to(folder) for path in needed) or not Path(folder).is_dir():
        return False
    flags = MS_NOSUID | MS_NODEV | MS_NOEXEC
    return bool(_libc.mount(b"none", folder.encode(), b"tmpfs", flags, b"mode=0700") == 0)


def _hidden_but(folder: str, own: str, *seen: str) -> bool:
    """As `_hidden`, but that `own` folder is where it was if it lies there."""
    if not own or not Path(own).resolve().is_relative_to(folder):
        return _hidden(folder, *seen)
    kept = os.open(own, os.O_PATH | os.O_DIRECTORY)
    try:
        if not _hidden(folder, *seen):
            return False
        Path(own).mkdir(mode=0o700, parents=True)
        source = f"/proc/self/fd/{kept}".encode()
        if _libc.mount(source, own.encode(), None, MS_BIND, None) == 0:
            return True
        _libc.umount2(folder.encode(), MNT_DETACH)
        return False
    finally:
        os.close(kept)


def _drop_privileges() -> bool:
    """An empty bounding set: the next exec has no capability, not even root's."""
    if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break
    bounding = next(
        line.split()[1]
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        if line.startswith("CapBnd:")
    )
    return int(bounding, 16) == 0 or os.getuid() != 0
