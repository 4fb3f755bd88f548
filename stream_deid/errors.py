"""Every error of the project, and what each one means for the note in hand.

Three families, told apart by the reaction they call for. Who drives the processing reacts:
`streaming`, `files`, `mllp` (by its answers), and commands by their exit status.

* `NoteRejected`: this note can never be processed. Dead-letter it and go on.
* `Unavailable`: something that the note needs is away. Retry under one deadline, then stop.
* `Halt`: the installation is wrong. End the process; no note may be released. Raised by the pure
  pipeline over one note it is a broken invariant of that note, and `processor` rejects the note.

`detail` is written for a person and never holds text of a note.
"""

from __future__ import annotations


class DeidError(Exception):
    """Base of all errors: a stable `code` for machines and a `detail` for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class NoteRejected(DeidError):
    """The note itself is at fault; it goes to the dead-letter topic under `code`."""


class Unavailable(DeidError):
    """A service that the note needs does not answer; the note waits."""


class Halt(DeidError):
    """Configuration, manifest or invariant is broken; the process must end."""
