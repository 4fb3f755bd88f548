"""Hostile notes in the JSON envelope."""

from __future__ import annotations

import json
import random
from typing import Any

import orjson

from stream_deid.rig.fuzz import texts
from stream_deid.rig.fuzz.draft import Draft

_PERSON_KEYS = (
    "name", "names", "given", "family", "middle", "nickname", "birth_date", "dob", "ids", "mrn",
    "ssn", "phone", "phones", "email", "address", "addresses", "relatives", "doctors", "pcp", "sex",
    "license", "hospital", "employer", "url", "contact",
)  # fmt: skip
_KEYS = ("note_id", "patient_id", "text", "note_type", "language", "timestamp", "patient")
_DEEP = (10, 100, 1_000, 20_000)


def plain(draft: Draft) -> bytes:
    """A note of the right shape with anything in it."""
    return dump(_note(draft))


def wrong_types(draft: Draft) -> bytes:
    """One to three fields hold something else than they should."""
    note = _note(draft)
    for _ in range(draft.rng.randint(1, 3)):
        place = _somewhere(draft.rng, note)
        if place:
            place[draft.rng.choice(list(place))] = anything(draft, 0)
    draft.hidden.clear()  # what was a statement may be one no more
    return dump(note)


def doubled_keys(draft: Draft) -> bytes:
    """Keys that stand twice, with different values, at the top and in `patient`."""
    first, second = _note(draft), _note(draft)
    draft.hidden.clear()
    patient = _members(first["patient"]) + _members(second["patient"])
    fields = [*first.items(), *second.items()]
    draft.rng.shuffle(fields)
    shown = [
        dump(key) + b":" + (b"{" + b",".join(patient) + b"}" if key == "patient" else dump(value))
        for key, value in fields
    ]
    return b"{" + b",".join(shown) + b"}"


def nested(draft: Draft) -> bytes:
    """A field that is deep or wide beyond reason."""
    rng, note = draft.rng, _note(draft)
    depth = rng.choice(_DEEP)
    deep = rng.choice((b'{"name":', b"[", b'{"relatives":[', b'{"contact":'))
    end = {b"[": b"]", b'{"relatives":[': b"]}"}.get(deep, b"}")
    inside = deep * depth + dump(draft.canary()) + end * depth
    if rng.random() < 0.3:
        inside = dump([draft.odd()] * rng.choice((100, 1000, 5000)))
    key = rng.choice((*_KEYS[3:], "name", "extra"))
    if key == "name":
        inside, key = b'{"name":' + inside + b"}", "patient"
    note.pop(key, None)
    draft.hidden[:] = []
    return dump(note)[:-1] + b"," + dump(key) + b":" + inside + b"}"


def escapes(draft: Draft) -> bytes:
    """Text written in escapes: lone surrogates, pairs the wrong way round, NUL, broken UTF-8."""
    rng = draft.rng
    draft.canary(hide=False)
    text = dump(draft.text())[1:-1]
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        new = rng.choice(
            (rb"\ud800", rb"\udc00\ud800", rb"\ud83d\ude00", rb"\u0000", rb"\u202e", rb"\uFEFF",
             b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", rb"\x", b"\\")
        )  # fmt: skip
        text = text[:at] + new + text[at:]
    draft.hidden.clear()
    note = {"note_id": "e1", "patient_id": draft.odd() or "p"}
    raw = dump(note)[:-1] + b',"text":"' + text + b'"}'
    coding = rng.choice(("", "", "", "utf-16", "utf-32", "utf-8-sig"))
    return raw.decode("utf-8", "replace").encode(coding) if coding else raw


def sample(draft: Draft) -> bytes:
    """A sample of ours with wounds in its text and other values beside it."""
    rng = draft.rng
    try:
        note = orjson.loads(rng.choice(draft.samples.json))
    except orjson.JSONDecodeError:
        return plain(draft)
    if not isinstance(note, dict) or not isinstance(note.get("text"), str):
        return plain(draft)
    cut = rng.randrange(1 + len(note["text"]))
    kept = note["text"][cut : cut + rng.choice((80, 150, 300))]
    note["text"] = texts.mutated(rng, kept) + texts.titled(rng, draft.canary())
    note.setdefault("note_id", "s1")
    note.setdefault("patient_id", "s2")
    if rng.random() < 0.5:
        note["timestamp"] = rng.choice((texts.day, texts.sentinel))(rng)
    if rng.random() < 0.3:
        note[draft.canary()] = draft.odd()
    return dump(note)


def _note(draft: Draft) -> dict[str, Any]:
    rng = draft.rng
    known = [draft.canary() for _ in range(rng.randint(0, 2))]
    note: dict[str, Any] = {
        "note_id": rng.choice((draft.odd(), "n1", str(rng.getrandbits(40)))) + "n",
        "patient_id": rng.choice((draft.odd(), draft.canary())) + "p",
        "patient": person(draft, known),
        "text": draft.text(*known),
    }
    if rng.random() < 0.5:
        note["language"] = rng.choice(
            ("en", "es", "en-US", "ES", "fr", draft.odd(), draft.canary())
        )
    if rng.random() < 0.5:
        note["timestamp"] = rng.choice((texts.day(rng), texts.sentinel(rng), "2021-03-04T09:30:00"))
    if rng.random() < 0.3:
        note["note_type"] = rng.choice(("Progress note", "11506-3", draft.odd(), draft.canary()))
    if rng.random() < 0.2:
        note[rng.choice((draft.canary(), draft.odd()))] = rng.choice((draft.canary(), 1, None))
    return note


def person(draft: Draft, known: list[str]) -> dict[str, Any]:
    """`known` as names in one of the shapes that are read; beside them anything."""
    rng = draft.rng
    patient: dict[str, Any] = {
        key: draft.odd()
        for key in rng.sample(_PERSON_KEYS, rng.randint(0, 4))
        if not known or key not in ("name", "relatives")
    }
    if known:
        shapes: tuple[Any, ...] = (
            {"name": {"family": known[-1], "given": known[0]}},
            {"name": " ".join(known)},
            {"name": [{"family": name} for name in known]},
            {"relatives": [{"name": name, "sex": "F"} for name in known]},
        )
        patient |= rng.choice(shapes)
    return patient


def anything(draft: Draft, depth: int) -> Any:
    rng = draft.rng
    simple: tuple[Any, ...] = (
        None, True, False, 0, -1, 2**63, 1e308, 1.5, "", " ", draft.odd(), draft.canary(hide=False),
        [], {},
    )  # fmt: skip
    if depth < 3 and rng.random() < 0.4:
        if rng.random() < 0.5:
            return [anything(draft, depth + 1) for _ in range(rng.randint(0, 4))]
        keys = (*_PERSON_KEYS, "value", "type", draft.odd())
        return {rng.choice(keys): anything(draft, depth + 1) for _ in range(rng.randint(0, 4))}
    return rng.choice(simple)


def _somewhere(rng: random.Random, value: dict[str, Any]) -> dict[str, Any]:
    """An object in an object: the top one, or one inside."""
    places = [value]
    for place in places:
        places += [inner for inner in place.values() if isinstance(inner, dict)]
    return rng.choice(places)


def _members(value: dict[str, Any]) -> list[bytes]:
    return [dump(key) + b":" + dump(inner) for key, inner in value.items()]


def dump(value: Any) -> bytes:
    """As JSON, whole numbers of any length too."""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:  # orjson writes 64 bits at the most, wherever in the value they stand
        return json.dumps(value).encode()
