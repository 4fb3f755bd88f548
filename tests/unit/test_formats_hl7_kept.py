"""What a message keeps holds no identifier of its people, and its codes and values stay."""

import re

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats.hl7 import message
from stream_deid.note import SHARED
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import POLICIES, Policy

WITHOUT_MODELS = {
    name: Pipeline(
        {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
        Surrogates(Policy.named(name), b"0123456789abcdef"),
        "test",
    )
    for name in POLICIES
}
EXPERT = "expert-determination"
HEAD = "MSH|^~\\&|LAB|NORTH GENERAL|EHR|SITE|20240315093012||ORU^R01|{control}|P|2.5.1"
PID = (
    "PID|1||40817263^^^NG^MR~521-64-9083^^^USA^SS||Okonjo^Wilhelmina||19500401|F|||||(617)555-0148"
)


def deidentified(raw: bytes, policy: str = EXPERT) -> bytes:
    """A message by patterns and known values alone."""
    pending = WITHOUT_MODELS[policy].begin(message.parse(raw, language_default="en"))
    done, _ = WITHOUT_MODELS[policy].finish(pending, ())
    return message.render(pending.note, done)


def clean(
    *segments: str, control: str = "MSG4711", policy: str = EXPERT, pid: str = PID
) -> dict[str, str]:
    """The segments after de-identification, by name."""
    raw = "\r".join((HEAD.format(control=control), pid, *segments)) + "\r"
    lines = re.split("\r(?=[A-Z][A-Z0-9]{2}\\|)", deidentified(raw.encode(), policy).decode())
    return {line[:3]: line.rstrip("\r") for line in lines}


@pytest.mark.parametrize(
    "segment",
    [
        "OBR|1|P1|F1|40817263^PANEL^L",  # the record number as a code
        "OBR|1|P1|F1|PANEL^PANEL^L|521-64-9083",
        "OBX|1|NM|GLU^GLUCOSE^L||5|mg/dL|521-64-9083",
        "OBX|1|NM|OKONJO^OKONJO^L||5",
        "OBX|1|CE|X^X^L||WILHELMINA^^L",
        "OBX|1|NM|617-555-0148^X^L||5",
        "OBX|1|NM|w.okonjo@example.org^X^L||5",
        "PV1|1|OKONJO",
        "NTE|1|L\rsaw Wilhelmina Okonjo born 19500401 MRN 40817263",
        "EVN|OKONJO",
    ],
)
def test_an_identifier_beside_its_field_is_replaced(segment: str) -> None:
    shown = "\n".join(clean(segment).values()).casefold()
    for value in ("40817263", "521-64-9083", "okonjo", "wilhelmina", "555-0148", "19500401"):
        assert value not in shown


def test_a_double_name_is_replaced_whole() -> None:
    pid = "PID|1||40817263^^^NG^MR||Nakagawa-Obi^Thaddeus"
    shown = clean("OBX|1|CE|X^X^L||NAKAGAWA-OBI^Nakagawa-Obi Nsofor^L", pid=pid)["OBX"]
    assert "obi" not in shown.casefold()
    assert "Nsofor" in shown
    assert "OBI" in clean("OBX|1|CE|X^X^L||OBI^OBI^L", pid=pid)["OBX"]  # alone it is a code


@pytest.mark.parametrize("number", ["1EG4TE5MK73", "1EG4-TE5-MK73"])
@pytest.mark.parametrize(
    "segment", ["IN1|1|MCR|{}", "PV1|1|I||||||||||||||||{}", "OBR|1|P1|F1|{}^X^L"]
)
def test_a_number_of_medicare_is_known_by_its_form(segment: str, number: str) -> None:
    assert number not in "\n".join(clean(segment.format(number)).values())


def test_text_that_lost_its_segment_is_examined() -> None:
    raw = HEAD.format(control="A1") + "\rWilhelmina Okonjo, MRN 40817263, born 04/01/1950\r" + PID
    shown = deidentified(raw.encode()).decode()
    assert "Okonjo" not in shown
    assert "40817263" not in shown
    assert "04/01/1950" not in shown


CONTROL_IDS = (
    "20240315093012", "20240315093012.117", "LAB-20240314-0007", "031520240930", "240315093012",
    "1710495012", "1710495012345", "NG40817263", "2024-03-15T09:30:12", "OKONJO-7", "MSG4711",
    "Q1T7", "00048123", "ABC-17-22", "7", "A", "X\\T\\Y", "a~b^c",
)  # fmt: skip


@pytest.mark.parametrize("policy", ["expert-determination", "safe-harbor", "limited-data-set"])
@pytest.mark.parametrize("control", CONTROL_IDS)
def test_a_control_id_becomes_a_token_that_tells_nothing(control: str, policy: str) -> None:
    made = clean(control=control, policy=policy)["MSH"].split("|")[9]
    assert re.fullmatch("[A-Z0-9]{20}", made)
    assert control.casefold() not in made.casefold()


@pytest.mark.parametrize("policy", ["expert-determination", "safe-harbor"])
def test_an_answer_names_the_token_of_its_message_whoever_it_is_about(policy: str) -> None:
    asked = clean(control="LAB-0007", policy=policy)["MSH"].split("|")[9]
    other = "PID|1||99999999^^^NG^MR||Roe^Ann"
    answer = clean("MSA|AA|LAB-0007||12", control="8", policy=policy, pid=other)["MSA"].split("|")
    assert answer[2] == asked
    assert answer[4:] == [""]


def test_counts_of_messages_do_not_go_out() -> None:
    head = HEAD.format(control="1") + "|48123"
    shown = deidentified(f"{head}\r{PID}\r".encode()).decode()
    assert "48123" not in shown


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|1|NM|718-7^Hemoglobin^LN||13.2|g/dL|12.0-16.0|N",
        "OBX|1|NM|40817-2^Something^LN||40817|10*3/uL",  # as long a number as part of the MRN
        "DG1|1||G20^Parkinson disease^I10",
        "OBR|1|||4548-4^Hemoglobin A1c^LN",
    ],
)
def test_codes_and_values_stay(segment: str) -> None:
    assert segment in clean(segment).values()


def test_a_sentence_where_no_code_stands_is_a_text_like_any_other():
    typed = "^Chest pain since 3/12, her husband drove her here"
    out = clean(f"OBX|1|CWE|8661-1^Chief complaint^LN||{typed}")["OBX"]
    assert "3/12" not in out
    assert "^Chest pain since " in out
    few = "OBX|1|CWE|8661-1^Complaint^LN||^Pain 3/12 now"
    assert clean(few)["OBX"] == few
    coded = "OBX|1|CWE|8661-1^Complaint^LN||A1^Pain of 3/12 on the left side^99X"
    assert clean(coded)["OBX"] == coded


def test_the_character_set_stays_whoever_is_called_so():
    """Found by `fuzz`: an output that nobody could read again."""
    header = "MSH|^~\\&|A|B|C|D|20240315||ORU^R01|M1|P|2.5||||||UNICODE UTF-8\r"
    note = message.parse(f"{header}PID|1||4711^^^H^MR||Unicode^Utf\r".encode())
    assert not [part for part in note.parts if part.path.startswith("MSH[1]-18")]


@pytest.mark.parametrize("control", ["\0", "\n", "\t", "\x1c"])
def test_a_kept_field_with_control_characters_is_a_text_that_lost_its_place(control):
    raw = f"MSH|^~\\&|A|B|C|D|20240507||ORU^R01|7|P|2.5\rOBX|1|NM|N||5||||||F{control}Plumbaxi\r"
    (part,) = [part for part in message.parse(raw.encode()).parts if "Plumbaxi" in part.text]
    assert part.examine


@pytest.mark.parametrize(
    "segment",
    [
        "PID|1||11^^^20240507^MR",  # CX.4
        "PV1|1|20240507",
        "TXA|1|20240507",
        "TXA|1|CN||||||||||11^20240507",  # EI.2
        "DG1|1|20240507",
        "NTE|1|20240507|x",
        "OBX|1|NM|GLU^GLUCOSE^L||5|20240507",
        "PR1|1|20240507",
        "RXA|0|1|||X^X^CVX|1|20240507",
        "RXE||X^X^NDC|1||20240507",
        "RXO|X^X^NDC|1||20240507",
        "OBX|23|TX|X^X^L||x|||||F||||||||||||A CLINIC^^^^^20240507",  # XON.6
        "OBR|1|||20240507^X^LN",  # no code of LOINC
        "OBR|1|||1-8^20240507^LN",
        "OBR|1|||X-20240507^X^L",
        "OBR|1|||2024-05-07",
        "OBR|1|||05072024",
        "OBR|1|||202405071530^X^L",
        "OBX|1|NM|GLU^GLUCOSE^L||20240507",
        "OBX|1|ST|GLU^GLUCOSE^L||20240507",
        "OBX|1|CWE|GLU^GLUCOSE^L||X^202405071530^L",
        "OBX|1|CWE|GLU^GLUCOSE^L||X^05072024 0930^L",
        "OBR|1|||07-MAY-2024^X^L",
        "OBR|1|||7 May 2024",
        "DG1|1||MAY 7, 2024",
    ],
)
@pytest.mark.parametrize("policy", ["expert-determination", "safe-harbor"])
def test_a_date_in_a_field_that_is_kept_is_one(segment: str, policy: str) -> None:
    shown = "\n".join(list(clean(segment, policy=policy).values())[2:])
    assert not re.search("(?i)20240507|05072024|2024-05-07|7[ -]may|may 7", shown)


def test_a_date_alone_in_a_kept_field_moves_as_the_others_do() -> None:
    made = clean("PV1|1|20240507", "EVN||20240507")
    assert made["PV1"].split("|")[2] == made["EVN"].split("|")[2]


@pytest.mark.parametrize("number", ["40817263", "0040817263", "00040817263"])
@pytest.mark.parametrize("mrn", ["40817263", "0040817263"])
@pytest.mark.parametrize(
    "segment", ["OBX|1|NM|GLU^X^L||{}", "OBX|1|NM|GLU^X^L||{}|mg", "OBR|1|||{}^X^L", "DG1|1||{}"]
)
def test_the_records_own_number_is_known_by_any_count_of_zeros(
    mrn: str, number: str, segment: str
) -> None:
    pid = f"PID|1||{mrn}^^^NG^MR||Okonjo^Wilhelmina"
    assert "40817263" not in list(clean(segment.format(number), pid=pid).values())[2]


@pytest.mark.parametrize(
    ("kind", "value", "unit"),
    [
        ("NM", "408172", ""), ("NM", "408172", "mg"), ("NM", "6175550199", ""),
        ("NM", "1715068800", ""), ("NM", "1715068800123", ""), ("NM", "1715068800", "s"),
        ("NM", "1715068800123", "ms"), ("NM", "900123456", ""), ("SN", "=^6175550199", ""),
        ("SN", "^1715068800", "s"), ("NM", "1715068800.25", ""),
    ],
)  # fmt: skip
def test_a_number_that_measures_nothing_is_replaced(kind: str, value: str, unit: str) -> None:
    pid = "PID|1||000408172^^^NG^MR||Okonjo^Wilhelmina"
    made = clean(f"OBX|1|{kind}|XYZ^Something^L||{value}|{unit}", pid=pid)["OBX"].split("|")[5]
    digits = re.sub(r"\D", "", value)
    assert digits not in re.sub(r"\D", "", made)
    assert made.count("^") == value.count("^")


@pytest.mark.parametrize("kind", ["DT", "TS", "CX", "EI", "PL", "TN", "XCN", "NM"])
def test_a_unit_makes_no_value_of_a_date_or_an_id(kind: str) -> None:
    made = clean(f"OBX|1|{kind}|X^Y^L||20240315|mg")["OBX"].split("|")
    assert made[5] != "20240315"


@pytest.mark.parametrize(
    ("kind", "value", "unit"),
    [
        ("NM", "1200000", ""), ("NM", "1200000", "/uL"), ("NM", "20240507", "{copies}/mL"),
        ("NM", "245000000", ""), ("NM", "245123000", ""), ("NM", "1200000000", ""),
        ("NM", "6175550199", "{copies}/mL"), ("NM", "1715068800", "/L"), ("NM", "40817", "/uL"),
        ("SN", "&gt;^1000000", "[CFU]/mL"), ("NM", "0.00001234567", "mol/L"), ("NM", "86400", "s"),
        ("SN", "^1^:^1024", ""), ("NM", "12345678", ""), ("NM", "-40", "dB"),
    ],
)  # fmt: skip
def test_a_value_stays_however_large(kind: str, value: str, unit: str) -> None:
    pid = "PID|1||00040817^^^NG^MR||Okonjo^Wilhelmina"
    segment = f"OBX|1|{kind}|XYZ^Something^L||{value}|{unit}"
    assert clean(segment, pid=pid)["OBX"] == segment


@pytest.mark.parametrize(
    "segment",
    [
        "OBR|1|||271737000^Anemia^SCT",
        "OBR|1|||20240507^Something^SCT",
        "RXE||0002024050^X^NDC",
        "OBR|1|||6175550199^X^NDC",
        "OBR|1|||99991231",
        "OBX|1|NM|99999-9^X^LN||4|2.16.840.1.113883.6.8",
    ],
)
def test_codes_of_public_systems_stay(segment: str) -> None:
    assert segment in clean(segment).values()


@pytest.mark.parametrize("authority", ["NG", "NGH", "NGMC", "NORTH", "North", "NORTH_GENERAL"])
def test_who_gives_numbers_tells_nothing_of_the_facility_beside_it(authority: str) -> None:
    made = clean("PV1|1|I", pid=f"PID|1||40817263^^^{authority}^MR~7^^^NPI^XX||Okonjo")["PID"]
    assert f"^{authority}^" not in made
    assert "^NPI^" in made


@pytest.mark.parametrize(
    ("house", "authority"),
    [("NORTHGATE", "NGH"), ("PINECREST", "PC"), ("HOSP LUCENA", "LUC"), ("HARROW MEM", "HM"),
     ("NORTHGATE", "NORTH"), ("WESTBURY", "WBMC")],
)  # fmt: skip
def test_what_shortens_the_facility_tells_nothing_of_it(house: str, authority: str) -> None:
    head = f"MSH|^~\\&|LAB|{house}|EHR|SITE|20240315||ORU^R01|1|P|2.5.1"
    shown = deidentified(f"{head}\rPID|1||40817263^^^{authority}^MR~7^^^XQZ^MR\r".encode()).decode()
    assert f"^{authority}^" not in shown
    assert "^XQZ^" in shown


def test_a_hospitals_acronym_is_replaced_wherever_it_gives_numbers() -> None:
    head = "MSH|^~\\&|LAB|MGH|EHR|SITE|20240315||ORU^R01|1|P|2.5.1"
    lines = (
        "PID|1||40817263^^^MGH^MR~7^^^NPI^XX||Okonjo^Wilhelmina",
        "MRG|55^^^MGH^MR",
        "ORC|RE|9912^MGH",
    )
    shown = deidentified(f"{head}\r{chr(13).join(lines)}\r".encode()).decode()
    assert "MGH" not in shown
    made = [line.split("|") for line in shown.split("\r")]
    facility = made[0][3]
    assert made[1][3].split("~")[0].split("^")[3] == facility == made[3][2].split("^")[1]
    assert "NPI" in made[1][3]
    before = f"{head}\rPID|1||55^^^MGH^MR\r"
    own = deidentified(before.encode()).decode().split("\r")[1].split("|")[3]
    assert own == made[2][1]


@pytest.mark.parametrize(
    "segment",
    [
        "OBX|1|ST|X^Y^L||6175550199",
        "OBX|1|CWE|X^Y^L||X^6175550199^L",
        "AL1|1||X^6175550199^L",
        "PV1|1|I|||||1^Roe^Ann^^^6175550199",
        "OBR|1|||6175550199",
        "OBR|1|||1-8^6175550199^LN",
        "PV1|1|6175550199",
    ],
)
def test_ten_digits_of_a_telephone_number_are_one(segment: str) -> None:
    assert "6175550199" not in "".join(clean(segment).values())


def test_no_code_of_a_public_system_is_a_name() -> None:
    made = clean("OBR|1|||OKONJO^Okonjo test^LN")["OBR"].split("|")[4]
    assert "OKONJO" not in made
    assert made.endswith("^Okonjo test^LN")


DISGUISES = (
    "\u041eKONJ\u041e",  # Cyrillic O at both ends
    "ＯＫＯＮＪＯ",
    "OKO\u200bNJO",
    "Okónjo",
    "Oko\u0301njo",
    "４０８１７２６３",
    "408\u200b17263",
    "521\uff0d64\uff0d9083",
    "521\u201164\u20119083",
    "６１７-555-0148",
    "w.okonjo＠example.org",
)


@pytest.mark.parametrize("written", DISGUISES)
@pytest.mark.parametrize("place", ["OBR|1|P1|F1|{}^X^L", "PV1|1|{}", "OBX|1|CE|X^X^L||{}^^L"])
def test_what_is_kept_is_read_as_a_reader_sees_it(written: str, place: str) -> None:
    segment = place.format(written)
    pid = f"{PID}^^w.okonjo@example.org"
    assert segment not in clean(segment, pid=pid).values()
    assert written not in "".join(clean(segment, pid=pid).values())


HEADER = {
    "MSH": (3, 5, 9, 11, 12, 15, 16, 17, 19, 20, 21),
    "EVN": (1,),
    "MSA": (1,),
    "SFT": (1, 2, 3, 4, 5),
}


@pytest.mark.parametrize(
    ("name", "number"), [(n, k) for n, all_of in HEADER.items() for k in all_of]
)
@pytest.mark.parametrize("said", ["Kowalski", "KOWALSKI", "jkow", "Ana Kowalski", "Ng, W", "J7"])
def test_a_header_field_is_on_a_closed_list_or_replaced_or_examined(name, number, said) -> None:
    fields = ["MSH", "^~\\&", *[""] * 20] if name == "MSH" else [name, *[""] * 6]
    if name == "MSH":
        fields[8] = "ORU^R01"
    fields[number - (name == "MSH")] = said
    msh = "" if name == "MSH" else "MSH|^~\\&|LAB|X|EHR|Y|20240315||ORU^R01|1|P|2.5\r"
    raw = f"{msh}{'|'.join(fields)}\rPID|1||4711^^^H^MR||Roe^Ann\r"
    (part,) = [p for p in message.parse(raw.encode()).parts if said in p.text]
    whole = [(span.start, span.end) for span in part.declared] == [(0, len(said))]
    assert whole if "kow" in said.lower() else part.examine and part.coded
    assert part.subject == SHARED  # an interface has one name, whoever the message is about


def test_what_interfaces_say_of_themselves_stays() -> None:
    raw = (
        "MSH|^~\\&|EPIC_ADT1^2.16.840.1.113883.3.4^ISO||CERNER LAB||20240315||ADT^A01^ADT_A01|1"
        "|P^T|2.5.1^USA"
        "|||AL|NE|USA|8859/1|es^Spanish^ISO639||PHLabReport-NoAck^ELR_Receiver^2.16.840.1.113883.9.11^ISO"
        "\rEVN|A01\rSFT|Epic|2023.1||v12\r"
    )
    assert not [part.path for part in message.parse(raw.encode()).parts if part.examine]


@pytest.mark.parametrize("known", ["00000", "0012", "00123", "000012345"])
@pytest.mark.parametrize("more", ["", "0", "000"])
def test_numbers_of_few_digits_behind_zeros_stop_no_message(known, more):
    done = deidentified(f"MSH|^~\\&|||||||M\rSCH|{known}||{more}{known}".encode())
    assert more + known not in done.decode().split("\r")[1].split("|")[3:] or known == "0012"


def test_the_old_number_of_a_merge_is_the_same_in_a_comment():
    old = "55120987"
    note = f"NTE|1||Duplicate {old} closed, now 40817263."
    found = clean("EVN|A40", note, f"MRG|{old}^^^MGH^MR||||||Roe^Ann")
    alone = clean("EVN|A40", f"MRG|{old}^^^MGH^MR||||||Roe^Ann")
    merged = found["MRG"].split("|")[1].split("^")[0]
    assert merged != old
    assert alone["MRG"].split("|")[1].split("^")[0] == merged
    assert f"Duplicate {merged} closed" in found["NTE"]
    assert f"now {found['PID'].split('|')[3].split('^')[0]}." in found["NTE"]


@pytest.mark.parametrize("before", [("|1|", "||1|"), ("|1|", "|1||")])
def test_a_visit_that_stands_a_field_too_far_behind_is_read_all_the_same(before):
    visit = (
        "PV1|1|O|CLN4^12^A^NG|R|||4417^Castellanos^Efraín|88213^Ashdown^Percival||CAR||||7|||"
        "771^Radcliffe^Osbert|IP|A00918273|MCR"
    )
    there = clean(visit)["PV1"]
    moved = clean(visit.replace(*before, 1))["PV1"]
    assert moved == there.replace(*before, 1)
    kept = [there.split("|")[n] for n in (2, 4, 10, 14, 18, 20)]
    assert kept == ["O", "R", "CAR", "7", "IP", "MCR"]


@pytest.mark.parametrize("visit", ["PV1|1||O|R||", "PV1|1|O|E|R", "PV1|1|O|||A1", "PV1||O|2|R"])
def test_a_visit_at_its_place_is_not_moved(visit):
    assert clean(visit)["PV1"].split("|")[4] == visit.split("|")[4]


@pytest.mark.parametrize(
    ("segment", "pid"),
    [
        ("OBX|1|ST|STN^Kidney stone analysis^L||80 %", "Stone^Rose"),
        ("OBX|1|ST|CALL^Critical called to^L||", "Okonjo^Ada"),
        ("OBX|1|CWE|GEN^Gene^L||BRCA1^BRCA1^L", "Okonjo^Ada"),
    ],
)
def test_the_name_of_a_test_stays_whoever_is_called_so(segment: str, pid: str) -> None:
    assert clean(segment, pid=f"PID|1||40817263^^^NG^MR||{pid}")["OBX"] == segment


@pytest.mark.parametrize("said", ["STONE", "Stone analysis", "saw stone", "saw stone rose", "Rose"])
def test_a_name_in_a_tests_name_goes_where_it_is_no_word_of_it(said: str) -> None:
    pid = "PID|1||40817263^^^NG^MR||Stone^Rose"
    shown = clean(f"OBX|1|ST|STN^{said}^L||80 %", pid=pid)["OBX"].casefold()
    assert not {"stone", "rose"} & set(re.findall(r"[a-z]+", shown))


def test_a_person_among_codes_goes_whole_whatever_word_a_surname_is() -> None:
    person = "7712^Cash^Penny"
    charge = f"FT1|1|T1|B1|20240306|20240307|CG|99213^Visit^C4||||||||||||{person}|{person}"
    shown = clean(charge)["FT1"]
    assert not {"7712", "Cash", "Penny"} & set(re.split(r"[|^]", shown))
