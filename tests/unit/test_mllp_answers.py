"""What a sender is told: MSA-1 by mode, ERR by version, never a word of the message's body."""

import re

import hl7
import pytest
from hl7apy.consts import VALIDATION_LEVEL
from hl7apy.parser import parse_message

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7.maps.interfaces import Interface
from stream_deid.mllp import answer, header
from stream_deid.mllp.arrival import Registrar
from stream_deid.mllp.receiver import acknowledgment

BODY = b"\rPID|1||12345^^^HOSP^MR||GARCIA^ANA\rOBX|1|TX|N||Ana Garcia came in\r"


def message(control=b"C1", version=b"2.5.1", accept=b"", application=b"", kind=b"ADT^A01"):
    fields = [b"MSH", b"^~\\&", b"LAB", b"SITE", b"DEID", b"HUB", b"20260101", b"", kind, control,
              b"P", version, b"", b"", accept, application, b"", b"8859/1"]  # fmt: skip
    return b"|".join(fields) + BODY


def told(raw, wrong=None):
    return answer.answer(header.read(raw), answer.problem(wrong) if wrong else None)


def parsed(raw, wrong=None):
    return hl7.parse(told(raw, wrong)[1].decode())


def test_original_mode_answers_everything():
    ack = parsed(message())
    assert [str(ack.segment("MSA")[n]) for n in (1, 2)] == ["AA", "C1"]
    msh = ack.segment("MSH")
    assert [str(msh[n]) for n in (3, 4, 5, 6)] == ["DEID", "HUB", "LAB", "SITE"]
    assert [str(msh[n]) for n in (9, 11, 12, 18)] == ["ACK^A01^ACK", "P", "2.5.1", "8859/1"]
    assert re.fullmatch(r"\d{14}\+0000", str(msh[7]))
    assert str(msh[10]) != "C1"
    assert len(ack) == 2


@pytest.mark.parametrize(
    ("accept", "application", "well", "code", "sent"),
    [
        (b"", b"", True, "AA", True), (b"", b"", False, "AE", True),
        (b"AL", b"", True, "CA", True), (b"AL", b"AL", False, "CE", True),
        (b"AL", b"NE", True, "CA", True), (b"NE", b"AL", True, "AA", True),
        (b"", b"AL", False, "AE", True), (b"NE", b"NE", False, "AE", False),
        (b"ER", b"NE", True, "AA", False), (b"ER", b"NE", False, "CE", True),
        (b"SU", b"NE", True, "CA", True), (b"SU", b"NE", False, "AE", False),
        (b"ER", b"AL", True, "AA", True), (b"al", b"ne", True, "CA", True),
    ],
)  # fmt: skip
def test_enhanced_mode_answers_as_msh_15_and_16_ask(accept, application, well, code, sent):
    raw = message(accept=accept, application=application)
    said, out = told(raw, None if well else "mllp.kafka")
    assert (said, bool(out)) == (code, sent)
    if sent:
        assert acknowledgment(out) == (code, b"C1")


@pytest.mark.parametrize(
    ("code", "kind", "condition"),
    [
        ("mllp.header", "AR", "100"), ("mllp.control_id", "AR", "101"),
        ("mllp.too_large", "AR", "207"), ("mllp.kafka", "AE", "207"), ("mllp.busy", "AE", "207"),
        ("hl7.charset", "AR", "103"), ("hl7.encoding", "AR", "102"), ("hl7.batch", "AR", "100"),
        ("hl7.msh", "AR", "100"), ("something.else", "AE", "207"),
    ],
)  # fmt: skip
def test_errors_say_why_in_err(code, kind, condition):
    ack = parsed(message(), code)
    assert str(ack.segment("MSA")[1]) == kind
    err = ack.segment("ERR")
    assert str(err[3]).split("^")[0::2] == [condition, "HL70357"]
    assert (str(err[4]), str(err[5])) == ("E", f"{code}^^L")


def test_errors_before_2_5_stand_in_err_1():
    ack = parsed(message(version=b"2.3"), "mllp.control_id")
    assert str(ack.segment("ERR")[1]) == "MSH^1^10^101&Required field missing&HL70357"
    assert str(ack.segment("MSH")[9]) == "ACK"


@pytest.mark.parametrize("version", ["2.3.1", "2.4", "2.5", "2.5.1", "2.6", "2.8"])
@pytest.mark.parametrize("wrong", [None, "mllp.kafka", "mllp.control_id"])
def test_answers_are_valid_by_the_standards_own_tables(version, wrong):
    raw = message(version=version.encode()).replace(b"8859/1", b"")
    strict = parse_message(told(raw, wrong)[1].decode(), VALIDATION_LEVEL.STRICT)
    assert strict.validate()
    assert [child.name for child in strict.children] == ["MSH", "MSA", "ERR"][: 3 if wrong else 2]


def test_delimiters_are_the_senders():
    raw = b"MSH#*~\\&#LAB#SITE#DEID#HUB#2026##ADT*A01#C#1#P#2.5".replace(b"C#1", b"C1")
    out = told(raw, "mllp.kafka")[1]
    assert out.startswith(b"MSH#*~\\&#DEID#HUB#LAB#SITE#")
    assert b"ACK*A01*ACK" in out
    assert b"207*Application internal error*HL70357" in out


def test_what_is_no_message_is_answered_too():
    with pytest.raises(NoteRejected, match=r"mllp\.header"):
        header.read(b"hello Ana Garcia")
    out = answer.answer(header.NO_HEADER, answer.problem("mllp.header"))[1]
    assert hl7.parse(out.decode()).segment("MSA")[1][0] == "AR"


@pytest.mark.parametrize("wrong", [None, "mllp.kafka", "hl7.encoding"])
def test_no_answer_holds_anything_of_the_body(wrong):
    out = told(message(), wrong)[1]
    assert not re.search(rb"garcia|ana|12345", out, re.IGNORECASE)


def test_control_characters_of_a_header_are_not_sent_back():
    out = told(message(control=b"C\x1c1\x00"))[1]
    assert acknowledgment(out) == ("AA", b"C1")
    assert not set(out) & set(range(0x20)) - {0x0D}


REGISTRAR = Registrar(b"a key of these tests")


def arrival(raw):
    return REGISTRAR.arrival(header.read(raw), raw)


def test_the_key_is_the_patient_and_without_one_the_sender():
    one = arrival(message())
    assert one.key == b"12345@HOSP"
    ours = Registrar(b"a key of these tests", [Interface(authorities={"HOSP": ""})])
    assert ours.arrival(header.read(message()), message()).key == b"12345"
    nobody = message().replace(b"PID|1||12345^^^HOSP^MR", b"ZPI|1")
    assert arrival(nobody).key == one.sender.encode()


def test_a_message_is_known_by_sender_number_and_all_but_its_date():
    one, again = arrival(message()), arrival(message().replace(b"|20260101|", b"|20260102|"))
    assert (again.number, again.digest) == (one.number, one.digest)
    other = arrival(message().replace(b"came in", b"went"))
    assert other.number == one.number
    assert other.digest != one.digest
    assert arrival(message(control=b"C2")).number != one.number
    assert arrival(message().replace(b"|LAB|", b"|XRAY|")).number != one.number


def test_hashes_depend_on_the_key():
    raw = message()
    other = Registrar(b"another key").arrival(header.read(raw), raw)
    assert {other.number, other.digest} & {arrival(raw).number, arrival(raw).digest} == set()
    assert b"LAB" not in bytes.fromhex(other.sender)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (message(control=b""), "mllp.control_id"),
        (message(kind=b""), "hl7.msh"),
        (message().replace(b"8859/1", b"KLINGON"), "hl7.charset"),
        (message() + message(), "hl7.batch"),
    ],
)
def test_what_can_never_be_taken_is_rejected(raw, code):
    with pytest.raises(NoteRejected) as caught:
        arrival(raw)
    assert caught.value.code == code
    assert answer.problem(code).kind == "R"


def test_what_is_sent_on_is_in_original_mode():
    raw = message(accept=b"NE", application=b"NE")
    out = header.with_original_mode(raw)
    assert out == message()
    assert header.with_original_mode(b"MSH|^~\\&|A\rPID|1") == b"MSH|^~\\&|A\rPID|1"
