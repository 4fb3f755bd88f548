"""The synthetic feed: deterministic, varied, consistent, and true about what it put in."""

from collections import Counter

import orjson
import pytest

from stream_deid import config
from stream_deid.errors import NoteRejected
from stream_deid.formats import FORMATS, sniff
from stream_deid.rig.synthetic import AUTHORITY, feed, poison
from stream_deid.rig.synthetic.layouts import layouts

MESSAGES = tuple(feed(240, 3))


def parsed(message):
    ours = config.Formats(authorities={AUTHORITY: ""})
    return FORMATS[message.format](ours).parse(message.value)


def test_the_same_seed_gives_the_same_feed_and_a_longer_one_begins_alike():
    assert tuple(feed(40, 3)) == MESSAGES[:40]
    assert tuple(feed(40, 4)) != MESSAGES[:40]


def test_formats_languages_and_patients_are_mixed():
    kinds = Counter((m.format, m.language) for m in MESSAGES)
    assert set(kinds) == {("json", "en"), ("json", "es"), ("hl7v2", "en"), ("hl7v2", "es")}
    assert min(kinds.values()) >= 15
    per_patient = Counter(m.key for m in MESSAGES)
    assert len(per_patient) >= 20
    assert sum(count > 1 for count in per_patient.values()) >= 15
    types = {parsed(m).note_type[:3] for m in MESSAGES if m.format == "hl7v2"}
    assert types == {"ORU", "MDM", "ADT"}


def test_there_are_layouts_enough():
    assert len(layouts("en")) >= 25
    assert len(layouts("es")) >= 12


def test_every_message_parses_and_holds_what_it_says():
    for message in MESSAGES:
        assert sniff(message.value) == message.format
        note = parsed(message)
        assert note.language == message.language
        assert note.patient_id == message.key.decode()
        whole = "\n".join(part.text for part in note.parts)
        assert [v for v in message.expected if v not in whole] == []
        assert [v for v in message.dates if v not in whole] == []


def test_nobody_is_shown_in_a_message():
    assert MESSAGES[0].expected
    assert not any(value in repr(MESSAGES[0]) for value in MESSAGES[0].expected)


def test_a_patient_has_one_name_everywhere():
    names = {}
    for message in MESSAGES:
        known = parsed(message).known
        family = next(k.value for k in known if k.person == "patient" and k.role == "family")
        assert names.setdefault(message.key, family) == family


ACCEPTED = {
    "json one megabyte", "json empty note", "json blank note", "json NUL", "json zero-width",
    "json right-to-left", "json combining", "hl7 LF ends", "hl7 CRLF ends", "hl7 MLLP framing",
    "hl7 truncated",
}  # fmt: skip


def _parsed(message):
    return FORMATS[sniff(message.value)](config.Formats()).parse(message.value)


@pytest.mark.parametrize(
    ("name", "message"), list(poison(3)), ids=lambda v: v if isinstance(v, str) else ""
)
def test_poison_is_a_note_or_a_rejection_with_a_code(name, message):
    if name in ACCEPTED:
        assert _parsed(message).parts
        return
    with pytest.raises(NoteRejected, match=r"^(json|hl7|format)\.[a-z]+: ") as error:
        _parsed(message)
    assert "Quartermaine" not in str(error.value)


def test_json_notes_have_the_envelope_of_the_contract():
    body = orjson.loads(next(m.value for m in MESSAGES if m.format == "json"))
    assert set(body) == {
        "note_id", "patient_id", "text", "note_type", "language", "timestamp", "patient",
    }  # fmt: skip
