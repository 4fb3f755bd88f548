"""Short days of the week: what a model took for a person, and what stands by itself."""

from __future__ import annotations

from datetime import date

import pytest
from surrogate_helpers import edits_of, surrogates

from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate import rewrite
from stream_deid.surrogate.dates import weekdays

DAYS = {"en": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        "es": ["lun", "mar", "mié", "jue", "vie", "sáb", "dom"]}  # fmt: skip


@pytest.mark.parametrize("patient", range(8))
@pytest.mark.parametrize(
    ("language", "day", "before", "after"),
    [("en", "Wed", "\n", ": walked"), ("en", "Tue", "seen on ", " by PT"),
     ("en", "Fri", "", " 5/3"), ("en", "Wed", "plan for ", " was changed"),
     ("es", "jue", "\n", ": fiebre"), ("es", "vie", "el ", " alta"),
     ("es", "mié", "y ", " bien"), ("es", "lun", "", " 3/5")],
)  # fmt: skip
def test_a_short_day_that_a_model_took_for_a_person_is_a_day(language, day, before, after, patient):
    text = f"{before}{day}{after}"
    found = Finding(len(before), len(before) + len(day), PhiType.DOCTOR, ("test@1",))
    written = date(2024, 5, 5)
    note = Note("n", f"patient-{patient}", (Part(text),), language, written_on=written)
    (edits,) = surrogates().edits(note, [[found]])
    made = rewrite(text, edits)[len(before) :]
    stamp = edits_of(surrogates(), [("DATE", "2024-05-05")], patient=f"patient-{patient}",
                     written_on=written)[0].replacement  # fmt: skip
    moved = (date.fromisoformat(stamp) - written).days
    place = [name.lower() for name in DAYS[language]].index(day.lower())
    shown = DAYS[language][(place + moved) % 7]
    unsure = before in {"plan for ", "y "} or day == "jue"  # a surname too
    tagged = moved % 7 == 0 and unsure
    assert made.startswith("[DATE]" if tagged else shown)


@pytest.mark.parametrize(
    ("language", "said", "days"),
    [("es", "Hoy Lunes", "lunes martes miércoles jueves viernes sábado domingo"),
     ("en", "Today, Monday", "monday tuesday wednesday thursday friday saturday sunday")],
)  # fmt: skip
def test_a_day_told_from_that_of_the_note_is_nobody(language, said, days):
    found = Finding(0, len(said), PhiType.DOCTOR, ("test@1",))
    note = Note("n", "p", (Part(f"{said} mejor"),), language, written_on=date(2024, 5, 6))
    ((one,),) = surrogates().edits(note, [[found]])
    assert one.finding.type is PhiType.DATE
    opening, _, day = one.replacement.rpartition(" ")
    assert (opening, day.lower() in days.split()) == (said.rpartition(" ")[0], True)


@pytest.mark.parametrize(
    ("text", "value", "others"),
    [("Dr. Wed called", "Wed", ()), ("Dra. Jue informa", "Jue", ()),
     ("Wed: in. Seen by Amy Wed today", "Wed", ("Amy Wed",)), ("he was wed here", "wed", ())],
)  # fmt: skip
def test_a_short_day_that_somebody_is_called_by_is_a_name(text, value, others):
    spans = [text.index(value), *(text.index(other) for other in others)]
    ends = [spans[0] + len(value), *(text.index(other) + len(other) for other in others)]
    found = [Finding(a, b, PhiType.DOCTOR, ("test@1",)) for a, b in zip(spans, ends, strict=True)]
    language = "es" if "informa" in text else "en"
    note = Note("n", "p", (Part(text),), language, written_on=date(2024, 5, 5))
    (edits,) = surrogates().edits(note, [found])
    assert edits[0].finding.type is PhiType.DOCTOR
    assert edits[0].replacement.lower() not in {d.lower() for days in DAYS.values() for d in days}


@pytest.mark.parametrize(
    ("language", "text", "moving"),
    [("en", "Wed: walked. Thurs: PT", ["Wed", "Thurs"]), ("en", "home on Fri or so", ["Fri"]),
     ("es", "jue: fiebre. El vie alta", ["jue", "vie"]), ("en", "HD Mon, Wed, Fri", []),
     ("en", "Mon: 5 mg Tue: rest", []), ("es", "los jue y los vie", []), ("en", "he was wed", []),
     ("es", "diálisis lun y jue", [])],
)  # fmt: skip
def test_short_days_that_say_so_move(language, text, moving):
    assert [text[a:b] for a, b in weekdays.alone(text, language)] == moving
