"""Mutated FHIR messages and what becomes of them: `python fhir_mutations.py COUNT [FIRST]`.

A number is a message: one of the examples with a few mutations of its bytes or its tree.
"""

from __future__ import annotations

import base64
import json
import random
import sys
import time
from collections import Counter
from typing import Any

from fhir_helpers import SAMPLES, pipeline

from stream_deid.errors import NoteRejected
from stream_deid.formats.fhir import message

_SAMPLES = [path.read_bytes() for path in SAMPLES]
_SMALL = [raw for raw in _SAMPLES if len(raw) < 6000]
_VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, "", " ", "Thornquist", "40071193", "541-08-7733", [], {}, [[]],
    [None], "2019-02-30", "0000-00-00", "\u0000", "é\u202e", "<div", "<div>Thornquist</p>", "#",
    "urn:uuid:", "Patient/", "Patient?name=%ff", "/" * 40, "?&=|,", "http://",
    "Patient/1/_history/",
    base64.b64encode(b"{\\rtf1 {Thornquist").decode(), base64.b64encode(b"<a b='").decode(), "====",
    {"resourceType": "Patient"}, {"resourceType": "Thornquist"}, {"reference": "#"},
    {"url": "x", "valueString": "Thornquist"}, "Patient", "x" * 300, "9" * 60, "1:2", "[]", "{}",
]  # fmt: skip
_SIGNS = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"1e9"]
CANARIES = ("Thornquist", "40071193", "541-08-7733")


def mutated(number: int) -> bytes:
    """Message `number`."""
    draw = random.Random(number)
    raw = draw.choice(_SMALL if draw.random() < 0.8 else _SAMPLES)
    if draw.random() < 0.35:
        return _bytes(raw, draw)
    body = json.loads(raw)
    for _ in range(draw.randint(1, 4)):
        _tree(body, draw)
    out = json.dumps(body).encode()
    return _bytes(out, draw) if draw.random() < 0.1 else out


def _bytes(raw: bytes, draw: random.Random) -> bytes:
    data = bytearray(raw)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data) or 1)
        kind = draw.randrange(4)
        if kind == 0:
            data[at : at + 1] = bytes([draw.randrange(256)])
        elif kind == 1:
            del data[at : at + draw.randint(1, 40)]
        elif kind == 2:
            data[at:at] = data[draw.randrange(len(data) or 1) :][: draw.randint(1, 60)]
        else:
            data[at : at + 1] = draw.choice(
                [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"1e9"]
            )
    return bytes(data)


def _tree(body: Any, draw: random.Random) -> None:
    places: list[tuple[Any, Any]] = []
    waiting = [body]
    while waiting:
        value = waiting.pop()
        keys = value.keys() if isinstance(value, dict) else range(len(value))
        for key in keys:
            places.append((value, key))
            if isinstance(value[key], (dict, list)):
                waiting.append(value[key])
    holder, key = draw.choice(places)
    kind = draw.randrange(5)
    if kind == 0:
        holder[key] = draw.choice(_VALUES)
    elif kind == 1:
        other, name = draw.choice(places)
        holder[key] = json.loads(json.dumps(other[name]))
    elif kind == 2 and isinstance(holder, dict):
        names = [k for _, k in places if isinstance(k, str)]
        holder[draw.choice([*names, "x", "_" + str(key), "valueString", "text"])] = holder.pop(key)
    elif kind == 3:
        holder[key] = [holder[key]]
    elif isinstance(holder[key], str):
        at = draw.randrange(len(holder[key]) + 1)
        holder[key] = holder[key][:at] + str(draw.choice(_VALUES)) + holder[key][at:]


def main(count: int, first: int = 0) -> None:
    """Run messages and print what became of them."""
    made, found, start = pipeline(), Counter[str](), time.monotonic()
    for number in range(first, first + count):
        raw = mutated(number)
        try:
            note = message.parse(raw, language_default="en")
            clean, _ = made.finish(made.begin(note), [])
            json.loads(message.render(note, clean))
            found["released"] += 1
        except NoteRejected as error:
            found[error.code] += 1
            if any(canary in str(error) for canary in CANARIES):
                found["TEXT IN AN ERROR"] += 1
        except Exception as error:  # noqa: BLE001 - what is looked for
            found[f"CRASH {type(error).__name__}"] += 1
            if found[f"CRASH {type(error).__name__}"] < 4:
                sys.stdout.write(f"message {number}: {error!r}\n")
    seconds = time.monotonic() - start
    sys.stdout.write(f"{count} messages in {seconds:.0f} s\n")
    for code, times in found.most_common():
        sys.stdout.write(f"{times:8} {code}\n")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
