"""A date or stamp in figures comes out as one, or as its year, whatever a model took it for."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.labels import PhiType
from stream_deid.note import Detection, Known, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import POLICIES, Policy

FORMS = {
    "2025-03-14": "%Y-%m-%d",
    "2025/03/14": "%Y/%m/%d",
    "14/03/2025": "%d/%m/%Y",
    "14-03-2025": "%d-%m-%Y",
    "14.03.2025": "%d.%m.%Y",
    "20250314093000": "%Y%m%d%H%M%S",
    "202503140930": "%Y%m%d%H%M",
    "20250314T093000": "%Y%m%dT%H%M%S",
    "2025-03-14T09:30": "%Y-%m-%dT%H:%M",
    "2025-03-14T09:30:00": "%Y-%m-%dT%H:%M:%S",
    "2025-03-14T09:30:00Z": "%Y-%m-%dT%H:%M:%SZ",
    "2025-03-14 09:30:00": "%Y-%m-%d %H:%M:%S",
}
T = PhiType
TAKEN_FOR = [None, T.MEDICALRECORD, T.IDNUM, T.PHONE, T.IPADDR, T.USERNAME, T.DATE]
BEFORE = {"en": "Taken at ", "es": "Tomado a "}


@dataclass(frozen=True)
class Taken:
    """A model that takes `[start, end)` for something."""

    start: int
    end: int
    type: PhiType

    def detect(self, _text: str, _note: Note) -> list[Detection]:
        return [Detection(self.start, self.end, self.type, "bert@1", 0.99)]


@cache
def surrogates(policy: str) -> Surrogates:
    return Surrogates(Policy.named(policy), b"0123456789abcdef")


@cache
def patterns(language: str) -> Patterns:
    return Patterns(language)


def shown(
    text: str, language: str, policy: str, *more: object, known: tuple[Known, ...] = ()
) -> str:
    setup = Language((patterns(language), *more), ())
    made = Pipeline({language: setup}, surrogates(policy), "t")
    note = Note("n", "p", (Part(text),), language, known=known)
    return made.finish(made.begin(note), ())[0].parts[0].text


def left(form: str, language: str, policy: str, kind: PhiType | None, size: int) -> str:
    before = BEFORE[language]
    more = [] if kind is None else [Taken(len(before), len(before) + size, kind)]
    text = shown(f"{before}{form}, all well.", language, policy, *more)
    return text.removeprefix(before).removesuffix(", all well.")


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("form", FORMS)
def test_a_stamp_stays_one_whatever_it_was_taken_for(form: str, language: str, policy: str) -> None:
    for kind in TAKEN_FOR:
        out = left(form, language, policy, kind, len(form))
        if policy == "safe-harbor":
            assert re.fullmatch(r"2025(?: 09:30:00)?", out), (kind, out)
        else:
            day = datetime.strptime(out, FORMS[form])  # noqa: DTZ007 - no zone is stated
            assert (day.date() == date(2025, 3, 14)) == (policy == "limited-data-set")
            assert (day.hour, day.minute) == ((9, 30) if "0930" in form or ":" in form else (0, 0))


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize(("form", "cut"), [("2025-03-14T09:30:00Z", 13), ("20250314093000", 10)])
def test_a_stamp_is_not_cut_within_its_time(form: str, cut: int, policy: str) -> None:
    for kind in (PhiType.DATE, PhiType.IDNUM):
        out = left(form, "es", policy, kind, cut)
        if policy == "safe-harbor":
            assert out == "2025"
        else:
            datetime.strptime(out, FORMS[form])  # noqa: DTZ007 - no zone is stated


@pytest.mark.parametrize("number", ["20251314093000", "20250314", "20250314-0937", "2025-03-14-77"])
def test_what_is_no_stamp_stays_the_number_that_it_was_found_to_be(number: str) -> None:
    out = left(number, "en", "safe-harbor", PhiType.IDNUM, len(number))
    assert len(out) == len(number)
    assert out != number


def test_a_number_of_the_record_that_looks_like_a_stamp_stays_a_number() -> None:
    number = "20250314093000"
    known = (Known(PhiType.MEDICALRECORD, number),)
    text = shown(f"Filed as {number}.", "en", "safe-harbor", KnownIdentifiers(), known=known)
    assert "2025" not in text
