"""Names found once are found again, words and eponyms aren't."""

import pytest
from marked_spans import finding

from stream_deid.detect.settle.propagation.repeat import repeated
from stream_deid.labels import PhiType as T
from stream_deid.note import Finding


def again(text, *values):
    found = sorted((finding(text, *one) for one in values), key=lambda f: f.start)
    return [(text[d.start : d.end], d.type) for d in repeated([text], [found])[0]]


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        (
            "Mr. Ramanathan came. RAMANATHAN says ramanathan's knee hurts.",
            [("Ramanathan", T.PATIENT)],
            [("RAMANATHAN", T.PATIENT), ("ramanathan", T.PATIENT)],
        ),
        (
            "Ann Rose came. Then Rose left. BP rose.",
            [("Ann Rose", T.PATIENT)],
            [("Rose", T.PATIENT)],
        ),
        (
            "Mr Parkinson has Parkinson's disease, and so Parkinson fell",
            [("Parkinson", T.PATIENT)],
            [("Parkinson", T.PATIENT)],
        ),
        (
            "Asst: M. Banks. Banks closed skin. Little bleeding. Banks of the river.",
            [("M. Banks", T.DOCTOR)],
            [("Banks", T.DOCTOR)],
        ),
        (
            "mr hall wants jim. who has hall in 12? hall's eliquis. hall k 3.6. in the hall in 12",
            [("hall", T.PATIENT)],
            [("hall", T.PATIENT)] * 3,
        ),
        ("Dr. Barrett saw Barrett's C2M5", [("Barrett", T.DOCTOR)], []),
        (
            "Mr. Whitcombe came. Whittcombe slept, WHITOMBE ate, Whictombe's leg, a whittcombe.",
            [("Whitcombe", T.PATIENT)],
            [("Whittcombe", T.PATIENT), ("WHITOMBE", T.PATIENT), ("Whictombe", T.PATIENT)],
        ),
        (
            "D. Berrocal ingreso. Berrrocal, Berrcal y Berorcal.",
            [("Berrocal", T.PATIENT)],
            [("Berrrocal", T.PATIENT), ("Berrcal", T.PATIENT), ("Berorcal", T.PATIENT)],
        ),
        # another's name, a product, a word of the language, a term
        ("Dr. Hansen came. Hanson left.", [("Hansen", T.DOCTOR)], []),
        ("Dr. Keppro came. Keppra 500 mg.", [("Keppro", T.DOCTOR)], []),
        ("Dr. Lipozene. Lipozem. Lipase 40.", [("Lipozene", T.DOCTOR)], []),
        ("Paris Chen, MD. Polyp 14 mm Paris 0-IIa", [("Paris Chen", T.DOCTOR)], []),
        ("Dr Fazekas: Fazekas 2 changes", [("Fazekas", T.DOCTOR)], []),
        ("Dr. Fazekas came, Fazekas 2 pm", [("Fazekas", T.DOCTOR)], [("Fazekas", T.DOCTOR)]),
        ("Dr. Fazekas came, Fazekas 3 times", [("Fazekas", T.DOCTOR)], [("Fazekas", T.DOCTOR)]),
        ("ANN ROSE\nTELL ROSE TODAY", [("ANN ROSE", T.PATIENT)], [("ROSE", T.PATIENT)]),
        ("ANN ROSE\nHER BP ROSE LAST NIGHT", [("ANN ROSE", T.PATIENT)], []),
        ("Dr. May saw her in may; it may rain.", [("May", T.DOCTOR)], []),
        (
            "habla el dr campos. dolor en los campos pulmonares. revision con campos",
            [("campos", T.DOCTOR)],
            [("campos", T.DOCTOR)],
        ),
        ("rios coma azucena, y luego coma", [("rios coma azucena", T.PATIENT)], []),
        ("Lee-Ann Ortiz; ann took Ortiz", [("Lee-Ann Ortiz", T.PATIENT)], [("Ortiz", T.PATIENT)]),
        (
            "MRN 00418827 ... bottom 00418827",
            [("00418827", T.MEDICALRECORD)],
            [("00418827", T.MEDICALRECORD)],
        ),
        (
            "MRN 40817263. Told 40 81 72 63, 4081-7263; 40 81 72 64, 140817263, 40/81.",
            [("40817263", T.MEDICALRECORD)],
            [("40 81 72 63", T.MEDICALRECORD), ("4081-7263", T.MEDICALRECORD)],
        ),
        ("MRN 12080. BP 120/80, 1 20 80", [("12080", T.MEDICALRECORD)], []),
        ("Dr. Boston. Boston Naming 44/60", [("Boston", T.DOCTOR)], []),
        ("Dr. Graves-Ito; PMH Graves' in remission", [("Graves-Ito", T.DOCTOR)], []),
        ("Sra. Cristal Ruiz. Corte con cristal", [("Cristal Ruiz", T.PATIENT)], []),
        ("Smallville Other: Smallville", [("Smallville", T.CITY)], [("Smallville", T.CITY)]),
    ],
)
def test_again(text, values, expected):
    assert again(text, *values) == expected


def test_other_parts_are_searched_too():
    got = repeated(
        ["Seen by Kowalczyk.", "cc: KOWALCZYK"], [[Finding(8, 17, T.DOCTOR, ("m@1",))], []]
    )
    assert [len(g) for g in got] == [0, 1]
    assert (got[1][0].start, got[1][0].end, got[1][0].detector) == (4, 13, "repeat@1")


def test_weak_findings_are_not_followed():
    assert repeated(["Zubiri, Zubiri"], [[Finding(0, 6, T.PATIENT, ("m@1",), 0.2)]]) == [[]]


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("HUCA - Hoja. Pasa al HUCA, huca", "HUCA", ["HUCA"]),
        ("EPOC - Hoja. Pasa al EPOC", "EPOC", []),
        ("UCI - Hoja. Pasa a UCI", "UCI", []),
    ],
)
def test_a_house_by_four_capitals_is_found_again(text, value, expected):
    at = text.rindex(value)
    found = Finding(at, at + len(value), T.HOSPITAL, ("model@1",), 0.8, "")
    assert [text[d.start : d.end] for d in repeated([text], [[found]])[0]] == expected
