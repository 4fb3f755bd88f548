"""Labels that run on behind a name in an export without blanks."""

import pytest

from stream_deid.detect.settle.boundaries.run_on import without_label
from stream_deid.labels import PhiType as T


def kept(text, value, phi_type):
    at = text.index(value)
    return text[at : without_label(text, at, at + len(value), phi_type)]


@pytest.mark.parametrize(
    ("text", "value", "phi_type", "name"),
    [
        ("Name:AlbertaQuinceDOB:1947", "AlbertaQuinceDOB", T.PATIENT, "AlbertaQuince"),
        ("PCP:DrPetrosyanNextOfKin:Homer", "DrPetrosyanNextOfKin", T.DOCTOR, "DrPetrosyan"),
        ("Médico: Begoña IzaNºCol: 28", "Begoña IzaNºCol", T.DOCTOR, "Begoña Iza"),
        ("Begoña de la VegaDNI: 4", "Begoña de la VegaDNI", T.PATIENT, "Begoña de la Vega"),
        ("By:npetrosyOn05/14", "npetrosyOn", T.USERNAME, "npetrosy"),
        ("Fac=LakeviewClinicVisitDate=3", "LakeviewClinicVisitDate", T.HOSPITAL, "Lakeview"),
    ],
)
def test_a_label_is_let_go(text, value, phi_type, name):
    assert kept(text, value, phi_type) == name


@pytest.mark.parametrize(
    ("text", "value", "phi_type"),
    [
        ("AlbertaQuince DOB:1947", "AlbertaQuince", T.PATIENT),
        ("Phone:6145", "Phone", T.PATIENT),
        ("AnnRoom, 5", "AnnRoom", T.PATIENT),
        ("McPage:", "McPage", T.PATIENT),
        ("AlbertaQuince:", "AlbertaQuince", T.PATIENT),
        ("seen 5/14On:", "5/14On", T.DATE),
    ],
)
def test_anything_else_stays(text, value, phi_type):
    assert kept(text, value, phi_type) == value
