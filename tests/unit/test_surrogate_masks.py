"""Masks stay masks, halves of the day stay, nouns of kinship stay unless they may be names."""

from __future__ import annotations

import re

import pytest
from surrogate_helpers import replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part


@pytest.mark.parametrize("text", ["seen this AM by", "due tomorrow PM", "q AM", "at 8 p.m."])
def test_the_half_of_the_day_is_no_pair_of_initials(text):
    at = re.search(r"(?i)\b[ap]\.?m\b\.?", text)
    assert at is not None
    finding = Finding(at.start(), at.end(), PhiType.DOCTOR, ("t@1",))
    ((edit,),) = surrogates().edits(Note("n", "p", (Part(text),), "en"), [[finding]])
    assert (edit.replacement, edit.strategy) == (at.group(), "keep")


def test_initials_that_no_time_of_day_stands_before_change():
    found = Finding(8, 10, PhiType.DOCTOR, ("t@1",))
    ((edit,),) = surrogates().edits(Note("n", "p", (Part("sent to AM"),), "en"), [[found]])
    assert edit.replacement != "AM"


@pytest.mark.parametrize(
    ("phi", "text", "form"),
    [
        ("PHONE", "(xxx) xxx-1234", r"\(xxx\) xxx-\d{4}"),
        ("ACCOUNT", "4471-XXXX-XXXX-1234", r"\d{4}-XXXX-XXXX-\d{4}"),
        ("PHONE", "617-555-XXXX", r"\d{3}-\d{3}-XXXX"),
        ("ACCOUNT", "****1234", r"\*{4}\d{4}"),
        ("ZIP", "021XX", r"\d{3}XX"),
        ("SSN", "xxx-xx-XXXX", "xxx-xx-XXXX"),
        ("MEDICALRECORD", "XX4471R", r"XX\d{4}[A-Z]"),
        ("MEDICALRECORD", "44XX71R", r"\d\d[A-Z]{2}\d\d[A-Z]"),
    ],
)
def test_masks_stay_where_they_stand(phi, text, form):
    (made,) = replaced(surrogates(), [(phi, text)])
    assert re.fullmatch(form, made), made
    assert made != text or not re.search(r"\d", text)


def test_the_end_of_a_masked_telephone_number_is_that_of_the_whole():
    whole, masked = replaced(surrogates(), [("PHONE", "617-555-1234"), ("PHONE", "(xxx) xxx-1234")])
    assert masked == f"(xxx) xxx-{whole[-4:]}"


def test_a_long_mask_that_ends_in_no_number_is_read_in_linear_time():
    (made,) = replaced(surrogates(), [("IDNUM", "X" * 4000 + "!a")])
    assert made


def test_kinship_stays_unless_it_may_be_a_name():
    spans = [("RELATIVE", "marido"), ("RELATIVE", "Nieto"), ("PATIENT", "Luz Prima")]
    spans += [("RELATIVE", "Prima")]
    made = replaced(surrogates(), spans, language="es")
    assert made[:2] == ["marido", "Familiar"]
    assert made[3] == "Familiar"
