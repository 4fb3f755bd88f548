"""Hostile JSON of a site's own form (`data/map.toml`), with encoded texts and messages inside."""

from __future__ import annotations

import base64
from typing import Any

import orjson

from stream_deid.rig.fuzz import fhir_inputs, hl7_inputs, texts
from stream_deid.rig.fuzz import json_inputs as json
from stream_deid.rig.fuzz.draft import Draft

_OPTIONAL = ("attachment", "hl7", "raw", "entries", "time")


def mapped(draft: Draft) -> bytes:
    """A message that the map takes, with anything in it."""
    return json.dump(_message(draft))


def wrong(draft: Draft) -> bytes:
    """The same, in which one to three places hold something else than they should."""
    body = _message(draft)
    for _ in range(draft.rng.randint(1, 3)):
        holder, key = draft.rng.choice(list(fhir_inputs.places(body)))
        holder[key] = json.anything(draft, 0)
    draft.hidden.clear()
    return json.dump(body)


def _message(draft: Draft) -> dict[str, Any]:
    rng = draft.rng
    known = [draft.canary() for _ in range(rng.randint(0, 2))]
    patient = json.person(draft, known) | {"mrn": rng.choice((4711, "0088123", draft.odd() + "p"))}
    body: dict[str, Any] = {
        "specversion": "1.0",
        "time": rng.choice(("2024-03-15T09:30:00Z", texts.day(rng))),
        draft.odd(): draft.canary(),
        "data": {
            "noteId": rng.choice((77120043, draft.odd() + "n")),
            "patient": patient,
            "sections": [{"text": draft.text(*known)} for _ in range(rng.randint(0, 2))],
            "note": _base64(draft.text(*known).encode()),
            "size": rng.choice((2**63, 1.50, -0.0, None, True)),
            "lang": rng.choice(("en", "es", draft.odd())),
            "kind": draft.odd(),
            "signed": texts.day(rng),
        },
        "attachment": _base64(orjson.dumps({"text": draft.text(*known), "x": draft.odd()})),
    }
    hidden = list(draft.hidden)
    body["hl7"] = hl7_inputs.built(draft).decode("utf-8", "replace")
    body["raw"] = _base64(hl7_inputs.sample(draft))
    body["entries"] = [orjson.loads(fhir_inputs.built(draft)) for _ in range(rng.randint(0, 2))]
    draft.hidden[:] = hidden  # what those state is a matter of how they are read
    for key in _OPTIONAL:
        if rng.random() < 0.5:
            del body[key]
    return body


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
