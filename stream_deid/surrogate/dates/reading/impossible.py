"""Days that their month doesn't have, as people and forms write them: "2/29/2025", "31 April".

late = (29 | 30 | 31), no figure on either side, the only one of a text that can't be read

Such a date is read as the last day that its month has, so that it moves with the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LATE = re.compile(r"(?a)(?<!\d)(?:29|3[01])(?!\d)")


def possible(text: str) -> Iterator[str]:
    """`text` with an earlier day for the one late day that it holds, the latest first; offsets
    unchanged.
    """
    found = list(_LATE.finditer(text))
    if len(found) != 1:
        return
    start, end = found[0].span()
    for day in range(int(found[0][0]) - 1, 27, -1):
        yield f"{text[:start]}{day}{text[end:]}"
