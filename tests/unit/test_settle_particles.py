"""No span ends in a particle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import vote_for

from stream_deid.detect.settle.boundaries.particles import whole
from stream_deid.labels import PhiType as T

PARTICLES = ("de", "del", "de la", "of", "of the", "y", "and", "el")


@pytest.mark.parametrize(
    ("text", "value", "phi_type", "kept"),
    [
        ("Médico: Gabriel de Arriba NºCol", "Gabriel de", T.DOCTOR, "Gabriel de Arriba"),
        ("llega Treviño de Urgencias", "Treviño de", T.DOCTOR, "Treviño de"),
        ("va a Hospital de Cuidados Paliativos, donde", "Hospital de", T.HOSPITAL,
         "Hospital de Cuidados Paliativos"),
        ("CENTRO DE SALUD DE MOYABAMBA PACIENTE", "CENTRO DE SALUD DE", T.HOSPITAL,
         "CENTRO DE SALUD DE MOYABAMBA"),
        ("en Clínica Alba y Hospital Sur", "Clínica Alba y", T.HOSPITAL, "Clínica Alba"),
        ("at University of Iowa today", "University of", T.HOSPITAL, "University of Iowa"),
        ("remite Centro de la Dra. Paz", "Centro de la", T.HOSPITAL, "Centro de la"),
        ("la primera hija de padres jóvenes", "hija de", T.RELATIVE, "hija"),
        ("en noviembre de ese mismo año", "noviembre de", T.DATE, "noviembre"),
        ("es empleada de mostrador en", "empleada de", T.PROFESSION, "empleada de mostrador"),
        ("ex funcionaria de ANCAP", "funcionaria de", T.PROFESSION, "funcionaria"),
        ("werken de la comunidad", "werken de la", T.PROFESSION, "werken"),
        ("3º E. Bilbao", "E", T.CITY, "E"),
        ("Thi Van Nguyen", "Thi Van", T.PATIENT, "Thi Van"),
        ("lives in DE now", "DE", T.STATE, "DE"),
    ],
)  # fmt: skip
def test_goes_on_or_ended_before(text, value, phi_type, kept):
    one = whole(text, vote_for(text, value, phi_type))
    assert text[one.start : one.end] == kept


@given(
    st.sampled_from(["Lagos", "Casa Alba", "ama", "hija mayor", "HOSPITAL"]),
    st.sampled_from(PARTICLES),
    st.sampled_from(["", " ", ", ", " Lima", " LIMA", " dos", ": 4", " Dra. Paz"]),
    st.sampled_from(list(T)),
)
def test_a_span_keeps_its_start_and_its_words(words, particle, after, phi_type):
    text = f"{words} {particle.upper() if words.isupper() else particle}{after}"
    one = vote_for(text, text[: len(words) + 1 + len(particle)], phi_type)
    found = whole(text, one)
    assert found.start == one.start
    assert len(words) <= found.end <= len(text)
    assert whole(text, found) == found
