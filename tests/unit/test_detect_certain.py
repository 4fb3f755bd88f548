"""In fields for codes and results of a few words only what is certain is replaced."""

import pytest
from marked_spans import vote_for

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.boundaries.kin import apart_from_kin
from stream_deid.detect.settle.filtering.certain import certain, said_surely
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.labels import PhiType
from stream_deid.note import Detection

MSH = "MSH|^~\\&|LAB|MAPLE|EHR|050|20240315||ORU^R01|M1|P|2.5\r"


def counts(text, phi=PhiType.DATE, score=1.0):
    return bool(certain(text, [Detection(0, len(text), phi, "any@1", score)]))


@pytest.mark.parametrize("text", ["8/9", "24/30", "2-3", "12", "1200000"])
def test_figures_without_a_year_are_no_date(text):
    assert counts(text) == (len(text) == 7)


@pytest.mark.parametrize("text", ["54/-31/88", "-2.00/-0.75/90", "12/+31/80", "54/−31/88"])
def test_a_figure_with_its_sign_is_in_no_date(text):
    assert not counts(text)


@pytest.mark.parametrize(
    "text", ["3/12/19", "03-12-2019", "9/2021", "20190312", "March 4", "4 mar", "15 de Ago"]
)
def test_a_date_that_names_a_month_or_a_year_is_one(text):
    assert counts(text)


@pytest.mark.parametrize("text", ["pdm09", "Mon Wed Fri", "lunes 3/4", "March"])
def test_a_strain_or_a_day_of_a_schedule_is_no_date(text):
    assert not counts(text)


@pytest.mark.parametrize(("text", "is_date"), [("9/9/10", False), ("03/14/24", True)])
def test_three_small_figures_are_scores(text, is_date):
    assert counts(text) == is_date


@pytest.mark.parametrize(
    ("text", "value", "stays"),
    [
        ("Yasmin", "Yasmin", True),  # a drug
        ("Addison's", "Addison's", True),
        ("Kowalski", "Kowalski", False),
        ("seen by Kowalski", "Kowalski", False),
        ("h/o DM", "DM", True),
        ("called by RB", "RB", False),
        ("Child B7", "B7", True),
        ("Tom", "Tom", False),
        ("Paul", "Paul", False),  # a word of results in Paul-Bunnell only
        ("B. quintana IgG", "B.", True),
        ("B. Quintana MD", "B.", True),  # letters without a cue before them
        ("called to Crawford", "Crawford", False),
        ("Crawford score 3", "Crawford", True),
        ("donor brother Marcus, match", "Marcus", False),
        ("pupil Marcus Gunn pos", "Marcus Gunn", True),
    ],
)
def test_what_models_say_of_a_result(text, value, stays):
    said = vote_for(text, value, PhiType.DOCTOR, 0.9)
    assert said_surely(text, "", [said]) == ([] if stays else [said])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Trelox", False),
        ("Trelox grade 2", False),
        ("called to Trelox", True),
        ("spec from Trelox, Harold", True),
    ],
)
def test_a_name_without_a_word_for_a_person_must_be_surer(text, counts):
    start = text.index("Trelox")
    end = len(text) if "," in text else start + 6
    said = Detection(start, end, PhiType.DOCTOR, "model@1", 0.8)
    assert said_surely(text, "", [said]) == ([said] if counts else [])


def test_a_vote_that_is_not_sure_does_not_count():
    assert not counts("mg/hr", PhiType.DOCTOR, 0.55)
    assert counts("Okafor", PhiType.DOCTOR, 0.86)


def test_a_word_for_a_person_before_a_name_is_reason_enough():
    marcus = Detection(14, 20, PhiType.PATIENT, "model@1", 0.5)
    assert certain("donor brother Marcus, match", [marcus]) == [marcus]


@pytest.mark.parametrize(
    ("segment", "coded"),
    [
        ("OBX|1|ST|APGAR^Apgar^L||8/9", True),
        ("OBX|1|TX|SIG^Sig^L||1 tab PO q8h", True),
        ("OBX|1|CWE|ALL^Allergy^L||^Peanut allergy", True),
        ("OBX|1|ST|LMP^LMP^L||3/12", False),
        ("OBX|1|ST|CB^Collected by^L||Addison", False),
        ("OBX|1|ST|FAM^Familiar^L||Rosa", False),
        ("OBX|1|ST|D^Date of onset^L||3/12", False),
        ("OBX|1|TX|N^Note^L||Seen today by our nurse, who will call her sister", False),
        ("OBX|1|TX|11506-3^Progress note^LN||Seen by Osei", True),
        ("OBX|1|ST|CM^Case manager^L||Yevgenia P.", False),
        ("OBX|1|ST|C^Centro de referencia^L||Nefrovida", False),
        ("OBX|1|TX|SIG^Sig^L||BP 120|80 today||||||F", False),
        ("OBX|1|FT|S^Sig^L||BP high\\.br\\Osei", False),
        ("NTE|1||8/9", False),
    ],
)
def test_a_result_of_a_few_words_is_no_report(segment, coded):
    note = hl7v2.parse(f"{MSH}{segment}\r".encode())
    texts = [part for part in note.parts if part.examine and "-3." not in part.path]
    assert [part.coded for part in texts] == [coded]


def test_lines_of_a_report_are_a_report():
    note = hl7v2.parse(f"{MSH}OBX|1|TX|N^Note^L||Seen by\rOBX|2|TX|N^Note^L||Keller\r".encode())
    (part,) = [part for part in note.parts if part.examine]
    assert not part.coded


@pytest.mark.parametrize(
    ("text", "value", "phi", "stays"),
    [
        ("35 by Simpson's", "Simpson", PhiType.DOCTOR, True),
        ("called by Simpson", "Simpson", PhiType.DOCTOR, False),
        ("Perezreyes neg, Moro +", "Perezreyes", PhiType.PATIENT, True),  # a sign
        ("Molly (MDMA) pos", "Molly", PhiType.PATIENT, True),
        ("Kidumerofe  - Dr. X", "Kidumerofe", PhiType.PATIENT, False),  # a dash is no minus
        ("Nahia negativa", "Nahia", PhiType.PATIENT, True),
        ("hermana Nahia negativa", "Nahia", PhiType.PATIENT, False),
        ("Barrett, Praga C1M3", "Praga", PhiType.CITY, True),
        ("A/Darwin/9/2021", "9/2021", PhiType.DATE, True),
        ("Flublok 2023-24", "2023-24", PhiType.DATE, True),
        ("Bethesda 2014", "2014", PhiType.DATE, True),
        ("biopsy 2014", "2014", PhiType.DATE, False),
        ("Boston 2-2-3, Mayo 1", "Mayo 1", PhiType.DATE, True),
        ("mayo 2021", "mayo 2021", PhiType.DATE, False),
        ("Repetida el 14/03", "14/03", PhiType.DATE, False),
        ("Tropo 14/03", "14/03", PhiType.DATE, True),
        ("seen M 3/5 by", "3/5", PhiType.DATE, False),
        ("motor M 3/5", "3/5", PhiType.DATE, True),
        ("cape 1500-0-1500", "1500-0-1500", PhiType.PHONE, True),
        ("Lamictal 100 AM", "100", PhiType.AGE, True),
        ("mother 100 yo", "100", PhiType.AGE, False),
        ("performed by LC-MS/MS", "LC-MS", PhiType.DOCTOR, True),
        ("M 8 E 4 B 1", "E 4 B 1", PhiType.LOCATION_OTHER, True),
        ("G3a A2", "G3a", PhiType.IDNUM, True),
    ],
)
def test_what_a_result_means_by_what_stands_around_it(text, value, phi, stays):
    said = vote_for(text, value, phi, 0.9, "any@1")
    assert bool(certain(text, said_surely(text, "", [said]))) != stays


@pytest.mark.parametrize(
    ("text", "trade"),
    [("Panadero jubilado", "Panadero"), ("Retired shipyard welder", "shipyard welder")],
)
def test_a_trade_is_a_finding_of_a_result(text, trade):
    assert not certain(text, [vote_for(text, trade, PhiType.PROFESSION, 0.99)])


@pytest.mark.parametrize(
    ("segment", "answers"),
    [
        ("AL1|1|FA|^Cacahuete|MO", {"AL1[1]-3.2": "allergen"}),
        ("AL1|1|FA|CAC^Cacahuete^L|MO", {"AL1[1]-3.2": "allergen"}),
        ("AL1|1|FA|^^^^Sesamum|MO", {"AL1[1]-3.5": "allergen"}),
        ("AL1|1|FA|Quetzalote|MO", {"AL1[1]-3": "allergen"}),  # a code that is on no list
        ("IAM|1|FA|^Cacahuete|MO", {"IAM[1]-3.2": "allergen"}),
        ("OBX|1|CWE|F^Food allergen^L||^Cacahuete", {"OBX[1]-5.2": "F L Food allergen"}),
        ("OBX|1|CE|C^Comment^L||^Cacahuete~^Otro", {"OBX[1]-5.2": "C L Comment",
                                                     "OBX[1]-5(2).2": "C L Comment"}),
        ("DG1|1||^Cacahuete", {"DG1[1]-3.2": ""}),
    ],
)  # fmt: skip
def test_words_of_a_coded_element_are_read_as_an_answer(segment, answers):
    note = hl7v2.parse(f"{MSH}{segment}\r".encode())
    assert {
        part.path: part.asked for part in note.parts if part.examine and part.path in answers
    } == answers


@pytest.mark.parametrize(("value", "declared"), [("Oliva", False), ("Whitlock", True)])
def test_a_food_alone_where_an_allergen_is_asked_for_is_no_listed_name(value, declared):
    note = hl7v2.parse(f"{MSH}AL1|1|FA|^{value}|MO\rZZZ|1\r".encode())
    (part,) = [part for part in note.parts if part.text == value]
    assert bool(part.declared) is declared
    (other,) = [
        part for part in hl7v2.parse(f"{MSH}DG1|1||^{value}\r".encode()).parts
        if part.text == value
    ]  # fmt: skip
    assert other.declared


def test_the_name_of_the_test_is_nobody_in_its_result():
    oswin = Detection(0, 5, PhiType.PATIENT, "model@1", 1.0)
    assert not said_surely("Oswin C", "Índice de Oswin", [oswin])
    assert said_surely("Oswin C", "Comment", [oswin])


def test_a_word_for_a_relative_is_no_part_of_the_name_behind_it():
    text = "Marido, Xabier, ayuda"
    said = [Detection(0, end, PhiType.PATIENT, "model@1", 1.0) for end in (6, 14)]
    assert [text[one.start : one.end] for one in apart_from_kin(text, said)] == ["Xabier"]


@pytest.mark.parametrize("value", ["Z y s k o w i t z", "K-O-W-A-L-S-K-I"])
def test_a_name_that_is_spelled_counts_in_a_short_value(value):
    text = f"label {value}"
    found = Patterns("en").detect(text)
    assert [(one.start, one.end) for one in certain(text, found)] == [(6, len(text))]


@pytest.mark.parametrize("name", ["María", "Maria", "MARIA", "Sofia", "Monica", "Adrian", "Victor"])
def test_a_given_name_before_a_finding_is_one_with_and_without_its_accent(name):
    said = Detection(0, len(name), PhiType.PATIENT, "model@1", 0.99)
    assert said_surely(f"{name} pos", "", [said]) == [said]


@pytest.mark.parametrize(
    ("text", "value", "phi", "asked", "stays"),
    [
        ("FH 29 cm, vtx by Leopold", "Leopold", PhiType.DOCTOR, "Fundal height", True),
        ("morphine 2 mg by Leopold", "Leopold", PhiType.DOCTOR, "Sig", False),
        ("0.064 mcg/mL by Etest", "Etest", PhiType.DOCTOR, "Penicillin", True),
        ("0.064 mcg/mL by Etest", "Etest", PhiType.ORGANIZATION, "Penicillin", True),
        ("read by Kowalski", "Kowalski", PhiType.DOCTOR, "Penicillin", False),
        ("CF at 3 ft / HM", "HM", PhiType.DOCTOR, "Visual acuity low", True),
        ("CF at 3 ft / HM", "HM", PhiType.DOCTOR, "Comment", False),
        ("20/40, tested by HM", "HM", PhiType.DOCTOR, "Visual acuity low", False),
        ("Reactivo, cepa Tulahuen", "Tulahuen", PhiType.OTHER, "Chagas IgG", True),
        ("CcDee, Kell neg", "CcDee", PhiType.PATIENT, "Fenotipo Rh", True),
        ("A2G3a", "A2G3a", PhiType.LOCATION_OTHER, "Cociente", True),
        ("LIEBG, Bethesda; NIC I", "LIEBG, Bethesda", PhiType.PATIENT, "Papanicolaou", True),
        ("Cacahuete", "Cacahuete", PhiType.CITY, "Alergia", True),
        ("polen, Cacahuete", "Cacahuete", PhiType.PATIENT, "Alergia", True),
        ("polen, Cacahuete", "Cacahuete", PhiType.PATIENT, "Familia", False),
        ("Rosa", "Rosa", PhiType.PATIENT, "Alergia", False),  # a listed name
        ("dicho a Cacahuete", "Cacahuete", PhiType.PATIENT, "Alergia", False),
        ("Cacahuete Oyelaran", "Cacahuete Oyelaran", PhiType.PATIENT, "Alergia", False),
        ("Nuez", "Nuez", PhiType.DOCTOR, "allergen", True),  # a surname too
        ("Nuez", "Nuez", PhiType.DOCTOR, "Comment", False),
        ("Frutos secos, avellana", "secos, avellana", PhiType.DOCTOR, "Alergenos", True),
        ("Nuez Oyelaran", "Nuez Oyelaran", PhiType.DOCTOR, "allergen", False),
        ("dicho a Nuez", "Nuez", PhiType.DOCTOR, "Comment", False),
        ("A2G3a", "A2G3a", PhiType.IDNUM, "Cociente", True),  # whatever it is taken for
        ("G3P1011", "G3P1011", PhiType.IDNUM, "Gravida para", True),
        ("G31011X", "G31011X", PhiType.IDNUM, "Gravida para", False),
    ],
)
def test_what_a_result_means_by_what_was_asked(text, value, phi, asked, stays):
    said = vote_for(text, value, phi, 0.9)
    assert said_surely(text, asked, [said]) == ([] if stays else [said])


@pytest.mark.parametrize(
    ("value", "coded"),
    [
        ("N 62 L 24 M 8 E 4 B 1 meta 1", True),
        ("15 mg every Thursday, folic acid 1 mg except Thursday", True),
        ("Lunes 3/4, martes 1/2, miércoles 3/4, jueves 1/2, resto 1", True),
        ("PPD placed 3/5 L arm, read 3/7, 0 mm induration neg", False),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19", False),
    ],
)
def test_figures_and_letters_alone_are_no_words_of_a_sentence(value, coded):
    note = hl7v2.parse(f"{MSH}OBX|1|TX|SIG^Sig^L||{value}\r".encode())
    (part,) = [part for part in note.parts if part.examine and "-3." not in part.path]
    assert part.coded is coded


@pytest.mark.parametrize("value", ["441", "1204", "0710"])
@pytest.mark.parametrize(
    ("asked", "stays"),
    [
        ("BAZ Bazett", True),
        ("HR", True),
        ("PEAK Peak flow", True),
        ("PAGER Pager", False),
        ("EXT_NO Ext", False),
        ("Sala y cama", False),
        ("RN notified", False),
        ("", False),
    ],
)
def test_a_plain_value_is_a_number_of_somebody_where_one_is_asked_for(value, asked, stays):
    vote = Detection(0, len(value), PhiType.PHONE, "any@1", 0.9)
    assert (said_surely(value, asked, [vote]) == []) == stays


@pytest.mark.parametrize(
    ("text", "value", "stays"),
    [("AV grad pk/mn", "mn", True), ("UR/kp", "kp", False)],
)
def test_the_second_half_of_a_pair_of_abbreviations_is_nobody(text, value, stays):
    start = text.index(value)
    vote = Detection(start, start + len(value), PhiType.DOCTOR, "any@1", 0.92)
    assert (said_surely(text, "", [vote]) == []) == stays


@pytest.mark.parametrize(
    ("text", "value", "stays"),
    [
        ("102 basal / 141 2h", "102", True),
        ("102 basal / 141 2h", "141", True),
        ("pre 212, post 180", "212", True),
        ("to bed 412", "412", False),
        ("ext 4412", "4412", False),
        ("RN ext. 412", "412", False),
        ("Q8812", "Q8812", False),
    ],
)
def test_a_short_figure_of_a_result_is_nobodys_number_without_a_word_for_one(text, value, stays):
    start = text.index(value)
    vote = Detection(start, start + len(value), PhiType.PHONE, "any@1", 0.7)
    assert (said_surely(text, "GLU Glucosa", [vote]) == []) == stays


@pytest.mark.parametrize(
    ("text", "value", "counts_"),
    [
        ("T. rubrum (hongo)", "hongo", False),
        ("levaduras escasas", "levaduras escasas", False),
        ("tattoo K9-unit", "K9-unit", True),
        ("case Amber", "Amber", True),
    ],
)
def test_words_in_small_letters_are_no_other_identifier(text, value, counts_):
    start = text.index(value)
    vote = Detection(start, start + len(value), PhiType.OTHER, "any@1", 0.9)
    assert bool(certain(text, [vote])) == counts_
