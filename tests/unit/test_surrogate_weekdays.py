"""A day of the week that stands beside a moved date moves with it; a habit stays."""

import re
from datetime import date, timedelta

import pytest
from marked_spans import finding, place

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part
from stream_deid.surrogate import rewrite
from stream_deid.surrogate.dates import day_letters
from stream_deid.surrogate.dates.weekdays import ANY_DAY, alone, beside, following
from tests.unit.surrogate_helpers import surrogates

DAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
}


def released(text, language="en", patient="patient-1", policy="expert-determination"):
    note = Note("note-1", patient, (Part(text),), language, written_on=date(2021, 3, 20))
    found = vote(text, Patterns(language).detect(text, note))
    (edits,) = surrogates(policy).edits(note, [found])
    return rewrite(text, edits)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("seen 3/15/2021 (Monday) at noon", ["Monday"]),
        ("seen 3/15/2021 08:00 Mon", ["Mon"]),
        ("on Monday 3/15/2021", ["Monday"]),
        ("since 3/15/2021, dialysis Tuesday and Friday", []),
        ("Monday's visit of 3/15/2021", ["Monday"]),
        ("Monday clinic note, 3/15/2021", ["Monday"]),
        ("3/15/2021, which was a Monday", ["Monday"]),
        ("Day: Monday\nDate: 3/15/2021", ["Monday"]),
        ("Date: 3/15/2021\nDay of week: Monday", ["Monday"]),
        ("Tuesday's visit of 3/15/2021", []),
        ("sat on the visit of 3/15/2021", []),
        ("3/15/2021 sat 95 %", []),
        ("3/15/2021 mon: 4", []),
    ],
)
def test_days_beside_a_date(text, days):
    found = beside(text, place(text, "3/15/2021"), "en", 0)
    assert [text[a:b] for a, b in found] == days


@pytest.mark.parametrize("patient", ["a", "b", "c", "d", "e", "f"])
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Seen 3/15/2021 (Monday)."),
        ("en", "Monday 03-15-2021 08:00 arrived"),
        ("en", "03/15/2021 - Monday: stable"),
        ("en", "After Monday's visit of 03/15/2021 well"),
        ("en", "Seen 03/15/2021, which was a Monday."),
        ("es", "El lunes por la tarde, día 15/03/2021, acude."),
        ("es", "Ingresa 15/03/2021, que era lunes."),
        ("es", "Acude el 15/03/2021 (lunes)."),
    ],
)
def test_the_day_shown_is_that_of_the_date_shown(language, text, patient):
    shown = released(text, language, patient)
    first, second, year = map(int, re.search(r"(\d+)[-/](\d+)[-/](\d{4})", shown).groups())
    day = date(year, second, first) if language == "es" else date(year, first, second)
    assert DAYS[language][day.weekday()].casefold() in shown.casefold()
    assert ("08:00" in shown) == ("08:00" in text)


def test_where_the_year_alone_is_shown_the_day_goes():
    assert "Monday" not in released("Seen 3/15/2021 (Monday).", policy="safe-harbor")


def test_habits_stay():
    text = "Dialysis Monday, Wednesday and Friday since 3/15/2021."
    assert released(text).startswith("Dialysis Monday, Wednesday and Friday since")


def offset_of(note):
    """How far the dates of a note's patient move."""
    text = note.written_on.isoformat()
    whole = Note(
        "note-2", note.patient_id, (Part(text),), note.language, written_on=note.written_on
    )
    (((edit),),) = surrogates("expert-determination").edits(
        whole, [[Finding(0, len(text), PhiType.DATE, ("test@1",))]]
    )
    return date.fromisoformat(edit.replacement) - note.written_on


LETTERS = {"en": ["M", "T", "Tu", "W", "Th", "R", "F", "Sa", "S", "Su", "U", "TH", "Mo", "We"],
           "es": ["L", "M", "X", "J", "V", "S", "D", "Ju"]}  # fmt: skip


@pytest.mark.parametrize("form", ["{} {}", "{}, {}", "seen ({} {})", "{1} ({0}) seen", "{}. {}"])
@pytest.mark.parametrize(
    ("language", "letter"), [(code, one) for code in LETTERS for one in LETTERS[code]]
)
def test_a_letter_beside_a_date_is_that_of_the_date_shown(language, letter, form):
    for ahead in range(0, 700, 100):
        day = next(
            day for day in (date(2020, 1, 1) + timedelta(ahead + n) for n in range(7))
            if day.weekday() in day_letters.days_of(letter, language)
        )  # fmt: skip
        written = f"{day.day}/{day.month}" if language == "es" else f"{day.month}/{day.day}"
        text = form.format(letter, written) + "."
        found = finding(text, written, PhiType.DATE)
        note = Note("note-1", f"patient-{ahead}", (Part(text),), language, written_on=day)
        (edits,) = surrogates("expert-determination").edits(note, [[found]])
        shown = rewrite(text, edits)
        first, second = map(int, re.search(r"(\d+)/(\d+)", shown).groups())
        month, of_month = (second, first) if language == "es" else (first, second)
        moved = offset_of(note)
        assert (day + moved).month == month
        assert (day + moved).day == of_month
        (made,) = [word for word in re.findall(r"[A-Za-z]+", shown) if word != "seen"]
        assert (day + moved).weekday() in day_letters.days_of(made, language), (text, shown)


@pytest.mark.parametrize(
    "text", ["67 F 3/5", "T 101.2 F 3/5", "M 3/5", "IM 3/5", "a W/3/5", "f 3/5"]
)
def test_other_letters_stay(text):
    """2 March 2021, to which the note belongs, was a Tuesday; 5 March a Friday."""
    found = finding(text, "3/5", PhiType.DATE)
    note = Note("note-1", "patient-1", (Part(text),), "en", written_on=date(2021, 3, 2))
    (edits,) = surrogates("expert-determination").edits(note, [[found]])
    assert rewrite(text, edits)[: found.start] == text[: found.start]


@pytest.mark.parametrize("text", ["curas L 6/3 y V 8/3", "curas 6/3 y V 8/3", "curas 12, V 8/3"])
def test_a_letter_behind_another_date_moves_too(text):
    """8 March 2024 was a Friday; "y" is no year of an age."""
    found = finding(text, "8/3", PhiType.DATE)
    note = Note("note-1", "patient-1", (Part(text),), "es", written_on=date(2024, 3, 1))
    (edits,) = surrogates("expert-determination").edits(note, [[found]])
    assert len(edits) == 2, rewrite(text, edits)


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "She was admitted Thursday by", "Thursday"),
        ("en", "fever on Sunday evening", "Sunday"),
        ("es", "ingresada el jueves por", "jueves"),
        ("en", "bath every Tuesday", ""),
        ("en", "dialysis Monday and Thursday", ""),
        ("en", "Monday through Friday", ""),
        ("en", "Mondays", ""),
        ("en", "Ash Wednesday", ""),
        ("es", "los martes", ""),
        ("en", "labs tues, then home", "tues"),
        ("en", "seen Fri am by team", "Fri"),
        ("en", "fever Wed. night, better", "Wed"),
        ("es", "peor el jue. tarde", "jue"),
        ("en", "to rehab by Thurs pm", "Thurs"),
        ("en", "HD tues thurs sat", ""),
        ("es", "cita el miérc", "miérc"),
        ("es", "lunes, miércoles y viernes", ""),
    ],
)
def test_one_day_alone_moves_in_both_languages_and_a_habit_stays(language, text, day):
    assert [text[a:b] for a, b in alone(text, language)] == [day] * bool(day)


def test_a_day_alone_moves_as_the_dates_do():
    shown = released("Seen 3/15/2021. She was admitted Thursday.")
    month, first, year = map(int, re.search(r"(\d+)/(\d+)/(\d{4})", shown).groups())
    apart = (date(year, month, first) - date(2021, 3, 15)).days
    assert DAYS["en"][(3 + apart) % 7] in shown


def test_the_letter_behind_a_date_follows_it():
    dates = [((3, 7), 100, ANY_DAY), ((16, 20), 102, ANY_DAY)]
    assert [day for _, day in following("PT 3/10 M - TUG 3/12 W - TUG", dates, "en")] == [0, 2]
    assert list(following("PT 3/10 M - TUG 3/12 F - TUG", dates, "en")) == []
    assert list(following("PT 3/10 M - TUG", [((3, 7), 100, 2)], "en")) == []
    assert list(following("PT 3/10 M - TUG", [((3, 7), 100, 0)], "en")) == [((8, 9), 0)]
    assert list(following("PT 3/10 S arm", [((3, 7), 100, 5)], "en")) == []
