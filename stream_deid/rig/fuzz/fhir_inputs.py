"""Hostile FHIR: resources with anything in them, and samples of ours with other values."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import orjson

from stream_deid.rig.fuzz import json_inputs as json
from stream_deid.rig.fuzz import texts
from stream_deid.rig.fuzz.draft import Draft

_KEYS = ("status", "text", "id", "value", "valueString", "extension", "contained", "x", "_status")
_STRANGE: tuple[Any, ...] = (
    {"resourceType": "Patient"}, {"reference": "#"}, {"url": "x", "valueString": "y"}, "#", "<div",
    "Patient/1/_history/", "Patient?name=%ff", "urn:uuid:", "?&=|,", "2019-02-30", "====", [[]],
)  # fmt: skip


def built(draft: Draft) -> bytes:
    """A Bundle, or one resource: names of the patient and in texts are canaries."""
    rng = draft.rng
    known = [draft.canary(), draft.canary()]
    patient = {
        "resourceType": "Patient",
        "id": rng.choice(("p1", draft.odd())),
        "name": [{"family": known[0], "given": [known[1]], "text": " ".join(known[::-1])}],
        "birthDate": rng.choice(("1943-06-12", texts.day(rng))),
        "identifier": [{"system": "urn:oid:1.2.3", "value": rng.choice(("88123471", draft.odd()))}],
        "telecom": [{"system": "phone", "value": texts.digits(rng)}],
        "contact": [{"name": {"family": draft.canary()}}],
    }
    resources = [patient, *(_about(draft, known) for _ in range(rng.randint(0, 3)))]
    if rng.random() < 0.3:
        return json.dump(patient)
    entries = [{"fullUrl": f"urn:uuid:{n}", "resource": one} for n, one in enumerate(resources)]
    return json.dump({"resourceType": "Bundle", "type": "collection", "entry": entries})


def _about(draft: Draft, known: list[str]) -> dict[str, Any]:
    rng, subject = draft.rng, {"reference": "Patient/p1"}
    text = draft.text(*known)
    document = base64.b64encode(text.encode()).decode("ascii")
    kinds: tuple[dict[str, Any], ...] = (
        {"resourceType": "Observation", "status": "final", "subject": subject,
         "code": {"text": "Note"}, "note": [{"text": text}], "effectiveDateTime": texts.day(rng)},
        {"resourceType": "Communication", "status": "completed", "subject": subject,
         "payload": [{"contentString": text}], "sent": texts.sentinel(rng)},
        {"resourceType": "DocumentReference", "status": "current", "subject": subject,
         "content": [{"attachment": {"contentType": "text/plain", "data": document}}]},
        {"resourceType": "DiagnosticReport", "status": "final", "subject": subject,
         "code": {"text": draft.odd()}, "conclusion": text},
    )  # fmt: skip
    return rng.choice(kinds)


def sample(draft: Draft) -> bytes:
    """A sample of ours, else one of the above, in which places hold something else."""
    rng = draft.rng
    body = orjson.loads(rng.choice(draft.samples.fhir) if draft.samples.fhir else built(draft))
    for _ in range(rng.randint(1, 4)):
        _changed(draft, body)
    draft.hidden.clear()
    return json.dump(body)


def _changed(draft: Draft, body: dict[str, Any]) -> None:
    rng, found = draft.rng, list(places(body))
    holder, key = rng.choice(found)
    match rng.randrange(5):
        case 0:
            holder[key] = deepcopy(rng.choice((rng.choice(_STRANGE), json.anything(draft, 0))))
        case 1:
            other, name = rng.choice(found)
            holder[key] = orjson.loads(json.dump(other[name]))
        case 2 if isinstance(holder, dict):
            holder[rng.choice((*_KEYS, f"_{key}"))] = holder.pop(key)
        case 3:
            holder[key] = [holder[key]]
        case _:
            if isinstance(holder[key], str):
                at = rng.randint(0, len(holder[key]))
                holder[key] = holder[key][:at] + draft.odd() + holder[key][at:]


def places(body: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of every object and list, with what holds it."""
    waiting = [body]
    while waiting:
        value = waiting.pop()
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            if isinstance(value[key], (dict, list)):
                waiting.append(value[key])
