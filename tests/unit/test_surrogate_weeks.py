"""Weeks of the year move as weeks, days that are counted beside a date don't stay, and what counts
weeks of a pregnancy or a treatment does.
"""

import pytest
from test_surrogate_weekdays import released


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "3/15/2021: {epi week 11}, {EW 11/2021}, {MMWR week 11}, {W11 2021}, {wk 11/2021}"),
        ("en", "3/15/2021 ({week 11}); {KW 11}; {CW 11/2021}; {epi week 11/21}"),
        ("es", "15/03/2021: {SE 11}, {SE 11/2021}, {semana epidemiológica 11}, {sem. epi. 11}."),
        ("es", "15/03/2021 ({semana 11}); {SE 11 de 2021}; {semana 11 de 2021}; {sem 11/2021}."),
    ],
)  # fmt: skip
def test_a_week_of_the_year_moves_as_one(language, text):
    plain = text.replace("{", "").replace("}", "")
    made = released(plain, language)
    assert "11" not in made
    assert "[DATE]" not in made
    head = text.partition("{")[0].strip("( :;")
    for week in text.split("{")[1:]:
        word = week.partition("11")[0]
        assert word in made, head


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "IUP at week 11, gestational week 32, week 11 of treatment, Taxol wk 11/12."),
        ("en", "week 12 visit, EW 11 mm, week 3/6 of RT"),
        ("es", "Gestante en semana 11; semana 32 de embarazo; semana 11/40."),
    ],
)  # fmt: skip
def test_weeks_of_something_else_stay(language, text):
    assert released(text, language) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "15-iii-21 (day 74)"),
        ("en", "15-Mar-21 (day 74)"),
        ("en", "15 March 2021 (DOY 074)"),
        ("en", "Mar 15, 2021, day 74"),
        ("en", "day 74 = 3/15/2021"),
        ("es", "15 de marzo de 2021 (día 74)"),
    ],
)
def test_a_day_counted_beside_its_date_goes(language, text):
    assert "74" not in released(text, language)


@pytest.mark.parametrize("text", ["3/15/2021 (day 7)", "15-Mar-21 (day 75)", "3/15/2021, week 12"])
def test_other_counts_beside_a_date_stay(text):
    assert released(text).endswith(text[text.index("2") :][-4:])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Letter dated 0315, consent dated 031521, date of injury 03152021."),
        ("es", "Informe fechado 1503, carta con fecha 150321, fecha de ingreso: 15032021."),
    ],
)
def test_dates_in_figures_behind_a_word_move_in_figures(language, text):
    made = released(text, language)
    pieces = zip(text.split(), made.split(), strict=True)
    moved = [(old, new) for old, new in pieces if any(map(str.isdecimal, old))]
    assert all(old != new and len(old) == len(new) and "[" not in new for old, new in moved)
    assert released("Form dated 2019, Julian 45 yo") == "Form dated 2019, Julian 45 yo"
