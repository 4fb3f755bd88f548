"""Known identifiers in free text: what must be found, and what must be left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.labels import PhiType as T
from stream_deid.note import Known, Note, Part

RECORD = (
    Known(T.PATIENT, "Smith", role="family"),
    Known(T.PATIENT, "Jonathan", role="given"),
    Known(T.PATIENT, "Paul", role="middle"),
    Known(T.PATIENT, "Rose O'Leary-Nuñez", person="kin:1", role="full"),
    Known(T.DOCTOR, "Ng", person="doctor:1", role="family"),
    Known(T.DOCTOR, "Ky", person="doctor:1", role="given"),
    Known(T.DATE, "1951-03-04", role="birth_date"),
    Known(T.MEDICALRECORD, "00-41-8827"),
    Known(T.PHONE, "(478) 946-0225"),
    Known(T.STREET, "12 Old Mill Rd"),
)


def found(text, known=RECORD):
    note = Note("n", "p", (Part(text),), "en", known)
    hits = KnownIdentifiers().detect(text, note)
    return {(text[d.start : d.end], d.type) for d in hits}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "SMITH, JONATHAN P seen",
            {("SMITH", T.PATIENT), ("JONATHAN", T.PATIENT), ("P", T.PATIENT)},
        ),
        ("jonathan smith's wife", {("jonathan", T.PATIENT)} | {("smith", T.PATIENT)}),
        ("spoke with Jonathon today", {("Jonathon", T.PATIENT)}),
        ("J. Smith called", {("J", T.PATIENT), ("Smith", T.PATIENT)}),
        ("Jonny took his pills", {("Jonny", T.PATIENT)}),
        ("Jon took his pills", {("Jon", T.PATIENT)}),
        ("seen by Ng", {("Ng", T.DOCTOR)}),
        ("sister Rose Nunez visits", {("Rose", T.PATIENT), ("Nunez", T.PATIENT)}),
        ("Mrs. O'Leary visits", {("O'Leary", T.PATIENT)}),
        ("b. 3/4/51", {("3/4/51", T.DATE)}),
        ("born March 4th, 1951.", {("March 4th, 1951", T.DATE)}),
        ("nacido el 4 de marzo de 1951", {("4 de marzo de 1951", T.DATE)}),
        ("mrn 418827 and 0041 8827", {("418827", T.MEDICALRECORD), ("0041 8827", T.MEDICALRECORD)}),
        ("ring 478.946.0225", {("478.946.0225", T.PHONE)}),
        ("lives at 12 OLD MILL RD.", {("12 OLD MILL RD", T.STREET)}),
        ("NG tube placed", set()),
        ("bp rose to 150, she rose early", set()),
        ("Rose to standing with help", set()),
        ("Pt JS is well; JS Bach", {("JS", T.PATIENT)}),
        ("Rose's inhaler is new. Rose’s son", {("Rose", T.PATIENT)}),
        ("ROSE'S inhaler", set()),
        ("", set()),
    ],
)
def test_record_in_text(text, values):
    assert found(text) == values


def test_zero_width_and_accents_do_not_hide():
    assert found("Jona\u200bthan Núñez") >= {("Jona\u200bthan", T.PATIENT), ("Núñez", T.PATIENT)}


@given(st.text(max_size=80))
def test_any_text_in_bounds(text):
    note = Note("n", "p", (Part(text),), "en", RECORD)
    for d in KnownIdentifiers().detect(text, note):
        assert 0 <= d.start < d.end <= len(text)
        assert d.detector == "known@1"


@pytest.mark.parametrize(
    "text",
    [
        "jsmith", "smithj", "jonathansmith", "JonathanSmith", "smithjonathan", "psmith",
        "mrjonathan", "C:\\Users\\jsmith\\scan", "@jsmith", "jsmith02",
    ],
)  # fmt: skip
def test_a_name_joined_in_one_word_is_a_user_name(text):
    assert T.USERNAME in {kind for _, kind in found(f"Login {text} today")}


def test_a_joined_name_that_may_be_a_word_is_none_but_as_an_address():
    known = (Known(T.PATIENT, "Lister", role="family"), Known(T.PATIENT, "Bea", role="given"))
    assert not found("Skin: swelling/blister on the heel, caused by blister.", known)
    assert {value for value, _ in found("@blister, blister2, login: blister", known)} == {"blister"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Violet Pink", "Violet fed well."), ("Norm Ward", "Seen today. Norm is ok"),
        ("Salud Cordero", "Salud acude hoy"), ("Nieves Rocío Campos", "Nieves bien"),
        ("Bill Head", "Bill sent."), ("Iris Temple", "- Iris denies pain"),
        ("Dolores Cabeza", "Dolores refirió mejoría"),
    ],
)  # fmt: skip
def test_a_name_that_is_a_word_is_one_where_it_does_what_people_do(name, text):
    known = (Known(T.PATIENT, name, role="full"),)
    assert (name.split()[0], T.PATIENT) in found(text, known)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Dolores Campos", "Dolores de espalda"), ("Iris Temple", "Iris prolapse noted"),
        ("Norm Ward", "Norm for age"), ("Violet Pink", "VIOLET FED STAIN IS USED HERE"),
        ("Rose Pain", "Pain is worse at night"),
    ],
)  # fmt: skip
def test_the_same_word_at_a_sentence_start_stays_before_anything_else(name, text):
    known = (Known(T.PATIENT, name, role="full"),)
    assert (text.split()[0], T.PATIENT) not in found(text, known)


WORDS = tuple(
    Known(T.PATIENT, name, person=name, role="full")
    for name in ("Juan Colon", "Edward Said", "An Tran", "Dolores Cabeza", "Amy Chin", "Ann Low")
)


@pytest.mark.parametrize(
    "text",
    [
        "Colon cancer. Ascending colon mass.", "Pt said he was well.", "An MRI was done.",
        "Refiere dolores de cabeza.", "Chin laceration, chin swollen. Seen.", "K low. Ann",
    ],
)  # fmt: skip
def test_names_that_are_words_stay_words(text):
    assert {value for value, _ in found(text, WORDS)} <= {"Ann"}


@pytest.mark.parametrize(
    ("name", "text"),
    [("Grant Stone", "yes, 2 stones 4/5 mm"), ("Blanca Nieves", "Sustancia blanca conservada")],
)
def test_in_small_letters_a_word_is_the_word(name, text):
    known = (Known(T.PATIENT, name, role="full"),)
    assert not found(text, known)
    assert found(f"{text}, {name.lower()}", known)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Spoke with Colon today.", "Colon"), ("Colon states he is fine.", "Colon"),
        ("tell edward said to call", "said"), ("said is upset", "said"),
        ("An refuses labs.", "An"), ("Chin is here.", "Chin"), ("COLON, JUAN", "COLON"),
    ],
)  # fmt: skip
def test_names_that_are_words_are_found_as_names(text, name):
    assert name in {value for value, _ in found(text, WORDS)}


@pytest.mark.parametrize(
    ("text", "places"),
    [("Lives in Normal, IL", {"Normal"}), ("Normal exam", set()), ("exam: Normal", set())],
)
def test_a_place_that_is_a_word(text, places):
    assert {value for value, _ in found(text, (Known(T.CITY, "Normal"),))} == places


def named(name):
    first, family = name.split()
    return (Known(T.PATIENT, family, role="family"), Known(T.PATIENT, first, role="given"))


@pytest.mark.parametrize("name", ["Ann Li", "Sue Cho", "Bo Ek"])
def test_a_login_of_a_short_surname_is_found_with_its_digits(name):
    first, family = name.lower().split()
    forms = [first[0] + family, family + first[0], first + family, first + family[0]]
    for form in (case for f in forms for case in (f, f.upper(), f.title())):
        if len(form) < 3:
            continue
        values = found(f"Order by {form}2 today, no x{form}2 and no {form}12345.", named(name))
        assert (f"{form}2", T.USERNAME) in values
        assert not any("x" in value or "12345" in value for value, _ in values)


@pytest.mark.parametrize(
    ("name", "code"), [("Sam Po", "SpO2"), ("Hal Er", "HER2"), ("Ha Co", "HCO3")]
)
def test_a_clinical_code_is_no_login(name, code):
    assert found(f"On {code} 95 today", named(name)) == set()


def test_the_login_of_a_stated_address_of_mail_stands_for_it():
    known = (
        Known(T.PATIENT, "Harold Whitcombe", role="full"),
        *(Known(T.EMAIL, f"{one}@x.org") for one in ("hwhit", "pinkie88", "whitcombe", "contact")),
    )
    text = "Portal name hwhit, then pinkie88. Contact by mail. Whitcombe came."
    assert found(text, known) == {
        ("hwhit", T.USERNAME),
        ("pinkie88", T.USERNAME),
        ("Whitcombe", T.PATIENT),
    }
