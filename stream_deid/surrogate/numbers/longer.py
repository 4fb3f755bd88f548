"""Numbers of a note that end a longer one of it: the last four digits of a card, a local number."""

from __future__ import annotations

from stream_deid.labels import CALLED, NUMBERS, PhiType
from stream_deid.note import Finding, Note, Part, ends_a_number
from stream_deid.surrogate.numbers import abroad
from stream_deid.surrogate.scramble import masked
from stream_deid.surrogate.spans import Spans
from stream_deid.text.canonical import canonical

_SHORT = range(4, 12)  # characters of what ends a longer one
_LEAST = 2  # of what says that it does


def ends_of_longer(note: Note, spans: Spans) -> dict[str, tuple[PhiType, str]]:
    """By canonical number that ends another one of the note or record, the longest such."""
    whole: dict[str, tuple[PhiType, str]] = {}
    for phi, text in (
        *((k.type, k.value) for k in note.known if k.type in NUMBERS),
        *((f.type, _signed(part, f, text)) for part, f, text in spans if f.type in NUMBERS),
    ):
        shown = masked(text)[1]
        whole.setdefault(canonical(shown), (phi, shown))
    ends = ((f, text) for _, f, text in spans if f.type in NUMBERS)
    said = {len(canonical(text)) for f, text in ends if ends_a_number(f.detectors)}
    sizes = sorted({*_SHORT, *(size for size in said if size >= _LEAST)})
    longer: dict[str, tuple[PhiType, str]] = {}
    for key, one in sorted(whole.items(), key=lambda found: -len(found[0])):
        for size in sizes:
            if len(key) > size:
                longer.setdefault(key[-size:], one)
    return {short: longer[short] for short in whole if short in longer}


def _signed(part: Part, finding: Finding, text: str) -> str:
    """A number with what stands before it of a telephone's country code."""
    before = part.text[max(finding.start - abroad.BEFORE, 0) : finding.start]
    return abroad.sign_before(before, text) * (finding.type in CALLED) + text
