"""Of twice as many identifiers, none of them twice, no line of the surrogates runs much more than
twice as often: counted, not timed, so that a search of all others shows on a handful.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from line_counts import grown, lines

import stream_deid.surrogate
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

T = PhiType
HERE = Path(stream_deid.surrogate.__file__).parent
SURROGATES = Surrogates(Policy.named(), b"0123456789abcdef")
FEW = 24
AT_MOST = 2.6
OFTEN = 100  # times for each of a type; what runs less often is drawn again where a name is taken
SYLLABLES = [c + v for c in "bdfgklmnprtvz" for v in "aeiou"]


def word(rng: random.Random) -> str:
    return "".join(rng.sample(SYLLABLES, 3)).title()


def digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choices("0123456789", k=count))


def number(rng: random.Random) -> str:
    """One of four or five digits, or a long one."""
    return digits(rng, rng.choice((4, 5, 9)))


WRITTEN: dict[PhiType, Callable[[random.Random], str]] = {
    T.PATIENT: lambda r: f"Mar{word(r).lower()} {word(r)}",
    T.DOCTOR: lambda r: f"{word(r)} {word(r)}",
    T.RELATIVE: word,
    T.HOSPITAL: lambda r: f"{word(r)} Hospital",
    T.ORGANIZATION: lambda r: f"{word(r)} {word(r)} Inc",
    T.STREET: lambda r: f"{digits(r, 3)} {word(r)} Street",
    T.CITY: lambda r: f"{word(r)}ville",
    T.ZIP: lambda r: digits(r, 5),
    T.DATE: lambda r: f"{r.randint(1, 12)}/{r.randint(1, 28)}/{r.randint(1900, 2090)}",
    T.PHONE: lambda r: f"{r.randint(201, 989)}-{digits(r, 3)}-{digits(r, 4)}",
    T.EMAIL: lambda r: f"mar{word(r)}@{word(r)}.com".lower(),
    T.URL: lambda r: f"http://{word(r)}.com/mar{word(r)}".lower(),
    T.USERNAME: lambda r: f"mar{word(r)}{digits(r, 2)}".lower(),
    T.AGE: lambda r: str(r.randint(1, 99)),
    T.IPADDR: lambda r: f"10.{digits(r, 2)}.{digits(r, 2)}.{digits(r, 2)}",
}


def note(types: list[PhiType], count: int, language: str) -> tuple[Note, list[list[Finding]]]:
    """A note of so many identifiers of each type; numbers end as others do, names begin alike."""
    rng = random.Random(5)
    text, found = "", []
    for phi in types * count:
        value = WRITTEN.get(phi, number)(rng)
        text += "saw "
        found.append(Finding(len(text), len(text) + len(value), phi, ("test@1",)))
        text += f"{value}, then. "
    return Note("n", "p", (Part(text),), language), [found]


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_line_runs_more_often_than_there_is_more_to_do(language: str) -> None:
    types = list(PhiType)
    few, many = (note(types, n, language) for n in (FEW, 2 * FEW))
    SURROGATES.edits(*many)  # what is made of the lists once
    before, after = (lines(lambda at=at: SURROGATES.edits(*at), HERE) for at in (few, many))
    assert not grown(before, after, AT_MOST, OFTEN * 2 * FEW)
