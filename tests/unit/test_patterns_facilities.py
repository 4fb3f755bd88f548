"""Hospitals that a number names, states before a licence, days behind "visit"."""

import pytest

from stream_deid.detect.patterns import Patterns


def found(language, text, name):
    hits = Patterns(language).detect(text)
    return [text[d.start : d.end] for d in hits if d.detector.startswith(name)]


@pytest.mark.parametrize("value", ["HGZ 33", "HGZ No. 46", "UMF 7", "HGZ/MF #1"])
def test_a_hospital_by_its_number(value):
    assert found("es", f"51 a, {value}. Recibido", "centro-numero") == [value]


def test_letters_without_a_number_are_no_hospital():
    assert found("es", "HGZ sin camas; UMFX 3", "centro-numero") == []


def test_a_state_before_a_licence():
    assert found("en", "AuD, RI lic AUD00188", "state-licence") == ["RI"]
    assert found("en", "Jo Best, MD lic 20188; PA lic 77", "state-licence") == []


def test_a_day_with_its_hours_is_no_number_of_a_visit():
    assert found("en", "SN visit 10-22 0910-0955", "account") == []
    assert found("en", "visit 10-22-88101", "account") == ["10-22-88101"]


@pytest.mark.parametrize("said", ["remitida desde", "intervenido en", "en seguimiento en el"])
def test_a_hospital_by_its_letters_where_somebody_is_treated(said):
    assert found("es", f"Paciente {said} HNAL hoy", "hospital-siglas") == ["HNAL"]


@pytest.mark.parametrize("text", ["HUVA hoy", "derivado a HDIA", "atendida por HTA", "con HUVA"])
def test_letters_without_a_patient_sent_there_or_of_the_clinic_are_no_hospital(text):
    assert found("es", text, "hospital-siglas") == []
