"""ACK messages: what a sender is told, and whether it is told anything.

HL7 v2.9 chapter 2, 2.9.2 and 2.9.3 (original and enhanced mode), 2.14.8 (MSA), 2.14.5 (ERR);
tables 0008 (MSA-1), 0155 (MSH-15, MSH-16), 0357 (ERR-3).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from stream_deid.mllp.header import Header

_CONDITIONS = {
    100: "Segment sequence error",
    101: "Required field missing",
    102: "Data type error",
    103: "Table value not found",
    207: "Application internal error",
}
_NAMED = (2, 5)  # from this version on ERR has fields of its own for place, code and severity
_STRUCTURED = (2, 3, 1)  # from this version on MSH-9 has a message structure


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a message is not taken: `R`, it never will be; `E`, send it again.

    `condition` is of table 0357; `place` is the field of MSH that is at fault, or 0.
    """

    code: str
    kind: str
    condition: int
    place: int = 0


_PROBLEMS = {
    problem.code: problem
    for problem in (
        Refusal("mllp.header", "R", 100),
        Refusal("mllp.control_id", "R", 101, 10),
        Refusal("mllp.too_large", "R", 207),
        Refusal("mllp.batch", "R", 100),
        Refusal("mllp.kafka", "E", 207),
        Refusal("mllp.busy", "E", 207),
        Refusal("hl7.msh", "R", 100),
        Refusal("hl7.batch", "R", 100),
        Refusal("hl7.charset", "R", 103, 18),
        Refusal("hl7.encoding", "R", 102),
    )
}


def problem(code: str) -> Refusal:
    """What a code of ours means to a sender; one that is not known here is for it to send again."""
    return _PROBLEMS.get(code, Refusal(code, "E", 207))


def answer(header: Header, wrong: Refusal | None) -> tuple[str, bytes]:
    """MSA-1 and the message to send; the message is empty where the sender wants none.

    One answer at most: the accept acknowledgment where MSH-15 asks for one, else the application's
    where MSH-16 does. Both empty is the original mode, where everything is answered.
    """
    mode = _mode(header, well=wrong is None)
    kind = wrong.kind if wrong else "A"
    if not mode:
        return f"A{kind}", b""
    return mode + kind, _message(header, mode + kind, wrong)


def _mode(header: Header, *, well: bool) -> str:
    accept, application = header.at(15).upper(), header.at(16).upper()
    if not accept and not application:
        return "A"
    if _wanted(accept, well=well):
        return "C"
    return "A" if _wanted(application, well=well) else ""


def _wanted(condition: bytes, *, well: bool) -> bool:
    if condition in (b"ER", b"SU"):
        return (condition == b"SU") == well
    return condition not in (b"", b"NE")


def _message(header: Header, code: str, wrong: Refusal | None) -> bytes:
    """The whole message, delimiters and character set as the sender has them."""
    now = datetime.now(UTC).strftime("%Y%m%d%H%M%S+0000").encode()
    number = uuid.uuid4().hex[:20].encode()
    msh = [
        b"MSH", header.delimiters, header.at(5), header.at(6), header.at(3), header.at(4), now, b"",
        _type(header), number, header.at(11) or b"P", header.at(12) or b"2.5.1",
        *[b""] * 5, header.at(18),
    ]  # fmt: skip
    while not msh[-1]:
        msh.pop()
    lines = [msh, [b"MSA", code.encode(), header.at(10)]]
    if wrong is not None:
        lines.append(_error(header, wrong))
    return b"".join(header.separator.join(line) + b"\r" for line in lines)


def _type(header: Header) -> bytes:
    trigger = header.part(9, 2)
    if not trigger or (header.version and header.version < _STRUCTURED):
        return b"ACK"
    return header.component.join([b"ACK", trigger, b"ACK"])


def _error(header: Header, wrong: Refusal) -> list[bytes]:
    component = header.component
    sub = header.delimiters[3:4]
    condition = [str(wrong.condition).encode(), _CONDITIONS[wrong.condition].encode(), b"HL70357"]
    place = [b"MSH", b"1", str(wrong.place).encode()] if wrong.place else []
    if header.version and header.version < _NAMED:
        return [b"ERR", component.join([*(place or [b"", b"", b""]), sub.join(condition)])]
    own = component.join([wrong.code.encode(), b"", b"L"])
    return [b"ERR", b"", component.join(place), component.join(condition), b"E", own]
