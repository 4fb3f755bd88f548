"""Numbers of parts, messages and pages out of how many there are, which the parts themselves tell.

part = "(" n "/" m ")" | n "/" m at the start of a line, where each of 1/m to m/m stands so nearby
"""

from __future__ import annotations

from stream_deid.text.linear import linear

_PAIR = linear(r"(\d)/([2-9])")
_NEARBY = 2000
"""Characters on either side: four text messages and what is between them."""


def is_numbered_part(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` numbers one of several parts of a text."""
    pair = _PAIR.fullmatch(text[start:end])
    if pair is None or not 1 <= int(pair[1]) <= int(pair[2]):
        return False
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if before == "(" and after == ")":
        opening, closing = "(", ")"
    elif before in ("", "\n") and after in (" ", ")", ":"):
        opening, closing = "\n", after
    else:
        return False
    nearby = "\n" + text[max(0, start - _NEARBY) : end + _NEARBY]
    return all(f"{opening}{n}/{pair[2]}{closing}" in nearby for n in range(1, int(pair[2]) + 1))
