"""What models take into a span from behind it."""

import pytest
from marked_spans import vote_for

from stream_deid.detect.neural.floors import unsure
from stream_deid.detect.settle.boundaries.kin import apart_from_kin
from stream_deid.detect.settle.filtering.bare_labels import bare_label
from stream_deid.labels import PhiType as T


@pytest.mark.parametrize(
    ("text", "value", "phi_type", "kept"),
    [
        ("call to Vanderbilt Dr. Leggett", "Vanderbilt Dr", T.HOSPITAL, "Vanderbilt"),
        ("at Vanderbilt Dr 12", "Vanderbilt Dr", T.HOSPITAL, "Vanderbilt Dr"),
        ("Sra. Paz Rondón, C.I. V-9.114.322", "Paz Rondón, C", T.PATIENT, "Paz Rondón"),
        ("Sr. Mora, D.N.I. 52118203", "Mora, D", T.PATIENT, "Mora"),
        ("firma Mora, D.N. y sale", "Mora, D", T.PATIENT, "Mora, D"),
        ("Nombre: Covadonga  F. nac.: 23/11/57", "Covadonga  F", T.PATIENT, "Covadonga"),
        ("Nombre: Covadonga F. Nava", "Covadonga F", T.PATIENT, "Covadonga F"),
        ("Hope Lodge apt 2C", "Hope Lodge apt", T.HOSPITAL, "Hope Lodge"),
        ("Przybylski, Halina F 71 y", "Przybylski, Halina F", T.PATIENT, "Przybylski, Halina"),
        ("Kowalczyk   F   DOB", "Kowalczyk   F", T.PATIENT, "Kowalczyk"),
        ("Doe, Karen M 4/5/60", "Doe, Karen M", T.PATIENT, "Doe, Karen M"),
        ("Doe, Karen   M. Smith", "Doe, Karen   M", T.PATIENT, "Doe, Karen   M"),
        ("ID DV-664-1290  DW 58", "DV-664-1290  DW", T.MEDICALRECORD, "DV-664-1290"),
        ("ID DV-664-1290 DW", "DV-664-1290 DW", T.MEDICALRECORD, "DV-664-1290 DW"),
        ("Husband Cruz d. Nov 2", "Cruz d", T.PATIENT, "Cruz"),
        ("Husband Cruz d Nov 2", "Cruz d", T.PATIENT, "Cruz d"),
        (
            "PNC at Moonstone Midwives x11, seen",
            "Moonstone Midwives x11",
            T.HOSPITAL,
            "Moonstone Midwives",
        ),
        ("ABEBE, TSEHAY W  F 73", "ABEBE, TSEHAY W  F", T.PATIENT, "ABEBE, TSEHAY W"),
        ("LAB CLIA 17D0448812", "CLIA 17D0448812", T.LICENSE, "17D0448812"),
        ("A. WINTERBOTTOM, M.D.", "A. WINTERBOTTOM, M.D", T.DOCTOR, "A. WINTERBOTTOM"),
        ("PETAL ROMERO Rel 18", "PETAL ROMERO Rel", T.PATIENT, "PETAL ROMERO"),
        ("PETAL ROMERO Page 18", "PETAL ROMERO Page", T.PATIENT, "PETAL ROMERO Page"),
        ("okoro - etoh, ciwa 8", "okoro - etoh", T.PATIENT, "okoro"),
        ("re: Dwayne, s/p DDKT", "Dwayne, s", T.USERNAME, "Dwayne"),
        ("user dwayne_s/home", "dwayne_s", T.USERNAME, "dwayne_s"),
        ("sw bea for detox", "bea for", T.HOSPITAL, "bea"),
        ("Agency NPI 1902837465", "NPI 1902837465", T.LICENSE, "1902837465"),
        ("Agency QX 1902837465", "QX 1902837465", T.LICENSE, "QX 1902837465"),
        ("es pelotari y estudiante", "pelotari y", T.PROFESSION, "pelotari"),
        ("A. Paterno CHOQUE A. Materno", "A. Paterno CHOQUE", T.PATIENT, "CHOQUE"),
        ("Nombres FELICIANO", "Nombres FELICIANO", T.PATIENT, "FELICIANO"),
        ("dr Paterno Cruz", "Paterno Cruz", T.DOCTOR, "Paterno Cruz"),
        ("A. Paterno", "A. Paterno", T.DOCTOR, "A. Paterno"),
        ("this is uh felix ogun", "uh felix ogun", T.DOCTOR, "felix ogun"),
        ("cath mon w kaplan", "mon w kaplan", T.DOCTOR, "kaplan"),
        ("wells: k. marsh goal", "k. marsh", T.DOCTOR, "marsh"),
        ("by k. marsh goal", "k. marsh", T.DOCTOR, "k. marsh"),
        ("Pt Rivers d/w Ahn", "Rivers d", T.HOSPITAL, "Rivers"),
        ("Rivers d/Ahn", "Rivers d", T.HOSPITAL, "Rivers d"),
        ("Case N0. 24-C-O117", "N0. 24-C-O117", T.IDNUM, "24-C-O117"),
        ("Consults: ID-Verma", "ID-Verma", T.DOCTOR, "Verma"),
        ("Consults: Kim-Verma", "Kim-Verma", T.DOCTOR, "Kim-Verma"),
        (
            "record seven oh two nine room five",
            "seven oh two nine room",
            T.IDNUM,
            "seven oh two nine",
        ),
        (
            "record seven oh two nine then",
            "seven oh two nine then",
            T.IDNUM,
            "seven oh two nine then",
        ),
        ("Cellie Ortega says", "Cellie Ortega", T.PATIENT, "Ortega"),
        ("LARS, PA\n", "LARS, PA", T.DOCTOR, "LARS"),
        ("DOE, JAN\n", "DOE, JAN", T.DOCTOR, "DOE, JAN"),
    ],
)
def test_a_span_ends_before_the_next_thing(text, value, phi_type, kept):
    (one,) = apart_from_kin(text, [vote_for(text, value, phi_type)])
    assert text[one.start : one.end] == kept


@pytest.mark.parametrize(
    ("text", "value", "phi_type", "bare"),
    [
        ("on INPATIENT REHAB UNIT today", "INPATIENT REHAB UNIT", T.HOSPITAL, True),
        ("arrived by EMS at 9", "EMS", T.HOSPITAL, True),
        ("Suite B today", "Suite", T.HOSPITAL, True),
        ("to Dialysis B", "Dialysis B", T.HOSPITAL, False),
        ("to Providence Hosp", "Providence Hosp", T.HOSPITAL, False),
        ("wed 9/10 155", "wed", T.DOCTOR, True),
        ("told wed today", "wed", T.DOCTOR, False),
        ("TNK 18 mg given", "TNK", T.DOCTOR, True),
        ("Food help: WIC. School form", "WIC", T.DOCTOR, True),
        ("all well.\nWIC", "WIC", T.DOCTOR, False),
        ("seen by Dr. ELAN today", "ELAN", T.DOCTOR, False),
    ],
)
def test_kinds_of_houses_and_abbreviations_are_nobodys(text, value, phi_type, bare):
    assert bare_label(text, vote_for(text, value, phi_type)) is bare


@pytest.mark.parametrize(
    ("text", "value", "phi_type", "score", "doubtful"),
    [
        ("BMT DAY +27", "DAY", T.DATE, 0.58, True),
        ("dietary: dm 1800", "dm", T.DOCTOR, 0.3, True),
        ("swallow eval pending", "eval", T.DOCTOR, 0.3, True),
        ("seen by eval", "eval", T.DOCTOR, 0.3, False),
        ("told wu now", "wu", T.PATIENT, 0.3, False),
    ],
)
def test_of_ordinary_words_models_must_be_surer(text, value, phi_type, score, doubtful):
    at = text.index(value)
    assert unsure(text, at, at + len(value), phi_type, score) is doubtful


@pytest.mark.parametrize(
    ("text", "value"), [("so uh agreed", "uh"), ("cath mon w kaplan", "mon w")]
)
def test_what_stands_before_a_name_is_none(text, value):
    assert list(apart_from_kin(text, [vote_for(text, value, T.DOCTOR)])) == []
