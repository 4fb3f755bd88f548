"""Names behind spoken titles: what speech recognition writes, and what follows the common noun."""

import pytest

from stream_deid.detect.patterns import Patterns

PATTERNS = Patterns("en")


def names(text: str) -> list[str]:
    found = PATTERNS.detect(text)
    return [text[d.start : d.end] for d in found if d.detector == "name-spoken@1"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("okay this is doctor o conner dictating", "o conner"),
        ("copy to doctor tee garden at the clinic", "tee garden"),
        ("see mister pace in four", "pace"),
        ("doctor chen thinks so", "chen"),
        ("miz frost will call us", "frost"),
        ("call doctor may from palliative", "may"),
        ("and missus day called back", "day"),
    ],
)
def test_a_word_behind_a_title_is_a_name(text: str, name: str) -> None:
    assert [one.split()[0] for one in names(text)] == [name.split(maxsplit=1)[0]]
    if name != "may from":
        assert names(text) == [name]


@pytest.mark.parametrize(
    "text",
    ["the doctor said no", "my eye doctor thinks it is fine", "doctor visits were weekly",
     "ask your doctor about it", "doctor ordered labs", "no doctor who knows her"],
)  # fmt: skip
def test_the_common_noun_names_nobody(text: str) -> None:
    assert names(text) == []
