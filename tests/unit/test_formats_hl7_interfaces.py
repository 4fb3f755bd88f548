"""A site's own maps: which messages they take, what they change, and what is wrong with them."""

from dataclasses import replace
from pathlib import Path

import pytest
from formats_helpers import untouched

from stream_deid.config.settings import Formats
from stream_deid.errors import Halt, NoteRejected
from stream_deid.formats import Fhir, Hl7v2
from stream_deid.formats.hl7 import message as hl7v2

MESSAGE = (
    "MSH|^~\\&|EPIC|MERCY|EHR|050|20240315||ADT^A08|M1|P|2.5\r"
    "PID|1||4711^^^EAST^MR||Doe^Jane" + "|" * 30 + "Labrador\r"
    "ZPD|1|Roe^Richard|20240101|secret\r"
)
MAP = """
[match]
application = "EPIC"
types = ["ADT"]

[authorities]
EAST = ""

[segments.ZPD]
person = "kin"
1 = "keep"
2 = "XPN:PATIENT"
3 = "date"

[segments.PID]
"35-38" = "drop"
"""


def parsed(tmp_path, *maps, message=MESSAGE):
    names = []
    for number, text in enumerate(maps):
        names.append(tmp_path / f"{number}.toml")
        names[-1].write_text(text)
    return Hl7v2(replace(Formats(), hl7_maps=tuple(map(str, names)))).parse(message.encode())


def test_a_map_adds_segments_moves_fields_and_names_authorities(tmp_path):
    note = parsed(tmp_path, MAP)
    assert note.patient_id == "4711"
    assert note.withheld == ("PID[1]-35", "ZPD[1]-4")
    assert {"Roe", "Richard", "Doe", "Jane"} <= {known.value for known in note.known}
    assert [part.text for part in note.parts if part.path == "ZPD[1]-3"] == ["20240101"]


def test_without_a_map_the_segment_is_withheld(tmp_path):
    note = parsed(tmp_path)
    assert note.patient_id == "4711@EAST"
    assert note.withheld == ("ZPD[1]",)


@pytest.mark.parametrize(
    ("before", "after"),
    [("|EPIC|", "|CERNER|"), ("|ADT^A08|", "|ORU^R01|"), ("|EPIC|MERCY|", "|epic|MERCY|")],
)
def test_other_messages_are_read_by_the_projects_own_map(tmp_path, before, after):
    assert "ZPD[1]" in parsed(tmp_path, MAP, message=MESSAGE.replace(before, after)).withheld


def test_the_first_map_that_takes_a_message_is_the_one(tmp_path):
    first = MAP.replace('"EPIC"', '"EPIC"\nfacility = "WEST"')
    second = MAP.replace("EAST", "NORTH")
    assert parsed(tmp_path, first, second).patient_id == "4711@EAST"


def test_what_is_withheld_can_reject_the_message(tmp_path):
    with pytest.raises(NoteRejected, match=r"hl7\.withheld"):
        parsed(tmp_path, 'withheld = "reject"\n' + MAP)


def rendered(note):
    return hl7v2.render(note, untouched(note)).decode()


def test_a_tag_can_stand_in_place_of_words_that_are_withheld(tmp_path):
    out = rendered(parsed(tmp_path, 'withheld = "tag"\n' + MAP))
    assert out.endswith("|[WITHHELD]\rZPD|1|Roe^Richard|20240101|[WITHHELD]\r")
    assert rendered(parsed(tmp_path, MAP)).endswith("|\rZPD|1|Roe^Richard|20240101|\r")


def test_a_tag_stands_in_place_of_a_segment_and_never_of_what_programs_read(tmp_path):
    message = (
        MESSAGE.replace("1|Roe", "7|Roe")
        + "OBX|1|ED|T^T^L||LAB^AP^PDF^Base64^JVBERi0xLjQK||||||F\r"
        + "ZZ9|20240101|77\rPHILLIPS\rNTE|1|L|Stable.\r"
    )
    out = rendered(
        parsed(tmp_path, 'withheld = "tag"', message=message.replace("20240315", "soon"))
    )
    assert "ZPD|[WITHHELD]\rOBX|1|ED|T^T^L||[WITHHELD]^AP^PDF^Base64^||" in out
    assert out.startswith("MSH|^~\\&|EPIC|MERCY|EHR|050|||ADT")
    assert out.endswith("F\rZZ9|[WITHHELD]\rNTE|1|L|Stable.\r")


_WRONG = Path(__file__).parents[1] / "data" / "hl7_maps_wrong.tsv"


@pytest.mark.parametrize(
    ("text", "told"), [row.split("\t") for row in _WRONG.read_text("utf-8").splitlines()[1:]]
)
def test_a_wrong_map_is_told_by_its_key_before_any_message(tmp_path, text, told):
    with pytest.raises(Halt) as halted:
        parsed(tmp_path, text.replace("\\n", "\n"))
    assert halted.value.code == "hl7.map"
    assert "0.toml" in halted.value.detail
    assert told in halted.value.detail


def test_a_map_that_is_no_toml_is_told(tmp_path):
    with pytest.raises(Halt, match=r"hl7\.map.*0\.toml"):
        parsed(tmp_path, "[segments.ZPD]\n1 = 'keep")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("", "[match]\napplication='EPIC'"),
        ("[match]\napplication='EPIC'", "[match]\napplication='EPIC'"),
        ("[match]\napplication='EPIC'", "[match]\napplication='EPIC'\nfacility='M'"),
        ("[match]\ntypes=['ADT']", "[match]\ntypes=['ADT^A01', 'ADT^A08']"),
    ],
)
def test_a_map_that_would_never_be_used_is_told(tmp_path, first, second):
    with pytest.raises(Halt, match=r"hl7\.map.*1\.toml.*never be used"):
        parsed(tmp_path, first, second)
    parsed(tmp_path, second if first != second else "[match]\ntypes=['ADT']", first)


def test_a_circle_of_authorities_in_the_settings_is_told():
    for form in (Hl7v2, Fhir):
        with pytest.raises(Halt, match=r"formats\.authorities.*EAST"):
            form(replace(Formats(), authorities={"EAST": "WEST", "WEST": "EAST"}))


def test_a_type_without_a_first_component_withholds(tmp_path):
    rules = (
        "[types.ZZT]\n2='keep'\n[segments.ZPD]\n2='ZZT'\n[types.ZZU]\n1='ZZV'\n[types.ZZV]\n1='ZZT'"
    )
    note = parsed(tmp_path, rules + "\n[segments.ZPE]\n1='ZZU'", message=MESSAGE + "ZPE|a^b&c\r")
    assert "Roe" not in rendered(note)


@pytest.mark.parametrize(
    "declared", ["[match]\napplication = '{}'", "applications = ['SE050', '{}']"]
)
@pytest.mark.parametrize("name", ["TRKBRD", "North Desk", "SE050", "Trk-Brd7"])
def test_a_map_declares_the_names_of_its_applications(tmp_path, declared, name):
    message = MESSAGE.replace("EPIC", name)
    assert rendered(parsed(tmp_path, declared.format(name), message=message)).split("|")[2] == name


def test_only_the_declared_application_stays(tmp_path):
    message = MESSAGE.replace("EPIC", "Quillfeather").replace("EHR", "TRKBRD")
    note = parsed(tmp_path, "applications = ['TRKBRD']", message=message)
    assert [part.text for part in note.parts if part.path == "MSH[1]-3"] == ["Quillfeather"]
    assert "MSH[1]-5" not in {part.path for part in note.parts}


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(Halt, match=r"hl7\.map.*gone\.toml"):
        Hl7v2(replace(Formats(), hl7_maps=("/gone.toml",)))
