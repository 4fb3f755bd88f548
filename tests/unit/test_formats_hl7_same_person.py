"""One person has one surrogate in all messages, whatever else a message shows of the name."""

import pytest
from test_formats_hl7_kept import deidentified

HEAD = "MSH|^~\\&|LAB|X|EHR|Y|20240315||ORU^R01|1|P|2.5"


def named(given: str, said: str) -> str:
    raw = f"{HEAD}\rPID|1||884512^^^H^MR||NG^{given}^A\r{said}"
    return deidentified(raw.encode()).decode().split("\r")[1].split("|")[5]


@pytest.mark.parametrize("given", ["JO", "MO", "BO", "AL", "TY", "LEE", "ANA"])
def test_a_short_given_name_in_capitals_is_the_same_where_the_text_calls_it(given: str) -> None:
    said = f"NTE|1|L|Called {given.capitalize()}'s sister at the desk.\r"
    alone = named(given, "")
    assert alone.split("^")[1] != given
    assert named(given, said) == alone


def test_a_resource_is_the_person_that_it_is_called_by_and_a_machine_stays_one() -> None:
    said = "AIG|1|A|77^QUISPE, MATEO MD\rAIG|2|A|78^MRI SCANNER 2\rAIP|1||55^QUISPE^MATEO^^^^MD"
    raw = f"{HEAD}\rPID|1||884512^^^H^MR||NG^ANA^A\r{said}\r".encode()
    person, machine, staff = (
        segment.split("|")[3].split("^") for segment in deidentified(raw).decode().split("\r")[2:5]
    )
    assert person[1] == f"{staff[1]}, {staff[2]} MD"
    assert person[1] != "QUISPE, MATEO MD"
    assert machine == [machine[0], "MRI SCANNER 2"]
    assert machine[0] != "78"
