"""What makes a person over 89 is generalised, also where nothing says when it was written."""

import re
from datetime import date

import pytest

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.note import Note, Part
from stream_deid.surrogate import rewrite
from stream_deid.surrogate.demographics.ages import age, years
from tests.unit.surrogate_helpers import surrogates


def released(text, language="en", policy="expert-determination", written_on=None):
    note = Note("note-1", "patient-1", (Part(text),), language, written_on=written_on)
    found = vote(text, Patterns(language).detect(text, note))
    (edits,) = surrogates(policy).edits(note, [found])
    return rewrite(text, edits)


POLICIES = ("expert-determination", "safe-harbor")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "DOB 3/4/31"), ("en", "born 03-04-29"), ("en", "Date of birth: 3/4/1931"),
        ("en", "born in 1931"), ("es", "Fecha de nacimiento 04/03/31"), ("es", "FN 4/3/31"),
        ("es", "Nacido en 1931"), ("en", "Born 3/4/1931. Surgery 5/6/1940"),
        ("en", "Age 93, DOB 3/4/31"), ("en", "101 yo, DOB 3/4/25"),
    ],
)  # fmt: skip
def test_a_birth_of_the_very_old_is_generalised_without_any_time_stamp(policy, language, text):
    made = released(text, language, policy)
    assert "1931" not in made
    birth = re.search(r"\d{1,2}[/-]\d{1,2}[/-](\d{2,4})|\b(19\d\d|20\d\d)\b", made)
    year = (birth[1] or birth[2])[-2:]
    assert 35 <= int(year) <= 41, made


def test_an_age_beside_it_says_when_a_note_was_written():
    """A note whose only other date lies decades back was not written then."""
    made = released("Age 93, DOB 3/4/1931. Surgery 5/6/1995.")
    assert not re.search(r"DOB \d+/\d+/193[0-2]", made), made


def test_the_birth_of_the_young_moves_as_it_did():
    text = "3 day old, DOB 3/4/25. Great-grandmother is 95."
    made = released(text, written_on=date(2025, 3, 7))
    assert re.search(r"DOB \d+/\d+/2[456]\b", made), made


@pytest.mark.parametrize("units", ["months", "mo", "weeks", "days", "hours", "meses", "días"])
def test_ages_in_smaller_units_are_capped_in_them(units):
    per = {"m": 12, "w": 52.1775, "d": 365.2425, "h": 8765.82}[units[0]]
    scope = surrogates()._root
    for old in (89, 90, 93, 104):
        text = f"{int(old * per) + 5} {units}"
        for value, after in ((text, ""), (text.split(maxsplit=1)[0], f" {units} old")):
            made, how = age(
                value, scope, language="en", over="generalise", under="keep", after=after
            )
            assert years(value, after) == old
            assert (how, made == value) == (("keep", True) if old < 90 else ("generalise", False))
            if old >= 90:
                assert made.startswith(f"{int(90 * per)}+")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("language", "text", "least"),
    [
        ("en", "DOB '31", 35), ("en", "93 yo man b. 1931 with CHF", 1934),
        ("en", "Age 93, DOB 1931.", 1934), ("es", "F. Nac.: 1931", 1938),
        ("en", "She was 25 in 1956.", 1960), ("es", "Tenía 25 años en 1956.", 1960),
        ("en", "Married 1951.", 1954), ("en", "Navy 1943-1945.", 1954),
        ("es", "Se casó en 1951.", 1954), ("en", "Polio in 1932.", 1938),
    ],
)  # fmt: skip
def test_years_that_tell_of_the_very_old_are_generalised(policy, language, text, least):
    made = released(text, language, policy)
    years = [int(n) for n in re.findall(r"(?:19|20)\d\d|(?<=')\d\d", made)]
    assert years, made
    assert min(years) >= least, made


@pytest.mark.parametrize(
    "text",
    [
        "NPO since 2000, BP stable until 2030.", "Infused in 1900 mL.", "From 1950 mg to 2000 mg.",
        "WBC 1930, weight 1940 g.", "follow up in 2 years", "for 14 months", "1900 kcal diet",
    ],
)  # fmt: skip
def test_what_is_no_year_stays(text):
    assert released(text) == text


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("language", "text", "made"),
    [
        ("en", "95½ y.o. man", "90+ y.o. man"), ("en", "95.5 yo", "90+ yo"),
        ("en", "95 1/2 years old", "90+ years old"), ("en", "Age 95-1/2", "Age 90+"),
        ("en", "ninety-five and a half years old", "90+ years old"),
        ("en", "In her mid-nineties.", "In her 90+."), ("en", "in his late 90s", "in his 90+"),
        ("en", "celebrated his 100th", "celebrated his 90+"), ("en", "aged 90-94", "aged 90+"),
        ("en", "She is over 95 years.", "She is over 90+ years."),
        ("es", "Paciente de 95 años y medio.", "Paciente de 90+ años."),
        ("es", "Tiene noventa y pico años.", "Tiene 90+ años."),
        ("es", "pasados los noventa", "pasados los 90+"),
        ("es", "cumplió los cien", "cumplió los 90+"),
    ],
)  # fmt: skip
def test_nothing_behind_a_great_age_tells_it_again(policy, language, text, made):
    """No fraction, no decade, no second number of it."""
    assert released(text, language, policy) == made


@pytest.mark.parametrize(
    "text", ["85½ y.o. man", "85 1/2 years old", "took 1½ tablets", "moved in the late 90s"]
)
def test_fractions_of_other_numbers_stay(text):
    assert released(text) == text


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "text",
    [
        "DOB 3/15/1960, age 61. Seen 4/1/2021.", "DOB 3/15/1960 (at age 61) seen 4/1/2021",
        "Born in 1960, age 61, seen 4/1/2021", "Navy veteran, DOB 3/15/1940. Seen 4/1/2021.",
        "Married, born in 1940; seen 4/1/2021",
    ],
)  # fmt: skip
def test_an_age_or_an_event_beside_a_birth_is_not_of_the_day_of_birth(policy, text):
    made = released(text, policy=policy)
    years_shown = [int(year) for year in re.findall(r"\b\d{4}\b", made)]
    years_stated = [int(year) for year in re.findall(r"\b\d{4}\b", text)]
    assert abs(years_shown[0] - years_stated[0]) <= 1


@pytest.mark.parametrize("policy", POLICIES)
def test_an_age_over_89_moves_no_date_of_the_days_on_which_the_note_was_written(policy):
    made = released("Admitted 4/1/2021 at age 92. CT on 4/2/2021.", policy=policy)
    first, second = re.findall(r"\b20\d\d\b", made)
    assert first == second
    told = released("Fell 4/1/2010 at age 92. CT on 4/2/2021.", policy=policy)
    fell, seen = (int(year) for year in re.findall(r"\b20\d\d\b", told))
    assert "92" not in told
    assert seen - fell == 1
