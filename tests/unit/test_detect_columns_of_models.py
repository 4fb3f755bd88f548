"""What models read over the gap of two columns, and relatives that they take for houses."""

import pytest

from stream_deid.detect.quantities.clinical import founded, harmless
from stream_deid.detect.settle.boundaries.columns import by_columns
from stream_deid.detect.settle.boundaries.kin import apart_from_kin
from stream_deid.labels import PhiType
from stream_deid.note import Detection


def votes(text, start, end, phi):
    one = Detection(start, end, PhiType(phi), "m@1", 0.9)
    found = apart_from_kin(text, by_columns(text, [one]))
    return [(text[v.start : v.end], str(v.type)) for v in found]


@pytest.mark.parametrize(
    ("text", "end", "phi", "expected"),
    [
        ("Sanatorio Güemes   Cama 11", 23, "HOSPITAL", [("Sanatorio Güemes", "HOSPITAL")]),
        ("Mª Paz   T. social: Srta", 11, "DOCTOR", [("Mª Paz", "DOCTOR")]),
        ("Soto Leal\tAna", 13, "PATIENT", [("Soto Leal", "PATIENT"), ("Ana", "PATIENT")]),
        ("Ana  Soto Leal", 14, "PATIENT", [("Ana  Soto Leal", "PATIENT")]),
        ("Hijo de Soto", 7, "HOSPITAL", []),
        ("649118230|214|09-may", 13, "MEDICALRECORD", [("649118230", "MEDICALRECORD")]),
        ("1|4|0|3|2|7|", 11, "MEDICALRECORD", [("1|4|0|3|2|7", "MEDICALRECORD")]),
        (r"Amor Quiroga\cell N", 19, "PATIENT", [("Amor Quiroga", "PATIENT"), ("N", "PATIENT")]),
        (r"Luz Divina\i0 .", 13, "DOCTOR", [("Luz Divina", "DOCTOR")]),
        (r"C:\users\lpaz", 13, "URL", [(r"C:\users\lpaz", "URL")]),
        ("SOBRINO BREIXO", 14, "HOSPITAL", [("BREIXO", "RELATIVE")]),
        ("Hermanos Ameijeiras", 19, "HOSPITAL", [("Hermanos Ameijeiras", "HOSPITAL")]),
    ],
)
def test_columns_and_kin(text, end, phi, expected):
    assert votes(text, 0, end, phi) == expected


@pytest.mark.parametrize(
    ("text", "value", "phi", "expected"),
    [
        ("desde hace veinte días toma", "veinte días", "DATE", True),
        ("mujer, trece años, sana", "trece años", "DATE", False),
        ("control 8 sem, 23 de agosto", "8 sem", "DATE", True),
        ("SNOMED T-77100 M-81403.", "M-81403", "IDNUM", True),
        ("FISH 7q11.23 ELN", "11.23", "DATE", True),
        ("el veinte de mayo vino", "veinte de mayo", "DATE", False),
        ("petición M-81403 de ayer", "M-81403", "IDNUM", False),
    ],
)
def test_what_is_a_quantity_or_a_public_code(text, value, phi, expected):
    start = text.index(value)
    assert harmless(text, start, start + len(value), PhiType(phi)) is expected


def test_a_decimal_is_no_day():
    text = "E/P 0,4 / 0,8. OCT: DMAE. Visto 8. OCT en consulta"
    first, second = text.index("8. OCT"), text.rindex("8. OCT")
    found = [Detection(at, at + 6, PhiType.DATE, "fecha@1", 1.0) for at in (first, second)]
    assert [founded(text, one) for one in found] == [False, True]
