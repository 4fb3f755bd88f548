"""What a record states is replaced in every form by another thing, a day by one for all forms."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.residue import Stated
from stream_deid.detect.record.stated_days import StatedDays
from stream_deid.labels import PhiType as T
from stream_deid.note import Edit, Finding, Known, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate import checks
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.canonical import canonical
from stream_deid.text.view import View

FORMS = (
    "{m}/{d}/{y}", "{m:02}:{d:02}:{y}", "{m},{d},{y}", "{m}|{d}|{y}", "{y}\u5e74{m}\u6708{d}\u65e5",
    "{y}-{m:02}-{d:02}", "{m:02} {d:02} {y}", "{m}\\{d}\\{y}", "{y},{m},{d}", "{m} , {d} , {y}",
    "{m}*{d}*{y}", "{y}\ub144 {m}\uc6d4 {d}\uc77c",
)  # fmt: skip
DAYS = st.dates(date(1940, 1, 1), date(2020, 12, 31))
SURROGATES = Surrogates(Policy.named(), b"0123456789abcdef")
PIPELINE = Pipeline({"en": Language((Patterns("en"), KnownIdentifiers()), ())}, SURROGATES, "test")


def shown(text: str, *known: Known) -> str:
    note = Note("n", "p", (Part(text),), "en", known=known, written_on=date(2025, 3, 14))
    return PIPELINE.finish(PIPELINE.begin(note), ())[0].parts[0].text


@settings(max_examples=40, deadline=None)
@given(day=DAYS, form=st.sampled_from(FORMS))
def test_a_birth_moves_as_far_in_every_form(day: date, form: str) -> None:
    known = Known(T.DATE, day.isoformat(), role="birth_date")
    first = date.fromisoformat(shown(f"Born {day.isoformat()} here", known)[5:15])
    made = shown(f"It says {form.format(y=day.year, m=day.month, d=day.day)} there", known)
    assert "[DATE]" in made or list(StatedDays([first.isoformat()]).spans(View(made)))
    assert first - day != timedelta(0)


VALUES = {
    T.PATIENT: "Mary-Ann Whitcombe", T.DOCTOR: "O'Brien", T.MEDICALRECORD: "4081-7263",
    T.PHONE: "(612) 555-0148", T.IDNUM: "AB12C345", T.ZIP: "55804-1234",
    T.STREET: "48 Kettering Ln",
    T.CITY: "Duluth", T.USERNAME: "hwhitcombe", T.EMAIL: "h.whitcombe@lake.org",
    T.DATE: "04:09:1951",
    T.HOSPITAL: "Lakeview Hospital", T.SSN: "123-45-6789", T.ACCOUNT: "00 448 291",
}  # fmt: skip


@pytest.mark.parametrize("phi", VALUES)
@settings(max_examples=15, deadline=None)
@given(patient=st.text("abcdef0123456789", min_size=1, max_size=8))
def test_nothing_is_replaced_by_itself_in_another_grouping(phi: T, patient: str) -> None:
    text = VALUES[phi]
    note = Note("n", patient, (Part(text),), "en", written_on=date(2025, 3, 14))
    for edit in SURROGATES.edits(note, [[Finding(0, len(text), phi, ("x",))]])[0]:
        whole = text[edit.finding.start : edit.finding.end]
        assert canonical(edit.replacement) != canonical(whole)


@pytest.mark.parametrize("made", ["40817263", "4081 7263", "4081-7263"])
def test_another_grouping_is_no_replacement(made: str) -> None:
    assert not checks.sound("4081-7263", made)


@pytest.mark.parametrize(
    ("known", "text", "made"),
    [
        (Known(T.DATE, "1951-04-09", role="birth_date"), "04:09:1951", "04:09:1951"),
        (Known(T.MEDICALRECORD, "4081-7263"), "4081-7263", "40817263"),
        (Known(T.PATIENT, "Whitcombe", role="family"), "Whitcombe", "WHITCOMBE"),
    ],
)
def test_the_last_look_sees_an_edit_that_changes_nothing(
    known: Known, text: str, made: str
) -> None:
    stated = Stated((known,), lambda _: True)
    finding = Finding(3, 3 + len(text), T.OTHER, ("x",))
    edits = [Edit(finding, made, "keep", 3, 3 + len(made))]
    assert stated.standing(f"is {text} there", edits)
    assert not stated.standing(f"is {text} there", [Edit(finding, "gone", "tag", 3, 7)])
