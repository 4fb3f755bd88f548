"""Words that the end of a line cuts ("Whit-" / "combe"): joined, and cut again as they were."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[^\W\d_])-[ \t]*\r?\n[ \t]*(?=[^\W\d_])")


def unbroken(text: str) -> str:
    """`text` without the cuts before small letters; before a capital, two names may meet."""
    if "\n" not in text:
        return text
    return _END.sub(lambda end: "" if text[end.end()].islower() else end[0], text)


def broken_as(raw: str, made: str) -> str:
    """`made` cut at the ends of lines where `raw` is, in the same words as far as there are any."""
    words = made.split(" ")
    for end in reversed(list(_END.finditer(raw))):
        if not raw[end.end()].islower():
            continue
        at = min(len(raw[: end.start()].split()) - 1, len(words) - 1)
        half = max(1, len(words[at]) // 2)
        if words[at][:half].isalpha() and words[at][half:].isalpha():
            words[at] = words[at][:half] + end[0] + words[at][half:]
    return " ".join(words)
