"""A number as it stands on its line: what the files of this room look at.

run  = what letters, figures, "/", "+", "'", "." and "-" surround a span without a blank
page = ("p." | "pp." | "pgs." | "pags." ...) at the head of a run, which is none of the number
pair = n "/" n
"""

from __future__ import annotations

from dataclasses import dataclass

from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

_LINE = 90
_LONGEST = 120
"""A run that goes on for longer beside a span is no quantity."""
_RUN = linear(r"[\pL\d/+'.-]*")
_RUN_BEFORE = linear(r"[\pL\d/+'.-]*$")
_PAGE = linear(r"(?i)(?:pp?|pgs?|pags?)\.")
_CLOSING = ".'"
NOTED = linear(rf"(?i)\b(?:{Vocabulary('notations')['dated']})[ :]*$")
"""A word before a pair or range that is a date after all."""
PAIR = linear(r"(\d{1,3})/(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Number:
    """A span that somebody took for an identifier of `phi_type`, and its line.

    `run`: the unbroken run of letters, digits and signs that it belongs to; `inside`: where the
    span stands in it; `before` and `after`: the rest of the line around the run, folded.
    """

    value: str
    phi_type: PhiType
    run: str
    inside: tuple[int, int]
    before: str
    after: str

    @property
    def is_figure(self) -> bool:
        """Whether nothing but digits was taken."""
        return self.value.isdecimal()

    @property
    def core(self) -> str:
        """The run without full stops and primes around it."""
        return self.run.strip(_CLOSING)

    @property
    def bare(self) -> str:
        """The run without full stops and primes behind it."""
        return self.run.rstrip(_CLOSING)

    @property
    def rest(self) -> str:
        """The rest of the line behind the bare run."""
        return self.run[len(self.bare) :] + self.after


def run_around(text: str, start: int, end: int) -> tuple[int, int, str] | None:
    """The unbroken run of letters, digits and signs that a span belongs to; None where it is longer
    than any quantity, so that a thousand spans of one endless run are judged in linear time.
    """
    before = _RUN_BEFORE.search(text[max(0, start - _LONGEST) : start])
    after = _RUN.match(text[end : end + _LONGEST])
    first, last = start - len(before[0]), end + len(after[0])
    return None if max(start - first, last - end) == _LONGEST else (first, last, text[first:last])


def on_its_line(text: str, start: int, end: int, phi_type: PhiType) -> Number | None:
    """The number at `[start, end)`; None where its run is longer than any quantity."""
    found = run_around(text, start, end)
    if found is None:
        return None
    first, last, run = found
    page = _PAGE.match(run)
    if page is not None and first + page.end() <= start:
        first, run = first + page.end(), run[page.end() :]
    before = folded(text[max(0, first - _LINE) : first].rpartition("\n")[2])
    after = folded(text[last : last + _LINE].partition("\n")[0])
    return Number(text[start:end], phi_type, run, (start - first, end - first), before, after)
