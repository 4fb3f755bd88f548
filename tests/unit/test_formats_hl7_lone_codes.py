"""A surname, telephone number, SSN or record number alone in a field for codes does not stay."""

import re
from collections.abc import Container

import pytest
from test_formats_hl7_kept import PID, clean, deidentified

from stream_deid.formats.hl7.maps.field_map import field_map
from stream_deid.formats.hl7.message import parse
from stream_deid.formats.hl7.values.lone_codes import _PEOPLE

SEGMENTS = field_map().segments
CODES = [
    (name, number)
    for name, rules in sorted(SEGMENTS.items())
    for number, rule in sorted(rules.items())
    if rule.kind in ("code", "coded", "keep", "sex") and name != "MSH"
]
HEAD = "MSH|^~\\&|LAB|X|EHR|Y|20240315||ORU^R01|1|P|2.5"


def planted(value: str) -> str:
    """A message with the value alone in each of these fields: a segment each, but one PID."""
    pid = ["PID", "1", "", "40817263^^^NG^MR", "", "Okonjo^Wilhelmina", *[""] * 34]
    lines = [HEAD]
    for name, number in CODES:
        fields = [name, *[""] * number]
        if name == "PID":
            pid[number] = value
        else:
            fields[number] = value
            lines.append("|".join(fields))
    pid[19] = "521-64-9083"
    return "\r".join([lines[0], "|".join(pid), *lines[1:]]) + "\r"


def left(value: str, segments: Container[str] = SEGMENTS) -> list[str]:
    """Where it is still to be read, by patterns, lists and the record alone."""
    lines = deidentified(planted(value).encode()).decode().split("\r")
    return [line for line in lines if value in line and line[:3] in segments]


@pytest.mark.parametrize(
    "value", ["Kowalski", "KOWALSKI", "kowalski", "617-555-0199", "6175550199", "521-64-9077"]
)
def test_a_listed_surname_a_telephone_number_and_an_ssn_are_replaced_in_every_field_of_codes(value):
    assert left(value) == []


@pytest.mark.parametrize("value", ["40817263", "0040817263", "521649083", "Okonjo", "OKONJO"])
def test_what_the_record_says_is_replaced_in_every_field_of_codes(value):
    assert left(value) == []


LISTED = [
    (name, number)
    for name, rules in sorted(SEGMENTS.items())
    for number, rule in sorted(rules.items())
    if rule.kind == "listed"
]


def in_the_header(value: str, patient: str = "40817263") -> str:
    """A message with the value alone in each field that has a closed list."""
    lines = {"MSH": HEAD.split("|"), "PID": ["PID", "1", "", f"{patient}^^^NG^MR"]}
    for name, number in LISTED:
        fields = lines.setdefault(name, [name])
        at = number - (name == "MSH")
        fields += [""] * (at + 1 - len(fields))
        fields[at] = value
    return "\r".join("|".join(fields) for fields in lines.values()) + "\r"


@pytest.mark.parametrize(
    "value",
    ["Quillfeather", "QUILLFEATHER", "quillfeather_adt", "Kowalski2", "Lab^Quillfeather",
     "Quillfeather, Ada", "Ada.Quillfeather", "LabQuillfeather", "Núñez-Quillfeather"],
)  # fmt: skip
def test_no_word_stays_that_is_on_no_list_of_the_header(value):
    first, second = (
        deidentified(in_the_header(value, patient).encode()).decode()
        for patient in ("40817263", "40817264")
    )
    words = {word for word in re.findall(r"[^\W\d_]{4,}", value.lower()) if word != "adt"}
    assert [word for word in words if word in first.lower()] == []
    assert second.split("|")[2] == first.split("|")[2]  # routed alike, whoever the patient is


@pytest.mark.parametrize("value", ["EPIC", "LabADT", "TransformationAgent", "SCH2", "RX", "GHH"])
def test_usual_names_of_applications_stay(value):
    out = deidentified(HEAD.replace("LAB", value).encode() + b"\rPID|1||4^^^NG^MR\r").decode()
    assert out.split("|")[2] == value


@pytest.mark.parametrize("value", ["521649077", "84417263", "MR84417263"])
def test_a_long_number_is_no_code_where_fields_have_tables(value):
    assert left(value, _PEOPLE) == []


@pytest.mark.parametrize("value", ["Plumbaxi", "PLUMBAXI", "plumbaxi"])
def test_a_word_on_no_list_is_examined_in_every_field_of_codes(value):
    note = parse(planted(value).encode())
    parts = [part for part in note.parts if value in part.text]
    assert len(parts) == len(CODES)
    assert [part.path for part in parts if not part.examine] == []


@pytest.mark.parametrize(
    "segment",
    [
        "PV1|1|EMERGENCY",
        "PV1|1|I||URGENT",
        "NK1|1||SPOUSE",
        "PID|1|||||||||CAUCASIAN",
        "IN1|1|MEDICARE",
        "SCH||||||ROUTINE|Normal",
        "OBR|1|||GRAM",  # a stain, whoever is called so
        "DG1|1||Hodgkin",
        "OBR|1|||271737000",
        "OBX|1|NM|GLUC||5|copies",
        "OBX|1|NM|84417263||5",
        "OBR|1|||CBCD",
    ],
)
def test_codes_of_tables_and_words_of_orders_stay(segment):
    pid = "" if segment.startswith("PID") else PID
    assert segment in clean(segment, pid=pid).values()


@pytest.mark.parametrize(
    "segment",
    [
        "AL1|1|FA|F3^Fish^L", "OBX|1|ST|ALK^FISH^L||neg", "SPM|1|||SER^Suero",
        "SPM|1|||HAIR^Hair^L",
        "SPM|1|||ST^Stone", "SAC|||||Lavender", "OBX|1|NM|CPX^Price^L||99.50", "AL1|2|FA|W^Wheat",
        "OBX|1|CE|SITE^Site^L||PALM", "SPM|1|||UÑA^Uña^L",
    ],
)  # fmt: skip
def test_specimens_allergens_and_sites_that_are_surnames_stay(segment):
    assert clean(segment)[segment[:3]] == segment


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|1|ST|GENO^CYP2C19||*1/*17",  # a code like a surname, beside what it stands for
        "OBX|1|ST|MASON^Mycobacteria culture||neg",
        "OBR|1|||BROWN^Bilirubin, direct",
    ],
)
def test_a_surname_beside_the_words_of_a_test_is_its_code(segment):
    assert segment in clean(segment).values()


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|1|ST|GENO^MARIA||5",
        "OBR|1|||KOWALSKI^Ewa",
        "PV1|1|I||KOWALSKI^Ward",
        "OBR|1|||KOWALSKI",
    ],
)
def test_a_surname_beside_a_given_name_or_nothing_is_a_persons(segment):
    assert not {"GENO", "KOWALSKI"} & set(re.split(r"[|^]", clean(segment)[segment[:3]]))


@pytest.mark.parametrize("number", ["771", "4410", "88213"])
@pytest.mark.parametrize("segment", ["FT1|1|||20240209||CG|J0696||||||||||{}", "OBR|1|||{}|x"])
def test_a_code_before_a_persons_names_is_that_persons_number(segment, number):
    doctor = f"{number}^Castellanos^Efraín"
    found = clean(f"PV1|1|I|||||{doctor}", segment.format(doctor))
    assert number not in re.split(r"[|^]", found[segment[:3]])
    apart = segment.format(f"{number}0^Castellanos sign^L")
    assert f"{number}0" in re.split(r"[|^]", clean(f"PV1|1|I|||||{doctor}", apart)[segment[:3]])


def test_a_word_that_is_the_test_itself_stays() -> None:
    raw = f"{HEAD}\r{PID}\rOBX|1|TX|GROSS^Gross^L||Received core x5\r".encode()
    assert b"|GROSS^Gross^L|" in deidentified(raw)


@pytest.mark.parametrize(
    ("element", "stays"),
    [
        ("ROSS^Ross River virus^L", True),
        ("WHITFIELD^Whitfield Bay virus^L", True),
        ("WHITFIELD^Whitfield Bay virus", True),
        ("BARTHEL^Barthel index^L", True),
        ("WHITFIELD^Whitfield^L", False),
        ("WHITFIELD^Whitfield Mary^L", False),
        ("WHITFIELD^Mary virus^L", False),  # not the code's own text
        ("WHITFIELD^Whitfields River virus^L", True),  # shortens it
        ("QUICK^Quick^L", True),
        ("BURR^Burr Cells^CD", True),
        ("NOTT^Nottingham Hip Fracture Score", True),
        ("ANGLE^Angle class", True),
        ("MARGIN^Closest margin^L", True),
        ("STONE^Kidney stone analysis", True),
        ("CRUZ^Anticuerpos de Cruz Maria", False),
        ("BLACK^Black widow IgE", True),
    ],
)
def test_the_code_of_a_test_that_bears_a_name_stays(element, stays):
    code, *_ = element.split("^")
    raw = f"{HEAD}\rPID|1||4^^^NG^MR\rOBX|1|ST|{element}||5||||||F\r"
    out = deidentified(raw.encode()).decode()
    assert (f"|{code}^" in out) == stays


@pytest.mark.parametrize(
    ("segment", "gone", "stays"),
    [
        ("IN1|1|MCD|77731|X|||||||||||DUONG^VAN", "DUONG VAN", ""),
        ("IN1|1|MCD|77731|X|||||||||||MBEKI-ROSS^MARIA", "MBEKI ROSS MARIA", ""),
        ("IN1|1|MCD|77731|X|||||||||||FULL^PART", "", "FULL PART"),
        ("PV1|1|I|4W||||||||SMITH-OKAFOR", "SMITH OKAFOR", ""),
        ("FT1|1|||20240209||CG|J0696||||||||||1447^LUNDGREN^KAI", "1447 LUNDGREN KAI", "J0696"),
        ("FT1|1|||20240209||CG|99214^OFFICE VISIT^CPT", "", "99214 CPT"),
        ("OBR|1|||8812^Castellanos^Sarah", "8812 Castellanos Sarah", ""),
        ("OBX|1|CE|HAIR^Hair||1^BROWN^GRAY", "", "1 BROWN GRAY"),
        ("OBX|1|CE|NURSE^Charge nurse||7712^Ravi Castellanos^L", "7712 Ravi Castellanos", "L"),
        ("OBX|1|CE|TECH^Technologist||T88^Gomez, Ana^L", "T88 Gomez Ana", "L"),
        ("OBX|1|CE|TECH^Technologist||AGOMEZ^Gomez, Ana", "AGOMEZ Gomez Ana", ""),
        ("OBX|1|CE|MED^Médico solicitante||^Castellanos Ruiz, Nerea^L", "Castellanos Nerea", "L"),
        ("OBX|1|CE|NURSE^Charge nurse||7712^Ravi Castellanos RN^L", "7712", "L"),
        ("OBX|1|CE|CG^Caregiver||MTH^Mother", "", "MTH Mother"),
        ("OBX|1|CE|CONS^Consultant||C1^Marguerite Castellanos MD^L", "", "C1 MD L"),
        ("OBX|1|CE|SPEC^Provider type||207R^Internal medicine^L", "", "207R Internal medicine L"),
        ("OBX|1|CE|ORG^Organism||42^CANDIDA^LAB", "", "42 CANDIDA LAB"),
        ("OBX|1|ST|VENT^Vent mode^99PHIL||SIMV", "", "VENT 99PHIL"),
        ("OBX|1|ST|HJB^Howell-Jolly^CD||1+", "", "HJB Howell-Jolly CD"),
        ("OBX|1|ST|PEL^Pelger-Huet^99BECK||1+", "", "PEL Pelger-Huet 99BECK"),
    ],
)
def test_a_person_among_codes_goes_whole_and_codes_stay(segment, gone, stays):
    found = clean(segment)[segment[:3]]
    assert not {word for word in gone.split() if re.search(rf"\b{word}\b", found)}
    assert [word for word in stays.split() if word not in re.split(r"[|^ ]", found)] == []


def test_a_code_that_shortens_its_text_is_not_the_patients_name():
    pid = PID.replace("Okonjo^Wilhelmina", "Okonjo^Margit")
    assert "|MARGIN^Closest margin" in clean("OBX|1|ST|MARGIN^Closest margin||1 mm", pid=pid)["OBX"]
    assert "MARGIT" not in clean("OBX|1|ST|MARGIT^Closest margit||1 mm", pid=pid)["OBX"]


@pytest.mark.parametrize(
    ("code", "stays"),
    [
        ("CARD^Cardiology", True), ("OPHTH^Ophthalmology", True), ("KOWAL^Kowalski", False),
        ("CARD^Cardona", False), ("MARI^Maria Lopez", False),
    ],
)  # fmt: skip
def test_a_code_that_begins_a_word_of_its_text_stays_everywhere(code, stays):
    for segment in (f"RF1|A|R|{code}", f"PV2|||{code}", f"FT1|1||||||{code}"):
        out = clean(segment)[segment[:3]]
        assert (code in out) is stays, segment
