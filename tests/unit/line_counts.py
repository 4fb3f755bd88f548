"""How often each line of a folder runs: work that grows with the square of a note shows in it, on
any machine and at any load.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

Counts = Counter[tuple[str, int]]
"""By (file, line)."""


def lines(run: Callable[[], object], below: Path) -> Counts:
    """How often each line of the sources below a folder runs."""
    found: Counts = Counter()

    def seen(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(str(below)):
            return None
        if event == "line":
            found[frame.f_code.co_filename, frame.f_lineno] += 1
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    try:
        run()
    finally:
        sys.settrace(before)
    return found


def grown(few: Counts, many: Counts, at_most: float, often: int) -> dict[tuple[str, int], Any]:
    """The lines that ran more than `often` with `many`, and more than `at_most` times as often."""
    assert few
    return {
        place: (few[place], count)
        for place, count in many.items()
        if count > often and count > at_most * few[place]
    }
