"""Expressions of the project answer as the library's do, whatever the text."""

import random

import pytest
import re2

from stream_deid.text.linear import linear

PATTERNS = (
    "", "a*", r"\b\w+\b", r"(?P<x>\d+)(-(?P<y>\d+))?", "^a|b$", "(?i)é+|x", r"\pL{2,}", "(a)|(b)",
)  # fmt: skip
LETTERS = "ab12- x\nA"
BEYOND = LETTERS + "éÉñ\u200b\U0001f642"
LATIN = re2.Options()
LATIN.encoding = re2.Options.Encoding.LATIN1


def texts(letters):
    rng = random.Random(7)
    for _ in range(300):
        text = "".join(rng.choice(letters) for _ in range(rng.randrange(10)))
        yield text, rng.choice([0, 0, 1, 3, -1, 20]), rng.choice([None, None, 2, 5, 99, -2])


def said(match):
    if match is None:
        return None
    groups = range(len(match.groups()) + 1)
    places = [(match.span(i), match.start(i), match.end(i), match.group(i)) for i in groups]
    return places, match.groups(), match.groups("-"), match.groupdict(), match.string


def same(theirs, ours, text, pos, end):
    for way in ("search", "match", "fullmatch"):
        assert said(getattr(ours, way)(text, pos, end)) == said(
            getattr(theirs, way)(text, pos, end)
        )
    assert [*map(said, ours.finditer(text, pos, end))] == [
        *map(said, theirs.finditer(text, pos, end))
    ]
    assert ours.findall(text) == theirs.findall(text)
    assert ours.split(text) == theirs.split(text)


@pytest.mark.parametrize("letters", [LETTERS, BEYOND], ids=["ascii", "any"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_as_the_library(pattern, letters):
    for text, pos, end in texts(letters):
        same(re2.compile(pattern), linear(pattern), text, pos, end)


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p.isascii()])
def test_as_the_library_in_bytes(pattern):
    raw = pattern.encode()
    for text, pos, end in texts(LETTERS):
        same(re2.compile(raw, LATIN), linear(raw, LATIN), text.encode(), pos, end)


def test_a_group_has_its_name():
    match = linear(r"(?P<day>\d+)/(?P<month>\d+)?").search("on 3/")
    assert (match["day"], match.group("day"), match["month"]) == ("3", "3", None)
