"""What English notes of many places showed when they were read raw against clean."""

import pytest
from surrogate_helpers import replaced, surrogates

from stream_deid.detect.neural.misnamed import misnamed
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.detect.settle.boundaries.columns import by_columns
from stream_deid.detect.words.namesakes import namesake
from stream_deid.detect.words.terms import surely_a_term
from stream_deid.labels import PhiType as T
from stream_deid.note import Detection, Finding, Note, Part, Span
from stream_deid.surrogate.names.written import before_age


def place(text, value):
    start = text.index(value)
    return start, start + len(value)


@pytest.mark.parametrize(
    ("text", "value", "stays"),
    [
        ("bill 6500, paid 4000", "6500", True),
        ("bill 6500, paid 4000", "4000", True),
        ("fee Rs. 12,500/-", "12,500/-", True),
        ("received 850 USD", "850", True),
        ("bill #6500", "6500", False),
        ("bill no 65001", "65001", False),
        ("paid by card 65001234", "65001234", False),
    ],
)
def test_an_amount_of_money_is_nobodys_number(text, value, stays):
    assert harmless(text, *place(text, value), T.IDNUM) is stays


@pytest.mark.parametrize(
    ("text", "marked", "names"),
    [
        ("SURNAME HARDCASTLE FORENAME WILFRED SEX M", "HARDCASTLE FORENAME WILFRED",
         ["HARDCASTLE", "WILFRED"]),
        ("SURNAME HARDCASTLE FORENAME WILFRED", "HARDCASTLE FORENAME", ["HARDCASTLE"]),
        ("Last name Oakes First name: Mary", "Oakes First name: Mary", ["Oakes", "Mary"]),
        ("Wilfred Surnamer seen", "Wilfred Surnamer", ["Wilfred Surnamer"]),
    ],
)  # fmt: skip
def test_the_label_between_two_parts_of_a_name_is_none(text, marked, names):
    one = Detection(*place(text, marked), T.PATIENT, "bert_en@9", 0.9)
    assert [text[cut.start : cut.end] for cut in by_columns(text, [one])] == names


def test_what_is_stopped_behind_dc_is_a_thing():
    assert namesake("DC Foley today", 3, 8, T.DOCTOR)
    assert not namesake("Dr Foley today", 3, 8, T.DOCTOR)


@pytest.mark.parametrize("word", ["Igbo", "Métis", "Yoruba", "Muslim"])
def test_peoples_and_confessions_are_nobody(word):
    text = f"31 yrs, {word}, trader"
    assert surely_a_term(text, *place(text, word), T.PATIENT)


@pytest.mark.parametrize(
    ("text", "before", "kept"),
    [
        ("Zion 7", "(34) & kids ", (0, 4)),
        ("Zion 7", "bed list: ", None),
        ("Zion 47", "kids ", None),
    ],
)
def test_the_age_of_a_child_behind_its_name_stays(text, before, kept):
    assert before_age(text, before) == kept


def test_letters_that_spell_a_name_spell_its_surrogate():
    (made,) = replaced(surrogates(), [("PATIENT", "tully hargreaves t u l l y")])
    first, second, *letters = made.split()
    assert "".join(letters) == first != "tully"
    assert second != "hargreaves"


def test_a_house_whose_words_may_be_a_name_gets_another_and_no_tag():
    text = "18:02 Augusta Med ED, RN"
    start, end = place(text, "Augusta Med ED")
    rival = Span(start, end, T.DOCTOR)
    one = Finding(start, end, T.HOSPITAL, ("bert_en@9",), 0.7, "", (rival,))
    note = Note("n", "p", (Part(text),), "en")
    ((edit,),) = surrogates().edits(note, [[one]])
    assert "[" not in edit.replacement
    assert "Med" not in edit.replacement


@pytest.mark.parametrize("value", ["st6", "CT 2", "FY1"])
def test_a_grade_of_staff_is_no_house(value):
    assert misnamed(f"sam okafor {value}", 11, 11 + len(value), T.HOSPITAL)
    assert not misnamed("at St 66", 3, 8, T.HOSPITAL)


@pytest.mark.parametrize(
    ("shown", "others"),
    [("VIC", "NSW QLD SA TAS ACT NT"), ("BC", "AB MB NB NL NS ON PE QC SK")],
)
def test_a_state_abroad_becomes_one_of_its_country(shown, others):
    assert replaced(surrogates(), [("STATE", shown)])[0] in others.split()
