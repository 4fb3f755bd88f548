"""No text, marked as no matter what, makes the surrogates raise: a note never ends a process."""

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stream_deid.errors import DeidError
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Known, Note, Part
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.surrogate.rewrite import rewrite

KEY = b"0123456789abcdef0123456789abcdef"
CHANGES: list[tuple[str, dict[str, object]]] = [
    ("expert-determination", {}),
    ("expert-determination", {"strategies": {"PATIENT": "markov(0.5)", "CITY": "random"}}),
    ("expert-determination", {"keep_weekday": True, "date_shift_days": [7, 36500]}),
    ("limited-data-set", {}),
    ("safe-harbor", {}),
]


def wherever_it_may_stand(strategy: str) -> Policy:
    """A policy that has one strategy for every type that takes it."""
    taken: dict[str, str] = {}
    for phi in PhiType:
        with suppress(DeidError):
            Policy.named("expert-determination", {"strategies": {phi.name: strategy}})
            taken[phi.name] = strategy
    assert taken
    return Policy.named("expert-determination", {"strategies": taken})


STRATEGIES = ("consistent", "markov(0.3)", "random", "generalise", "keep")
ENGINES = [Surrogates(Policy.named(name, changes), KEY) for name, changes in CHANGES]
ENGINES += [Surrogates(wherever_it_may_stand(strategy), KEY) for strategy in STRATEGIES]

DIGITS = st.text("0123456789 /.-:,'|OlI", min_size=1, max_size=24)
WORD_LIST = """
march marzo 31 febrero 30 feb 0 00 99999 2021 '21 1st 3rd segundo half quarter Q5 late early
christmas navidad easter pascua summer invierno lunes friday twenty dos mil of de del the el - / .
, º ª th 12th 2019-02-30 9999-12-31 0001-01-01 noon O1/l2/2O21
"""
WORDS = st.lists(st.sampled_from(WORD_LIST.split()), min_size=1, max_size=7).map(" ".join)
ANYTHING = st.text(min_size=1, max_size=60)
JOINTS = st.sampled_from(
    [" ", "", "+", "(+", "(+1 ", " 00", " 0056 ", "-", "/", "(", "#", "@", "'"]
)
DAYS = st.one_of(st.none(), st.dates(), st.sampled_from([date.min, date.max, date(2020, 2, 29)]))


@settings(max_examples=400)
@given(
    text=st.one_of(DIGITS, WORDS, ANYTHING),
    phi=st.one_of(st.just(PhiType.DATE), st.sampled_from(list(PhiType))),
    language=st.sampled_from(["en", "es"]),
    engine=st.sampled_from(ENGINES),
    day=DAYS,
    role=st.sampled_from(["", "birth_date", "family", "given", "middle"]),
    beside=st.one_of(ANYTHING, WORDS),
    joint=JOINTS,
)
@example("20230229", PhiType.DATE, "en", ENGINES[0], None, "", "x", " ")
@example("20210431", PhiType.DATE, "es", ENGINES[0], date.max, "birth_date", "3/4/1950", " ")
@example("12/31/1950", PhiType.DATE, "en", ENGINES[0], date(9999, 12, 31), "", "01/02/9999", " ")
@example("Easter 9999", PhiType.DATE, "en", ENGINES[0], date.min, "", "navidad 1", " ")
@example("(0", PhiType.PHONE, "en", ENGINES[0], None, "", "x", " (+1 ")
@example("567", PhiType.FAX, "es", ENGINES[0], None, "", "x", " 00")
def test_every_text_gets_a_replacement_or_a_tag(  # noqa: PLR0917 - hypothesis fills them in order
    text, phi, language, engine, day, role, beside, joint
):
    whole = f"{beside}{joint}{text}\n{beside}"
    start = len(beside + joint)
    findings = [
        Finding(start, start + len(text), phi, ("test",)),
        Finding(start + len(text) + 1, len(whole), PhiType.DATE, ("test",)),
    ]
    known = (Known(phi, beside), Known(PhiType.PATIENT, text, role="full"))
    note = Note("n", "p", (Part(whole, role=role),), language, known, written_on=day)
    (edits,) = engine.edits(note, [findings])
    assert rewrite(whole, edits)
    assert edits == engine.edits(note, [findings])[0]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("phi", list(PhiType))
def test_every_type_survives_the_shortest_and_strangest(phi, language):
    for text in ("0", "/", "\x00", "é", "️", "١٢", "ß", "İ", "\u200d", "..", "1/", "-1"):
        note = Note("n", "p", (Part(text),), language)
        try:
            ENGINES[0].edits(note, [[Finding(0, len(text), phi, ("test",))]])
        except DeidError as error:  # pragma: no cover - shown with its code where it happens
            pytest.fail(f"{phi} {text!r}: {error.code}")
