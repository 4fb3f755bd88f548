"""Names in small letters where nothing around them has a capital: chats, speech, sign-outs.

small = listed name, no word, no clinical term       "refused by tamez", "hoffmann con robledo"

Of 164 such words in marked notes that the list of words had not seen, 155 were people's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stream_deid.detect.words.terms import surely_a_term
from stream_deid.labels import PhiType
from stream_deid.lists.name_words import is_nothing_else
from stream_deid.note import Detection
from stream_deid.text.view import View

NAME = "name-small"
_SCORE = 0.6
_WORD = re.compile(r"(?<![A-Za-z0-9'@._/\\-])[a-z]{4,14}(?![A-Za-z0-9'@_/\\]|[.-][A-Za-z0-9])")
_CAPITAL = re.compile("[A-Z]")
_AROUND = 40
_NEXT_STAMP = "\n["


def in_small_letters(view: View) -> Iterator[Detection]:
    """The names that nothing but their being nothing else tells."""
    for found in _WORD.finditer(view.text):
        if not is_nothing_else(found[0]):
            continue
        start, end = found.span()
        if surely_a_term(view.text, start, end, PhiType.PATIENT):
            continue
        line = view.text.find(_NEXT_STAMP, end, end + _AROUND)  # whose speaker has a capital
        upto = end + _AROUND if line < 0 else line
        if not _CAPITAL.search(view.text, max(0, start - _AROUND), upto):
            yield Detection(*view.origin(start, end), PhiType.PATIENT, f"{NAME}@1", _SCORE)
