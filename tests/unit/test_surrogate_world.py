"""Surrogates that belong to one world: towns, area codes, masks, times of day, initials, sex."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from marked_spans import in_order
from surrogate_helpers import KEY, edits_of, replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import area_codes, load_census, load_names, load_places
from stream_deid.note import Finding, Known, Note, Part
from stream_deid.surrogate.demographics import kinship
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import sexes
from stream_deid.surrogate.numbers import areas, phones
from stream_deid.surrogate.places import towns
from stream_deid.text.folding import fold
from stream_deid.text.memo import for_one_note

STATE_OF = {code: state for state, codes in area_codes().items() for code in codes}
TOWNS = {fold(c.name) for cities in load_places().by_state.values() for c in cities}


@pytest.mark.parametrize("town", ["Boston", "Zebulon Crossing", "Ottumwa", "Slapout"])
def test_a_town_becomes_a_real_one(town):
    for patient in "abcdefgh":
        (made,) = replaced(surrogates(), [("CITY", town)], patient=patient)
        assert fold(made) in TOWNS - {fold(town)}


def test_a_town_that_no_list_holds_lies_in_the_state_that_its_state_becomes():
    places = load_places()
    for patient in "abcdefgh":
        spans = [("CITY", "Zebulon Crossing"), ("STATE", "KY")]
        text = "Zebulon Crossing, KY"
        found = [Finding(0, 16, PhiType.CITY, ("t@1",)), Finding(18, 20, PhiType.STATE, ("t@1",))]
        ((town, state),) = surrogates().edits(Note("n", patient, (Part(text),), "en"), [found])
        here = {c.name for c in places.by_state["US", state.replacement]}
        assert town.replacement in here, spans


@settings(max_examples=8, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_every_area_code_lies_in_the_state_that_its_state_becomes(key):
    scope = Scope(key)
    with for_one_note():
        for code, state in STATE_OF.items():
            to = state if len(state) > 2 else towns.moved(scope, "US", state)
            assert STATE_OF[areas.moved(scope, code)] == to
            assert areas.moved(scope, code) != code


@settings(max_examples=8, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_as_many_codes_of_a_state_are_seen_as_the_other_one_has(key):
    scope = Scope(key)
    with for_one_note():
        for codes in area_codes().values():
            made = {areas.moved(scope, code) for code in codes}
            to = STATE_OF[made.copy().pop()]
            assert len(made) == min(len(codes), len(area_codes()[to]))


def test_a_phone_has_the_area_code_of_the_address():
    for patient in "abcdef":
        state, phone = replaced(
            surrogates(), [("STATE", "VT"), ("PHONE", "(802) 555-0134")], patient=patient
        )
        assert STATE_OF[phone[1:4]] == state


def test_an_unassigned_area_code_becomes_an_assigned_one():
    assert phones.phone(Scope(KEY), "299-555-0134", "en")[:3] in STATE_OF


@pytest.mark.parametrize("text", ["XXX-XX-4471", "xxx-xx-4471", "***-**-4471", "XXXX4471"])
def test_a_mask_stays_and_what_it_leaves_agrees_with_the_whole(text):
    whole, masked, last = replaced(
        surrogates(), [("SSN", "219-09-4471"), ("SSN", text), ("SSN", "4471")]
    )
    assert masked[:-4] == text[:-4]
    assert masked[-4:] == whole[-4:] == last != "4471"


@pytest.mark.parametrize("text", ["seen 8:30 PM by", "a las 8 pm", "0830 AM"])
def test_the_half_of_the_day_is_no_pair_of_initials(text):
    at = re.search("(?i)[ap]m", text)
    assert at is not None
    finding = Finding(at.start(), at.end(), PhiType.DOCTOR, ("t@1",))
    ((edit,),) = surrogates().edits(Note("n", "p", (Part(text),), "en"), [[finding]])
    assert (edit.replacement, edit.strategy) == (at.group(), "keep")


def test_the_record_says_in_which_state_its_town_lies():
    known = [Known(PhiType.CITY, "Springfield"), Known(PhiType.STATE, "MA")]
    (made,) = edits_of(surrogates(), [("CITY", "Springfield")], known=known)
    state = towns.moved(
        surrogates()._root.sub("patient", "patient-1").sub("place"),
        "US",
        "MA",
    )
    assert made.replacement in {c.name for c in load_places().by_state["US", state]}


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(load_names().place)), st.sampled_from(sorted(load_names().place)))
def test_initials_agree_with_the_name_in_another_note(given_, family):
    maker = surrogates()
    (full,) = replaced(maker, [("PATIENT", f"{given_} {family}".title())])
    short = f"{given_[0]}{family[0]}".upper()
    assume(short.lower() not in load_names() and given_ != family)
    (made,) = replaced(maker, [("PATIENT", short)], note_id="other")
    assert made == "".join(fold(word)[0].upper() for word in full.split()[-2:])


@pytest.mark.parametrize(("sex", "name"), [("F", "Jaxaree"), ("M", "Jaxaree"), ("M", "Ashley")])
def test_a_given_name_has_the_sex_that_the_record_states(sex, name):
    known = [Known(PhiType.PATIENT, name, role="given", sex=sex)]
    for patient in "abcdefgh":
        (made,) = replaced(surrogates(), [("PATIENT", name)], known=known, patient=patient)
        key = fold(made)
        assert (load_names().sex.get(key) or load_census().sex[key]) == sex, made


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("67 M with pain", "M"), ("Sex: F", "F"), ("Baby Girl of", "F"), ("54 year-old man", "M"),
        ("mujer de 54 años", "F"), ("varón de 3 días", "M"), ("BP 120/80", ""),
        ("newborn female, 39 wk", "F"), ("3-day-old boy", "M"), ("2 week old F", "F"),
        ("term infant girl", "F"), ("male infant born", "M"), ("6 d/o male", "M"),
        ("RN femenino de 3200 g", "F"), ("RNT masculino", "M"), ("recién nacida sana", "F"),
        ("recién nacido vivo de sexo masculino", "M"), ("lactante mujer", "F"),
        ("paciente femenina de 30", "F"), ("masculino de 54 años", "M"), ("RN varón", "M"),
        ("30 yo F delivered a male infant", "F"), ("RN called, resting", ""),
    ],
)  # fmt: skip
def test_a_note_says_the_sex_of_its_patient(text, sex):
    assert sexes.stated(text) == sex


UNDECIDED = sorted(
    key
    for key, sex in load_census().sex.items()
    if sex == "U"
    and key not in load_census().family
    and key not in load_names()
    and not kinship.is_kin_phrase(key)
)


@given(
    st.sampled_from(UNDECIDED),
    st.sampled_from([("F", "en", "Baby Girl {}"), ("M", "en", "Baby Boy A {}"),
                     ("F", "en", "BG {}"),
                     ("M", "en", "BB {}"), ("F", "en", "her daughter {}"), ("M", "en", "son: {}"),
                     ("F", "es", "RN femenino {}"), ("M", "es", "RN varón {}"),
                     ("F", "es", "Recién nacida {}"), ("M", "es", "su hijo {}"),
                     ("F", "es", "la niña {}"), ("M", "es", "hermano {}"),
                     ("F", "en", "Pt {}, 2-day-old girl"), ("M", "es", "Pte {}, RN masculino")]),
    st.sampled_from(["PATIENT", "RELATIVE"]),
)  # fmt: skip
def test_a_given_name_has_the_sex_that_the_note_says(key, said, phi):
    sex, language, form = said
    name = key.capitalize()
    text = form.format(name)
    if phi == "RELATIVE" and not text.endswith(name):
        return
    found = in_order(text, [(phi, name)])
    (edits,) = surrogates().edits(Note("n", "p", (Part(text),), language), [found])
    made = fold(edits[0].replacement)
    assert (load_names().sex.get(made) or load_census().sex[made]) == sex, made


def test_a_newborn_who_has_a_surname_first_is_told_by_it_in_all_of_the_note():
    text = "Baby Girl Ruiz. Ruiz, Noa. Mother Kai Ruiz, 31 yo F."
    found = in_order(text, [("PATIENT", name) for name in ("Ruiz", "Ruiz, Noa", "Kai Ruiz")])
    for patient in "abcdefgh":
        (edits,) = surrogates().edits(Note("n", patient, (Part(text),), "en"), [found])
        given_ = fold(edits[1].replacement.partition(", ")[2])
        assert (load_names().sex.get(given_) or load_census().sex[given_]) == "F"


def test_organisations_have_many_names():
    spans = [("HOSPITAL", f"Kestrel{a}ford Clinic") for a in ("a", "e", "i", "o", "u", "y")]
    made = {n for p in range(20) for n in replaced(surrogates(), spans, patient=str(p))}
    assert len(made) > 100
