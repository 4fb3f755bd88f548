"""Narratives and documents in elements: cleaned in their own form, or withheld with the reason."""

from __future__ import annotations

import base64
import binascii

from stream_deid.formats.content import markup
from stream_deid.formats.content.document import Document, take
from stream_deid.formats.exact_json import ExactNumber
from stream_deid.formats.fhir.building.note_builder import FhirBuilder, Member, SubjectParts
from stream_deid.formats.fhir.resources.place import FhirPlace


def narrative(out: FhirBuilder, member: Member, place: FhirPlace) -> None:
    """XHTML: its text is examined in place, its tags stay."""
    path = place.path
    pieces, left_out = markup.clean(member.value, SubjectParts(out, place.subject), path)
    out.withheld += [f"{path}/{what}" for what in dict.fromkeys(left_out)]
    out.put(member.holder, member.key, *pieces)


def document(out: FhirBuilder, member: Member, place: FhirPlace) -> str:
    """The base64 of a document; the reason where it is withheld, else nothing."""
    holder, key, path = member.holder, member.key, place.path
    described = holder.get("contentType", "") if isinstance(holder, dict) else ""
    try:
        raw = base64.b64decode("".join(member.value.split()).encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error):
        found = Document(reason="no base64")
    else:
        found = take(raw, str(described), SubjectParts(out, place.subject), path)
    if found.reason:
        out.withhold(holder, key, path, why=found.reason, required=True)
        return found.reason
    out.withheld += [f"{path}/{what}" for what in found.left_out]
    out.put(
        holder, key, *found.pieces,
        write=lambda text: base64.b64encode(found.encoded(text)).decode("ascii"),
    )  # fmt: skip
    if isinstance(holder, dict) and isinstance(holder.get("size"), ExactNumber):
        out.sized.append(holder)
    return ""
