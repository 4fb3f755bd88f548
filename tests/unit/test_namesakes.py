"""Words that are names and clinical things: what stands beside them decides."""

from __future__ import annotations

import pytest
from marked_spans import split

from stream_deid.detect.neural.floors import unsure
from stream_deid.detect.words.namesakes import namesake
from stream_deid.detect.words.terms import surely_a_term
from stream_deid.labels import PhiType

T = PhiType

CLINICAL = [
    "EFW 3450 g by <Leopold>'s.",
    "Fam: father <BPAD>, died at 93",
    "5/5/2 per <wk>. Banks saw",
    "CT abd 0800 NPO <p> MN. f/u path",
    "PMH <Graves>' in remission",
    "Meds: <Allegra> prn, OCP",
    "failed Humira, <Stelara>; now q8w",
    "JP and <Penrose> in place",
    "PGY-3 and fellow, <RD> and SLP following",
    "FA, EPOC, <AR>, HTA",
    "1 1/2 tabs <qHS>",
    "transplant <DSAEK> tissue",
    "<AP>: DM, HTA",
    "<Hickman> flushed",
    "hives after <Brie>, cashews",
    "PH was neg, <Bowen>'s not seen",
    "<Yasmin> stopped, Mirena placed",
    "<Lyrica> 75 mg, sin cambios",
    "antecedentes de enf. de <Kawasaki> en la infancia",
    "r/o <Ramsay> Hunt",
    "two mat. aunts w/ <Hashimoto>; PGF stroke",
    "Father died of ALS, paternal uncle <Huntington>",
    "CT <CAP> 10/27: no dz",
    "padre <IAM> 49",
    "cumple <Yamaguchi>, ferritina 4000",
    "dejó <Xeplion> en mayo",
    "brother Crohn, father <MI> at 50, mother died",
    "Safety plan (<Stanley-Brown>) done",
    "<Jarisch-Herxheimer> tras la penicilina",
    "adductor at <Hunter> canal",
    "<Bishop> 5, vertex",
    "Denies AH/<VH>.",
    "CT CAP: no <dz>.",
    "NPO p <MN>. Hold",
    "<Kellgren> 4",
    "LET: no <IOT>, VMNI si",
    "Toscana -, <Nilo> -, Crimea",
    "<Twardowski> 1, sin secrecion",
    "<Camino> placed R frontal",
    "ICP via <Camino> 18, EVD open",
    "<Camino> reading 9",
    "<Posey> vest on, L wrist",
    "<FOURNIER'S>, to OR x3",
    "<HARTMANN'S> 500 ml",
    "<Hartmann's> 80/h",
    "<Hartmann> 1 L stat",
    "<Chagas>, CHF; EF 20",
    "s/p <Fournier>",
    "<QT> has lengthened",
    "<QT> 440, sinus",
    "<QT> prolongado",
    "<LA> 4.2 cm",
    "<MR> normal, no TR",
    "<CT>: 52",
    "paternal aunt <OC> 52; FH neg",
    "REPEAT <K IN> AM",
    "PMH: HTN, <MI>, CVA",
    "AP: <AR>, FA, EPOC",
    "Antecedentes: HTA, <AR>, LES",
    "Ruled out for <MI> overnight",
    "Anterior <MI> in 2010",
    "Dispo: <DC> home tomorrow",
    "Likely <DC> today.",
    "ok for <DC>",
    "<DC> summary done",
    "Pt <DC>'d at noon",
    "D/C <Foley> in am",
    "Recheck <Na>, then d/c",
    "repeat <Mg> at 6",
]
PEOPLE = [
    "call from <Huntington>'s wife",
    "seen, no changes - <VH>",
    "assessed by <MN> today",
    "PCP: <AR>, HTN stable",
    "PMH: HTN. Seen by <AR>, stable",
    "discussed with <DC>, agrees",
    "<DC> called the home",
    "Dr. <Graves> in clinic",
    "wife <Graves>, thyroid storm in 2010",
    "<Graves> called, no new orders",
    "call <Graves> for results",
    "<Bell>, 44f, thyroid storm",
    "seen with <Foley> at bedside",
    "Enf. <Foley> cambia la sonda",
    "<Foley> changed the Foley at noon",
    "scrub <Allis>, Allis x4",
    "son <Huntington> called",
    "afebrile, stable. <MIL>",
    "seen by <CAP>, agrees",
    "Mr. <Bishop> 54 M",
    "Dr. <Camino> placed it",
    "<Camino> paged, will round",
    "<Posey> called back",
    "<Fournier's> wife called",
    "seen by <Chagas>",
    "<Jones>, COPD exac",
    "called to <JD> 1122",
    "per <MT> 3/4",
    "Signed <MT> 2/3/24",
    "<MT> 12:30 called",
    "aunt <OC>, brother there",
    "repeat per <K>",
    "seen by <MR> normal exam",
]


@pytest.mark.parametrize("marked", CLINICAL)
def test_a_namesake_among_clinical_words_is_nobody(marked: str) -> None:
    assert namesake(*split(marked), T.DOCTOR)


@pytest.mark.parametrize("marked", PEOPLE)
def test_a_namesake_beside_a_word_for_people_is_somebody(marked: str) -> None:
    assert not namesake(*split(marked), T.PATIENT)


@pytest.mark.parametrize("half", ["M. <gordonae>", "<M>. gordonae", "<M. gordonae> contam"])
def test_half_of_a_species_is_nobody(half: str) -> None:
    assert surely_a_term(*split(half), T.DOCTOR)


@pytest.mark.parametrize(
    "group",
    [
        "<Duffy>/Kidd neg units",
        "Duffy/<Kidd> neg units",
        "<Lewis> antigen",
        "fenotipo <Kell> + Duffy",
    ],
)
def test_a_group_of_blood_is_nobody(group: str) -> None:
    assert surely_a_term(*split(group), T.DOCTOR)


@pytest.mark.parametrize(
    "name", ["<Diego> positive for COVID", "seen by <Lewis>/Kidd", "<Lewis>, neg"]
)
def test_who_is_called_like_a_group_of_blood_is_somebody(name: str) -> None:
    assert not surely_a_term(*split(name), T.DOCTOR)


def test_a_surname_in_small_letters_is_no_species() -> None:
    assert not surely_a_term(*split("<J. smith> called"), T.DOCTOR)


@pytest.mark.parametrize(
    ("marked", "phi_type", "score"),
    [
        ("tubes #2, <Moschcowitz> earlier", T.DOCTOR, 0.2),
        ("sleep quality at <Pittsburgh Sleep>", T.HOSPITAL, 0.24),
        ("TOF <4/4> before reversal", T.DATE, 0.49),
        ("stairs <14>, no rail", T.LOCATION_OTHER, 0.15),
    ],
)
def test_what_models_hardly_believe_is_let_go(marked: str, phi_type: T, score: float) -> None:
    assert unsure(*split(marked), phi_type, score)


@pytest.mark.parametrize(
    ("marked", "phi_type", "score"),
    [
        ("<Hawkins> found the drain out", T.DOCTOR, 0.2),
        ("recheck with <Moschcowitz>", T.DOCTOR, 0.2),
        ("next <4/4> in clinic", T.DATE, 0.45),
        ("signed <JB>", T.DOCTOR, 0.1),
        ("Ah. <Señora Milagros>. For the boy", T.PATIENT, 0.2),
        ("moved to <6>, report given", T.LOCATION_OTHER, 0.1),
        ("tubes #2, <Moschcowitz> earlier", T.DOCTOR, 0.5),
    ],
)
def test_what_something_speaks_for_stays(marked: str, phi_type: T, score: float) -> None:
    assert not unsure(*split(marked), phi_type, score)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("Mask: <Dreamwear> med full", PhiType.DOCTOR),
        ("bed <VersaCare> s/n M221", PhiType.HOSPITAL),
        ("CPAP <Boussignac> 7,5", PhiType.DOCTOR),
        ("grew <Elizabethkingia>", PhiType.PATIENT),
    ],
)
def test_products_are_let_go_without_more(text, phi):
    assert namesake(*split(text), phi)


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("in cath by <Cobra>", PhiType.DOCTOR),
        ("Mrs. <Dreamwear>", PhiType.PATIENT),
        ("works at <Masimo>", PhiType.ORGANIZATION),
    ],
)
def test_a_product_may_be_a_nickname_or_an_employer(text, phi):
    assert not namesake(*split(text), phi)


@pytest.mark.parametrize(
    "text", ["seizures w/ <Licox>", "con <Plasmalyte>", "sedated from <Normosol>", "per <Rickham>"]
)
@pytest.mark.parametrize("phi", [T.DOCTOR, T.HOSPITAL])
def test_a_product_with_which_somebody_is_treated_is_nobody(text, phi):
    assert namesake(*split(text), phi)


@pytest.mark.parametrize("text", ["called by <Licox>", "w/ <Licox> called", "Dr. <Licox>"])
def test_whoever_does_something_is_somebody(text):
    assert not namesake(*split(text), T.DOCTOR)


@pytest.mark.parametrize(
    "marked",
    ["madre con <Hashimoto>, sana", "AF: prima <Marfan>, hno. celíaco", "su madre <EPOC>, fuma"],
)
def test_what_kin_have_is_no_relative(marked):
    assert namesake(*split(marked), T.RELATIVE)


@pytest.mark.parametrize(
    "marked", ["su tío <Marfan> lo acompaña", "llama la <tía>", "su <ama> viene"]
)
def test_a_relative_of_that_name_stays(marked):
    assert not namesake(*split(marked), T.RELATIVE)


@pytest.mark.parametrize(
    ("marked", "phi_type", "let_go"),
    [
        ("Vuelta a <cancha> no antes de marzo", T.CITY, True),
        ("vuelta a <cancha> no antes de marzo", T.CITY, False),
        ("Vuelta a <Cancha> no antes", T.CITY, False),
        ("Duerme en el <cajero> de la plaza", T.ORGANIZATION, True),
    ],
)
def test_small_letters_among_capitals_are_seldom_a_place(marked, phi_type, let_go):
    assert unsure(*split(marked), phi_type, 0.55) is let_go
