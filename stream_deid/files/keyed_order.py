"""An output whose records stand in an order drawn by the key, for those who get released notes.

The order of notes in a file is the order of their record more often than not, and that tells date
offsets (docs/attacks.md, Timing).
"""

from __future__ import annotations

import tempfile
from types import TracebackType
from typing import Self

from stream_deid.files.writing import OutputFile
from stream_deid.streaming.releasing.batch import drawn


class Drawn:
    """Gathers records in a file without a name and writes them to `output` to `settle` it, to
    standard output when everything else is there.

    `key`: secret, as for `drawn`. In memory: 50 bytes or so a record.
    """

    def __init__(self, output: OutputFile, key: bytes) -> None:
        self._output, self._key = output, key
        self._spool = tempfile.TemporaryFile(dir=output.folder)  # noqa: SIM115 - closed by __exit__
        self._places: list[tuple[bytes, int, int]] = []
        self._end = 0

    def __enter__(self) -> Self:
        self._output.__enter__()
        return self

    def write(self, data: bytes) -> None:
        """Add a record."""
        self._places.append((drawn(data, self._key), self._end, len(data)))
        self._spool.write(data)
        self._end += len(data)

    def settle(self) -> None:
        """Everything was written: into its order, on disk, not yet under its name."""
        if self._output.folder is not None:
            self._put()
        self._output.settle()

    def appear(self) -> None:
        """What was settled is there from here on."""
        if self._output.folder is None:
            self._put()
        self._output.appear()

    def _put(self) -> None:
        for _, start, size in sorted(self._places):
            self._spool.seek(start)
            self._output.write(self._spool.read(size))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._spool.close()
        self._output.__exit__(kind, error, trace)
