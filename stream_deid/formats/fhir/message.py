"""FHIR resources and Bundles (JSON) to notes and back, equal except for what identifies.

What is done with an element is in `definitions/data/rules.toml`; the specification's elements are
in `definitions/data/elements.tsv`, and whatever is not there is withheld and listed in
`Note.withheld`.

* The note's id is the Bundle's identifier or id, else type and id of the resource, else a digest.
* The patient's id is the medical record number of the Patient resource (or of a reference's
  identifier), else the Patient's id; with `by_id` always the id (bulk exports, where most lines
  know nothing else). A message of several patients has none of its own: each part names its own.
* The language comes from `Resource.language` of the root, or of what a Bundle holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from stream_deid.detect.record.lots import is_lot
from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json, people, search
from stream_deid.formats.exact_json import ExactNumber
from stream_deid.formats.fhir.building import lone_words
from stream_deid.formats.fhir.building.note_builder import FhirBuilder, KeptString
from stream_deid.formats.fhir.building.render import FhirEnvelope, render
from stream_deid.formats.fhir.definitions.rules import rules
from stream_deid.formats.fhir.definitions.specification import specification
from stream_deid.formats.fhir.resources.subjects import Subjects
from stream_deid.formats.fhir.walk import data_types
from stream_deid.formats.fhir.walk.element_walk import FhirWalk
from stream_deid.formats.hl7.values.numeric_values import is_moment
from stream_deid.formats.language import language
from stream_deid.formats.short_values import counts_days
from stream_deid.labels import PhiType
from stream_deid.note import OF_MANY, Known, Note, Part, disjoint
from stream_deid.text.years import LATEST, is_possible

__all__ = ["parse", "render", "split"]

_MALFORMED = {"syntax": "fhir.syntax", "duplicate": "fhir.duplicate", "depth": "fhir.depth"}
_UNDATED = date(LATEST, 12, 31)
"""Ages are reckoned from this day where a message names none."""
_WRITTEN = ("date", "issued", "effectiveDateTime", "sent", "authoredOn", "authored", "recordedDate",
            "recorded", "created", "performedDateTime", "occurrenceDateTime", "start")  # fmt: skip
_LATER = (".end", ".expirationDate", ".birthDate", ".birthTime")
_DOCUMENTS = ("Composition", "DocumentReference", "DiagnosticReport", "Communication")


def parse(
    raw: bytes,
    *,
    language_default: str = "",
    site_rules: Mapping[str, str] | None = None,
    authorities: Mapping[str, str] | None = None,
    by_id: bool = False,
    reject_unreadable: bool = False,
) -> Note:
    """Read one resource or Bundle; its language is `language_default` where it names none.

    `site_rules`: paths and rules before the project's own. `authorities`: names of the systems
    that give numbers, as other formats call them. `reject_unreadable`: documents that can't be
    examined reject the message instead of being withheld.

    Raises `NoteRejected`: `fhir.encoding`, `fhir.syntax`, `fhir.duplicate`, `fhir.depth`,
    `fhir.resource` (no resource of a known type), `fhir.unreadable`.
    """
    body = _load(raw)
    out = FhirBuilder()
    message = hashlib.sha256(raw).hexdigest()
    subjects = Subjects(body, authorities or {}, message, by_id=by_id)
    found = rules(tuple(sorted((site_rules or {}).items())))
    walk = FhirWalk(out, found, subjects, data_types.METHODS, reject=reject_unreadable)
    walk.resource(None, "", body, body["resourceType"])
    known = people.known(out.facts, walk.leaves.sexes)
    _search(out, known)
    return Note(
        note_id=_note_id(body, raw),
        patient_id=subjects.only,
        parts=tuple(out.parts),
        language=_language(body) or language_default,
        known=known,
        note_type=body["resourceType"],
        written_on=_written_on(body, out.parts),
        envelope=FhirEnvelope(
            body, tuple(out.leaves), tuple(out.cuts), tuple(out.sized),
            frozenset(id(one) for one in walk.labelled),
        ),
        withheld=tuple(out.withheld),
    )  # fmt: skip


def split(raw: bytes) -> list[bytes]:
    """Cut bulk data (NDJSON) into resources; blank lines are none."""
    return [line for line in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]


def _load(raw: bytes) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NoteRejected("fhir.encoding", "the message is not UTF-8") from None
    try:
        body = exact_json.load(text)
    except exact_json.Malformed as error:
        raise NoteRejected(_MALFORMED[error.kind], error.detail) from None
    kind = body.get("resourceType") if isinstance(body, dict) else None
    if not isinstance(kind, str) or kind not in specification().resources:
        raise NoteRejected("fhir.resource", "the message is no FHIR resource of a known type")
    assert isinstance(body, dict)
    return body


def _is_moment(one: KeptString) -> bool:
    """Whether a value is the seconds of a clock since 1970, which are a date to who subtracts, or a
    day as machines count it by what is asked.
    """
    holder = one.container
    if not isinstance(holder, dict) or not str(one.key).startswith("value"):
        return False
    if counts_days(one.asked):
        return True
    unit = str(holder.get("code") or holder.get("unit") or "") if one.key == "value" else ""
    return is_moment(one.text, unit)


def _search(out: FhirBuilder, known: Sequence[Known]) -> None:
    """Replace known values in what would stay as it came, and look at words that stand alone."""
    strings: list[KeptString] = []
    own = search.numbers(known)
    for one in out.kept:
        if not isinstance(one.container[one.key], ExactNumber):  # type: ignore[index]
            strings.append(one)
        elif search.is_known(one.text, own):
            out.withhold(one.container, one.key, one.path, why="known number")
        elif _is_moment(one):
            out.withhold(one.container, one.key, one.path, why="seconds of a clock")
    found = {id(kept): spans for kept, spans in search.hits(strings, known)}
    for kept in strings:
        text, spans = kept.text, found.get(id(kept), [])
        named = [] if kept.public else lone_words.found(text, kept.lone)
        if spans or named:
            declared = tuple(disjoint([*spans, *named]))
            part = Part(
                text, kept.path, examine=False, declared=declared, subject=kept.subject,
                coded=not spans,
            )  # fmt: skip
            out.put(kept.container, kept.key, out.whole(out.add(part)))
        elif kept.role == OF_MANY and is_lot(text):
            out.add(Part(text, kept.path, examine=False, role=OF_MANY, subject=kept.subject))
        elif not kept.public and lone_words.is_doubtful(text, kept.lone):
            piece = out.examine(text, kept.path, kept.subject, coded=True)
            out.put(kept.container, kept.key, piece)


def _resources(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The root and what a Bundle holds."""
    yield body
    entries = body.get("entry")
    for entry in entries if isinstance(entries, list) else []:
        held = entry.get("resource") if isinstance(entry, dict) else None
        if isinstance(held, dict):
            yield held


def _note_id(body: Mapping[str, Any], raw: bytes) -> str:
    kind, own, identifier = body["resourceType"], body.get("id"), body.get("identifier")
    stated = identifier.get("value") if isinstance(identifier, dict) else None
    if kind == "Bundle" and isinstance(stated, str):
        return f"{kind}/{stated}"
    if isinstance(own, str) and own.strip():
        return f"{kind}/{own}"
    return f"sha256:{hashlib.sha256(raw).hexdigest()}"


def _language(body: Mapping[str, Any]) -> str:
    for one in _resources(body):
        stated = one.get("language")
        if isinstance(stated, str) and (code := language(stated)):
            return code
    return ""


def _written_on(body: Mapping[str, Any], parts: Sequence[Part]) -> date:
    """The day of the document, else of the Bundle, else the latest day that anything names."""
    held = list(_resources(body))
    documents = [one for one in held if one.get("resourceType") in _DOCUMENTS]
    for ones, names in ((documents, _WRITTEN), ([body], ("timestamp",)), (held, _WRITTEN)):
        days = [day for one in ones for name in names if (day := _day(one.get(name)))]
        if days:
            return max(days)
    stated = [one.get("meta") for one in held]
    days = [d for m in stated if isinstance(m, dict) and (d := _day(m.get("lastUpdated")))]
    if not days:
        days = [
            day
            for part in parts
            if part.role != "birth_date" and not part.path.endswith(_LATER)
            if part.declared and part.declared[0].type is PhiType.DATE and (day := _day(part.text))
        ]
    return max(days, default=_UNDATED)


def _day(value: Any) -> date | None:
    try:
        found = date.fromisoformat(value[:10]) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if found is not None and is_possible(found.year) else None
