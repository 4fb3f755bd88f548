"""Messages that go wrong, and messages that only look as if they did."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson

from stream_deid.rig.synthetic.feed import FeedMessage, feed

_CANARY = "Zebulon Quartermaine"
_MEGABYTE = 1_000_000
SENTENCE = "Patient denies fever, chills, cough or dyspnea and ambulates without assistance. "


def poison(seed: int = 7) -> Iterator[tuple[str, FeedMessage]]:
    """What is wrong, with the message. Each must end as a released note or a dead letter."""
    rng = random.Random(seed)
    for name, value in (*_json(rng), *_hl7(seed)):
        kind = "hl7v2" if name.startswith("hl7") else "json"
        yield name, FeedMessage(name.encode(), value, kind, "en", (_CANARY,))


def _note(text: str, **fields: object) -> dict[str, Any]:
    return {"note_id": "p-1", "patient_id": "p-patient", "text": text, "language": "en", **fields}


def _json(rng: random.Random) -> Iterator[tuple[str, bytes]]:
    good = orjson.dumps(_note(f"Seen today by Dr. {_CANARY}, who agrees."))
    yield "json truncated", good[: rng.randrange(30, len(good) - 2)]
    yield "json not an object", orjson.dumps([_note(_CANARY)])
    yield "json text is a number", orjson.dumps({**_note(""), "text": 12})
    yield "json text is a list", orjson.dumps({**_note(""), "text": [_CANARY]})
    yield "json id is a number", orjson.dumps(_note(_CANARY, note_id=7))
    yield "json patient is a string", orjson.dumps(_note(_CANARY, patient=_CANARY))
    yield "json without text", orjson.dumps({"note_id": "p-2", "patient_id": "p-patient"})
    yield "json without ids", orjson.dumps({"text": _CANARY})
    yield "json invalid utf-8", good.replace(b"Seen", b"Se\xc3\x28n")
    yield "json lone surrogate", good.replace(b"Seen", b"\\ud800")
    yield "json deeply nested", b'{"a":' * 5_000 + b"1" + b"}" * 5_000
    yield "empty message", b""
    yield "not a format", f"Dear {_CANARY}".encode()
    yield from ((name, orjson.dumps(note)) for name, note in _odd_notes().items())


def _odd_notes() -> Mapping[str, dict[str, Any]]:
    filling = SENTENCE * (_MEGABYTE // len(SENTENCE))
    apart = "\u200b".join(_CANARY)
    return {
        "json one megabyte": _note(f"{filling}Signed by Dr. {_CANARY}"),
        "json empty note": _note(""),
        "json blank note": _note(" \n\t "),
        "json NUL": _note(f"Seen\x00 by Dr. {_CANARY}\x00."),
        "json zero-width": _note(f"Seen by Dr. {apart}."),
        "json right-to-left": _note(f"\u202eSeen by Dr. {_CANARY}\u202c \u05d3\u05f4\u05e8."),
        "json combining": _note(f"Seen by Dr. {_CANARY} \U0001f9d1\u200d\u2695\ufe0f e\u0301."),
    }


def _hl7(seed: int) -> Iterator[tuple[str, bytes]]:
    first = next(m for m in feed(500, seed) if m.format == "hl7v2" and b"|ORU^R01|" in m.value)
    good = replace(first, expected=()).value
    yield "hl7 broken MSH", good.replace(b"MSH|^~\\&|", b"MSH|^~", 1)
    yield "hl7 only MSH", b"MSH|^~\\&|"
    yield "hl7 equal delimiters", good.replace(b"^~\\&", b"^^\\&", 1)
    yield "hl7 unknown charset", good.replace(b"UNICODE UTF-8", b"KLINGON", 1)
    yield "hl7 invalid bytes", good.replace(b"OBX|1|", b"OBX|1\xff\xc3\x28|", 1)
    yield "hl7 two in one", good + good
    yield "hl7 LF ends", good.replace(b"\r", b"\n")
    yield "hl7 CRLF ends", good.replace(b"\r", b"\r\n")
    yield "hl7 MLLP framing", b"\x0b" + good + b"\x1c\r"
    yield "hl7 truncated", good[: len(good) // 2]
