"""An identifier of the message's people goes out of no field, wherever a sender puts it."""

from fhir_helpers import pipeline
from hypothesis import assume, example, given
from hypothesis import strategies as st

from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.maps.field_map import field_map

HEAD = (
    "MSH|^~\\&|LAB|MAPLE GROVE|EHR|050|20240315||ORU^R01|M1|P|2.5\r"
    "PID|1||88123471^^^HOSP^MR||Quackenbush^Zebulon^Orson||19430612|M|||"
    "12 Elm St^^Oleander^MA^02139||617-555-0142|||||ACC9907712|123-45-6789\r"
)
PLANTED = (
    "123-45-6789", "123456789", "88123471", "ACC9907712", "617-555-0142", "(617)555-0142",
    "zeb.quack@mail.org", "Quackenbush", "QUACKENBUSH", "Zebulon", "Quackenbush, Zebulon",
    "MRN 88123471", "19430612", "06/12/1943", "0088123471", "20240507", "202405071530",
    "2024-05-07", "6175550199",
)  # fmt: skip
BARE = "6175550199"
"""Ten figures that no record knows: in a coded result they may be a code (SNOMED CT has such)."""
PIPELINE = pipeline()
_PLACES = [
    (segment, number)
    for segment, rules in sorted(field_map().segments.items())
    for number in sorted(rules)
    if segment not in ("MSH", "PID") and (segment, number) not in (("OBX", 2), ("NTE", 3))
]


def released(text):
    note = hl7v2.parse(text.encode(), language_default="en")
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), [])
    return hl7v2.render(note, clean).decode()


def at(segment, number, value):
    fields = [""] * number
    fields[number - 1] = value
    if segment == "OBX" and number != 2 and number > 1:
        fields[1] = "TX"
    return f"{HEAD}{segment}|{'|'.join(fields)}\r"


@given(
    place=st.sampled_from(_PLACES),
    value=st.sampled_from(PLANTED),
    before=st.sampled_from(["", "X^", "X^Y^", "^", "7~", "X&", "^^^^"]),
    after=st.sampled_from(["", "^Z", "^Text of it^L", "&B", "~C"]),
)
@example(("OBR", 4), "123-45-6789", "", "")  # beside its field
def test_a_planted_identifier_does_not_survive(place, value, before, after):
    assume(not (place == ("OBX", 5) and value == BARE and before + after))
    out = released(at(*place, before + value + after))
    assert value.casefold() not in out.split("\r", 2)[2].casefold()


SIGNS = HEAD.replace("LAB|MAPLE GROVE|EHR|050", "LAB|HOSP|BRIXTON|MAPLE")


def test_a_lone_word_for_an_institution_goes_out_of_the_text_too():
    clean = released(SIGNS + "OBX|1|TX|1||Sent to BRIXTON by fax, maple tea; MAPLE notified.\r")
    assert "BRIXTON" not in clean
    assert "MAPLE" not in clean
    assert "maple tea" in clean


def test_a_clinical_word_for_an_institution_is_not_looked_for():
    clean = released(SIGNS.replace("MAPLE", "FOLEY") + "OBX|1|TX|1||FOLEY placed\r")
    assert "FOLEY placed" in clean
