"""Outputs that are there when they are whole: written beside their place, moved there at the end.

Never over an input, never two into one file, over an old output only when told so.
Whatever is the last to get its name is nowhere without the others.
"""

from __future__ import annotations

import fcntl
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from stream_deid.errors import Halt
from stream_deid.files import writable
from stream_deid.files.reading import STANDARD

_OURS = os.O_CREAT | os.O_NOFOLLOW | os.O_WRONLY | os.O_NONBLOCK  # a pipe laid there meanwhile

_Place = tuple[int, int] | str
"""Device and number of a file that is there, else its path without links."""


def check_paths(
    source: Path,
    outputs: Sequence[tuple[str, Path]],
    *,
    overwrite: bool,
    needed: Iterable[Path] = (),
) -> None:
    """Refuse paths that would lose something. Raises `Halt("file....")`.

    `outputs`: the option and the path of each. `needed`: files that the settings name, and theirs.
    """
    taken: dict[_Place, str] = {_place(path): "a file that the settings name" for path in needed}
    if read := _standard(0, "the input") if source == STANDARD else _place(source):
        taken[read] = "the input"
    for option, path in outputs:
        if path == STANDARD and option != "--out":
            raise Halt("file.paths", f"{option} can't be standard output, only --out can")
        place = _standard(1, option) if path == STANDARD else _place(path)
        if place in taken:
            raise Halt(
                "file.paths", f"{option} {path} is {taken[place]} as well; name another file"
            )
        if place is not None:
            taken[place] = option
        if path == STANDARD:
            continue
        if wrong := _unfit(path):
            raise Halt("file.paths", f"{option} {path} {wrong}")
        _take_part(option, path, taken)
        if os.path.lexists(path) and not overwrite:  # a link to nowhere is somebody's, too
            raise Halt("file.exists", f"{option} {path} is there already; --overwrite replaces it")
        if why := writable.refusal(path.parent):
            raise Halt("file.unwritable", f"{option} {path}: {why}")


def _take_part(option: str, path: Path, taken: dict[_Place, str]) -> None:
    """Where an output grows is emptied first, so it is as much its own as its place."""
    part = part_of(path)
    place = _place(part)
    if place in taken:
        raise Halt(
            "file.paths",
            f"{option} {path} is written as {part.name} first, which is {taken[place]}; "
            "name another file",
        )
    taken[place] = f"what {option} is written as first"


def part_of(path: Path) -> Path:
    """Where an output is written, beside its place, until it is whole."""
    return path.with_name(f".{path.name}.part")


def _unfit(path: Path) -> str:
    """Why a path can't be an output, which is moved there whole and over nothing but a file."""
    if not path.parent.is_dir():
        return f"lies in no folder; make {path.parent}"
    if path.is_dir():
        return "is a folder"
    if path.exists() and not path.is_file():
        return "is a device or a pipe; name a file, or - for standard output"
    return ""


def _place(path: Path) -> _Place:
    """Which file a path means, links followed."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return os.path.realpath(path)


def _standard(descriptor: int, name: str) -> _Place | None:
    """Which file standard input or output is, None where it is none (a pipe, a terminal)."""
    try:
        found = os.fstat(descriptor)
    except OSError:
        raise Halt("file.paths", f"{name} is - (standard in- or output), which is closed") from None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _own(path: Path) -> int:
    """A descriptor of the file at `path`, empty, ours and locked; what a run that was killed left
    there is taken over, what others laid there is removed. Raises `BlockingIOError` where another
    run has it.
    """
    while True:
        if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
            path.unlink()
        descriptor = os.open(path, _OURS, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found, there = os.fstat(descriptor), path.stat(follow_symlinks=False)
            if (found.st_ino, found.st_dev) == (there.st_ino, there.st_dev):
                if found.st_uid == os.geteuid() and found.st_nlink == 1:
                    os.fchmod(descriptor, 0o600)
                    os.ftruncate(descriptor, 0)
                    return descriptor
                path.unlink()
        except FileNotFoundError:
            pass  # its owner was done in the meantime
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


class Output(Protocol):
    """What gets its name when it is whole: `settle` does all that may fail for want of room."""

    def settle(self) -> None: ...

    def appear(self) -> None: ...


def done(outputs: Sequence[Output]) -> None:
    """Everything was written: all on disk first, then under their names, the last one last."""
    for one in outputs:
        one.settle()
    for one in outputs:
        one.appear()


def _settle_names(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class OutputFile:
    """A file that has its name once it `appear`ed; nothing of it stays otherwise.

    `lazy`: without a byte written there is no file (and an old one of that name goes).
    """

    def __init__(self, path: Path, *, lazy: bool = False) -> None:
        self._path, self._lazy = path, lazy
        self._part = part_of(path)
        self._file: BinaryIO | None = None

    @property
    def folder(self) -> Path | None:
        """Where it is written beside its place; None for standard output."""
        return None if self._path == STANDARD else self._path.parent

    def __enter__(self) -> Self:
        if not self._lazy:
            self._open()
        return self

    def _open(self) -> BinaryIO:
        if self._path == STANDARD:
            return sys.stdout.buffer
        if self._file is None:
            try:
                descriptor = _own(self._part)
            except BlockingIOError:
                raise Halt("file.busy", f"{self._path}: another run is writing it") from None
            except OSError as error:
                raise Halt("file.unwritable", f"{self._path}: {error.strerror}") from None
            self._file = os.fdopen(descriptor, "wb")
        return self._file

    def write(self, data: bytes) -> None:
        """Add to the file. Raises `Halt("file.unwritable")`, for instance of a full disk."""
        with self._telling():
            self._open().write(data)

    def settle(self) -> None:
        """Everything was written: on disk, not yet under its name."""
        with self._telling():
            if self._file is not None:
                self._file.flush()
                os.fsync(self._file.fileno())

    def appear(self) -> None:
        """What was settled is there from here on, after a power failure too."""
        with self._telling():
            if self._path == STANDARD:
                sys.stdout.buffer.flush()
            elif self._file is None:
                self._path.unlink(missing_ok=True)
            else:
                self._part.replace(self._path)
                self._file.close()
                self._file = None
                _settle_names(self._path.parent)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Halt("file.unwritable", f"{self._path}: {error.strerror}") from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._part.unlink(missing_ok=True)
            with suppress(OSError):
                self._file.close()
