"""Hostile HL7 v2 messages."""

from __future__ import annotations

from stream_deid.rig.fuzz import texts
from stream_deid.rig.fuzz.draft import Draft

_DELIMITERS = (*[r"|^~\&"] * 20, "$%~\\&", "#*+?!", "|^~\\", "|", "||||", "a^~\\&", "|^^\\&")
_CHARSETS = ("UNICODE UTF-8", "", "8859/1", "ASCII", "KLINGON", "UNICODE UTF-16", "8859/15")
_CODECS = {
    "8859/1": "latin-1",
    "ASCII": "ascii",
    "UNICODE UTF-16": "utf-16",
    "8859/15": "iso8859-15",
}
_NAMES = (
    "PID", "PV1", "NK1", "OBX", "OBX", "OBX", "NTE", "OBR", "ORC", "IN1", "EVN", "TXA", "DG1",
    "AL1", "ZZZ", "PD1", "GT1", "ROL", "SCH", "MRG", "FT1", "MSH", "OB", "", "Obx", "DSC",
)  # fmt: skip
_TYPES = ("TX", "FT", "ST", "NM", "DT", "TS", "ED", "RP", "CE", "CWE", "XPN", "XCN", "AD", "", "ZZ")
_ENDS = ("\r", "\r", "\r", "\n", "\r\n", "\r\r", "\x0b")


def built(draft: Draft) -> bytes:
    """A message of random segments; patient and doctors are canaries where they should stand."""
    rng = draft.rng
    signs = rng.choice(_DELIMITERS)
    field, component = signs[0], signs[1:2] or "^"
    charset = rng.choice(_CHARSETS)
    known = [draft.canary(), draft.canary()]
    head = [
        f"MSH{signs}", "EHR", "HOSP", "DEID", "R", texts.day(rng), "",
        rng.choice(("ORU^R01", "MDM^T02", "ADT^A01", "X", "")),
        rng.choice(("MSG1", texts.day(rng))), "P",
        "2.5.1", "", "", "", "", "", charset, rng.choice(("en", "es", "", "xx")),
    ]  # fmt: skip
    pid = ["PID", "1", "", f"4711{component * 4}MR", "", component.join(known), "", texts.day(rng)]
    segments = [field.join(head), field.join(pid)]
    segments += [field.join(_segment(draft, n, known)) for n in range(rng.randint(0, 4))]
    end = rng.choice(_ENDS)
    if signs != _DELIMITERS[0] or end != "\r":
        draft.hidden.clear()  # what it says is a matter of how it is read
    text = end.join(segments) + rng.choice((end, ""))
    framed = f"\x0b{text}\x1c\r" if rng.random() < 0.1 else text
    return framed.encode(_CODECS.get(charset, "utf-8"), "replace")


def _segment(draft: Draft, number: int, known: list[str]) -> list[str]:
    rng = draft.rng
    name = rng.choice(_NAMES)
    if name == "OBX" and rng.random() < 0.8:
        line = (
            draft.text(*known).replace("\r", " ").replace("\n", rng.choice((" ", "\\.br\\", "~")))
        )
        return ["OBX", str(number), rng.choice(_TYPES[:3]), "11506-3^Note^LN", "", _escaped(line)]
    values = [_value(draft) for _ in range(rng.randint(0, 12))]
    return [name, *values]


def _escaped(text: str) -> str:
    for sign, escape in (("\\", "E"), ("|", "F"), ("^", "S"), ("&", "T")):
        text = text.replace(sign, f"\\{escape}\\")
    return text


def _value(draft: Draft) -> str:
    rng = draft.rng
    if rng.random() < 0.3:
        return ""
    parts = [
        draft.odd() if rng.random() < 0.6 else rng.choice(_TYPES) for _ in range(rng.randint(1, 4))
    ]
    return rng.choice(("^", "~", "&", "^^", "\\T\\", "\\X41\\", "\\H\\")).join(parts)


def sample(draft: Draft) -> bytes:
    """A sample of ours with fields and pieces of text exchanged for hostile ones."""
    rng = draft.rng
    message = rng.choice(draft.samples.hl7)
    for _ in range(rng.randint(0, 4)):
        lines = message.split(b"\r")
        at = rng.randrange(len(lines))
        fields = lines[at].split(b"|")
        what = rng.choice((draft.odd, draft.text, draft.canary, lambda: _value(draft)))()
        fields[rng.randrange(len(fields))] = what.encode("utf-8", "replace")
        lines[at] = b"|".join(fields)
        message = b"\r".join(lines)
    draft.hidden.clear()
    return message
