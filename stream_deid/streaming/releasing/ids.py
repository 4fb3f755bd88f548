"""Ids that nothing of a note leads to: drawn by chance where a policy links no notes.

Under such a policy (safe harbor) the inner topics' pseudonyms are keyed hashes, since a note that
is processed again has to give the same bytes; recipients get others. They come from a salt that is
in memory alone, for one transaction or one file: whoever holds the key can't compute them. A
transaction that is aborted and done again gives others; nothing of the first was released.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from stream_deid.surrogate.keys import Scope, token


class Fresh:
    """New ids for the records of one release: one for one, whoever asks."""

    def __init__(self) -> None:
        self._scope = Scope(secrets.token_bytes(32))

    def of(self, pseudonym: str) -> str:
        """The id that stands for a pseudonym, in its letters."""
        made = token(self._scope, pseudonym, len(pseudonym))
        return made.upper() if pseudonym.isupper() else made

    def renamed(self, record: bytes, pseudonyms: Iterable[str]) -> bytes:
        """A record with all of these replaced wherever they stand; they are too long to stand
        anywhere by chance.
        """
        for one in pseudonyms:
            record = record.replace(one.encode(), self.of(one).encode())
        return record
