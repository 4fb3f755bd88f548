"""Clinical terms that a model takes for people."""

import pytest
from marked_spans import split

from stream_deid.detect.words.terms import surely_a_term
from stream_deid.labels import PhiType


@pytest.mark.parametrize(
    "text",
    ["start <Eliquis> 2.5", "(<Stelara>)", "<Keppra, Januvia>", "<KEPPRA's>", "speaks <Somali>"],
)
def test_terms_are_not_people(text):
    assert surely_a_term(*split(text), PhiType.DOCTOR)


@pytest.mark.parametrize(
    "text",
    ["seen by <Foley>", "Ms. <Keppra>", "<Eliquis Jones>", "<Rosa>", "<jk>", "<7>", "dr <Januvia>"],
)
def test_names_and_titled_words_stay(text):
    assert not surely_a_term(*split(text), PhiType.PATIENT)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("grew <B. henselae>", PhiType.DOCTOR),
        ("<Salmonella Newport> isolated", PhiType.HOSPITAL),
        ("Salmonella <Montevideo>", PhiType.CITY),
        ("Hb <Kansas>", PhiType.STATE),
        ("A/<Darwin>/9/2021", PhiType.DOCTOR),
        ("<Rocky Mountain> spotted fever", PhiType.LOCATION_OTHER),
        ("a <Jackson-Pratt> drain", PhiType.DOCTOR),
        ("urine <Bence Jones>", PhiType.PATIENT),
        ("ER 7/8 (<Allred>), PR 5/8", PhiType.DOCTOR),
        ("RE 8/8, (<Allred>)", PhiType.PATIENT),
        ("<Will> need review", PhiType.PATIENT),
        ("carries p.Cys282<Tyr>.", PhiType.PATIENT),
        ("activar Código <Fucsia>. Línea", PhiType.DOCTOR),
        ("es <testigo de Jehová> y no", PhiType.CITY),
        ("niega alergias, <apixabán> 5", PhiType.RELATIVE),
        ("p.(<Arg>506Gln) het", PhiType.DOCTOR),
        ("found <Cys282Tyr>", PhiType.DOCTOR),
        ("No fracture. <May> also benefit from PT", PhiType.DOCTOR),
    ],
)
def test_organisms_and_terms_of_several_words_are_nobody(text, phi):
    assert surely_a_term(*split(text), phi)


@pytest.mark.parametrize(
    "text",
    [
        "seen by <j. smith>", "per <J. lopez>", "grew Proteus, per <Okafor>", "<Candida Reis>",
        "Proteus <Okafor>", "Jackson <Pratt Lee>", "Klebsiella. <Kansas>", "<Jackson Smith>",
        "pain 7/10 (<Allred>)", "ER 7/8 (<Allred> MD)", "ER (<Allred>)", "<Will> needs review",
        "saw <Will> need review", "Dr. <May> need review", "<Hope> need review",
        "saw Cys <Tyr> today", "<Val> 25 mg", "<Val25Marie>",
    ],
)  # fmt: skip
def test_people_beside_them_stay(text):
    assert not surely_a_term(*split(text), PhiType.DOCTOR)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("RA on <Orencia>", PhiType.CITY), ("<ORENCIA> q4wk", PhiType.HOSPITAL),
        ("<politrauma> por moto", PhiType.PROFESSION), ("<POLITRAUMA>", PhiType.DOCTOR),
        ("on <adalimumab>", PhiType.HOSPITAL),
    ],
)  # fmt: skip
def test_products_and_diseases_are_no_houses_towns_and_trades(text, phi):
    assert surely_a_term(*split(text), phi)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("sent to <Methodist>", PhiType.HOSPITAL), ("de <Quechua>", PhiType.CITY),
        ("Lives in <Orencia>", PhiType.CITY), ("works for <Biotronik>", PhiType.ORGANIZATION),
    ],
)  # fmt: skip
def test_houses_and_towns_stay(text, phi):
    assert not surely_a_term(*split(text), phi)


def test_other_types_are_not_touched():
    assert not surely_a_term("Navajo", 0, 6, PhiType.CITY)
    assert not surely_a_term("Navajo", 0, 6, PhiType.SEX)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("DAI <Biotronik> Iforia", PhiType.ORGANIZATION),
        ("Portadora de DAI; <MCP Medtronic Azure>, revisado", PhiType.ORGANIZATION),
        ("<Keppra> 500", PhiType.ORGANIZATION),
        ("PTR Persona (<Prismaflex>)", PhiType.RELATIVE),
    ],
)
def test_products_by_their_firm_or_in_brackets_are_terms(text, phi):
    assert surely_a_term(*split(text), phi)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("works at <Biotronik> since", PhiType.ORGANIZATION),
        ("operario en <Medtronic>", PhiType.ORGANIZATION),
        ("<Ashlar Foundry> told", PhiType.ORGANIZATION),
        ("la <madre> (Prismaflex)", PhiType.RELATIVE),
    ],
)
def test_firms_where_somebody_works_and_kin_stay(text, phi):
    assert not surely_a_term(*split(text), phi)


@pytest.mark.parametrize(
    "text",
    [
        "from <Norwalk>, Norwalk-like illness",
        "Home in <Ann Arbor>.",
        "seen in <Ann Arbor>",
        "Viene de <Denver>",
        "sent to <Bethesda>, MD",
    ],
)
def test_where_somebody_lives_is_a_place(text):
    assert not surely_a_term(*split(text), PhiType.CITY)


@pytest.mark.parametrize("text", ["<Ann Arbor> IIIB", "a <Norwalk> virus outbreak"])
def test_a_town_that_a_scale_is_called_after_is_none_beside_a_grade(text):
    assert surely_a_term(*split(text), PhiType.CITY)
