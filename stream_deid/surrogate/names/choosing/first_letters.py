"""Which letter the names and initials of a patient begin with: one keyed permutation of letters.

A name's surrogate begins with what its initial becomes, whatever the note shows of the name: so
initials and monograms agree with the full name in every note, and nothing is stored. No letter
stays. The letters move in groups of like use (by those who bear given names and surnames with
them, in English and in Spanish), so that a name that many bear need not begin as few names do, and
few Spanish ones begin with K or W. Few names begin with Q, U or X: they become another letter, and
none becomes one of them.
"""

from __future__ import annotations

from stream_deid.surrogate.keys import Scope
from stream_deid.text.memo import remembered

GROUPS = ("abcdgjlmrs", "efhiknoptvwyz")
FEW = "qux"
"""Letters that no other one becomes; they share a letter of `HOSTS` with another one."""
HOSTS = GROUPS[-1]


@remembered
def head(scope: Scope, letter: str) -> str:
    """What an initial (`a` to `z`) becomes; nothing for any other character."""
    for number, group in enumerate(GROUPS):
        at = group.find(letter)
        if at >= 0:
            return group[_moved(scope, number)[at]]
    if letter not in FEW:
        return ""
    return HOSTS[scope.sub("initial").integer(len(HOSTS), letter)]


@remembered
def peer(scope: Scope, letter: str) -> str:
    """The letter of `GROUPS` that becomes `letter`, one of them."""
    number, group = next((n, letters) for n, letters in enumerate(GROUPS) if letter in letters)
    return group[_moved(scope, number).index(group.index(letter))]


@remembered
def _moved(scope: Scope, number: int) -> tuple[int, ...]:
    """Where the letters of a group go to in it."""
    return scope.sub("initial").sub(number).cycled(len(GROUPS[number]))
