"""Laws of the formats, tried on whatever hypothesis can think of."""

import json
from dataclasses import replace
from itertools import pairwise

import orjson
from formats_helpers import masked, released, untouched
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.er7 import escapes as hl7_escapes
from stream_deid.formats.hl7.er7.syntax import Delimiters, read
from stream_deid.formats.hl7.maps.field_map import field_map
from stream_deid.formats.json import note as json_note

laws = settings(max_examples=60, deadline=None)

DELIMITERS = Delimiters()
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
escapes = st.sampled_from(
    ["\\F\\", "\\S\\", "\\T\\", "\\R\\", "\\E\\", "\\.br\\", "\\H\\", "\\N\\", "\\X4A6F\\",
     "\\XC3\\", "\\XA9\\", "\\.sp3\\", "\\.sk2\\", "\\.in+4\\", "\\Zab\\", "\\", "\\X4\\", "\\q\\"]
)  # fmt: skip
raw_text = st.lists(st.one_of(escapes, texts), max_size=8).map("".join)
# a field as it may be on the wire: anything without line ends and the field separator
wire = st.lists(
    st.one_of(
        st.sampled_from(["^", "&", "~", '""', "20240315", "Jane", "123-45-6789", "a@b.example"]),
        escapes,
        st.text("abcXYZ 019.,:;'-/#éñ", max_size=12),
    ),
    max_size=4,
).map("".join)
segments = st.builds(
    lambda name, fields: "|".join((name, *fields)),
    st.sampled_from([*sorted(field_map().segments), "ZZZ"]).filter(lambda name: name != "MSH"),
    st.lists(wire, max_size=12),
)
ends = st.sampled_from(["\r", "\n", "\r\n"])
messages = st.builds(
    lambda found, end: (
        end.join((r"MSH|^~\&|A|B C|D|E|20240315||ORU^R01|M1|P|2.5", *found)) + end
    ).encode(),
    st.lists(segments, max_size=3),
    ends,
)


@laws
@given(messages)
def test_a_message_in_which_nothing_is_changed_comes_back_byte_for_byte(raw):
    note = hl7v2.parse(raw)
    whole = replace(note, envelope=replace(note.envelope, cuts=()))
    assert hl7v2.render(whole, untouched(note)) == raw


@laws
@example(b"MSH|^~\\&|A|B C|D|E|20240315||ORU^R01|M1|P|2.5\rOBX|||||\\Zab\\|0 0\r")
@given(messages)
def test_a_masked_message_has_the_same_shape(raw):
    """Whatever is replaced, segments and fields stay where they were."""
    note = hl7v2.parse(raw)
    whole = replace(note, envelope=replace(note.envelope, cuts=()))
    before, after = read(raw), read(hl7v2.render(whole, masked(note)))
    assert [s.name for s in before.segments] == [s.name for s in after.segments]
    assert [len(s.fields) for s in before.segments] == [len(s.fields) for s in after.segments]


@laws
@given(messages)
def test_every_stretch_belongs_to_one_part_or_is_cut_at_most_once(raw):
    envelope = hl7v2.parse(raw).envelope
    places = [(s.decoded.origin, s.end) for slots in envelope.slots for s in slots]
    taken = sorted(place for place in (*places, *envelope.cuts) if place[0] < place[1])
    assert all(a[1] <= b[0] for a, b in pairwise(taken))


@laws
@given(
    st.binary(max_size=60), st.sampled_from([b"", b"MSH|^~\\&|", b"\x0bMSH|^~\\&|A|B|C|D|E||F|"])
)
def test_any_bytes_give_a_note_or_a_rejection(raw, head):
    for parse in (hl7v2.parse, json_note.parse):
        try:
            parse(head + raw)
        except NoteRejected:
            continue


@laws
@given(raw_text.filter(lambda text: not set(text) & set("\r\n|")))
def test_decoded_escapes_know_where_they_came_from(raw):
    decoded = hl7_escapes.decode(raw, 0, len(raw), DELIMITERS, "utf-8")
    for offset, character in enumerate(decoded.text):
        unit = decoded.locate(offset)
        assert unit.start <= offset < unit.end
        assert 0 <= unit.raw_start < unit.raw_end <= len(raw)
        if raw[unit.raw_start] != "\\":
            assert raw[unit.raw_start] == character


@laws
@given(texts.filter(lambda text: "\r" not in text))
def test_what_is_escaped_decodes_to_itself(text):
    raw = hl7_escapes.encode(text, DELIMITERS)
    assert not set(raw) & set("|^&~\r\n")
    assert hl7_escapes.decode(raw, 0, len(raw), DELIMITERS, "utf-8").text == text


PIECES = st.sampled_from(
    ["\\", "\\F\\", "\\E\\", "\\H\\", "\\.br\\", "\\X41\\", "X4", "X41", "4", "F", "E", ".br", "B"]
)


@laws
@given(
    st.lists(PIECES, min_size=1, max_size=8).map("".join),
    st.sampled_from(["", "BBB", "\\", "4", "F", "X41", "E\\"]),
    st.data(),
)
def test_what_is_written_behind_a_stray_escape_character_never_closes_it(raw, written, data):
    decoded = hl7_escapes.decode(raw, 0, len(raw), DELIMITERS, "utf-8")
    if not decoded.text:
        return
    start = data.draw(st.integers(0, len(decoded.text) - 1))
    end = data.draw(st.integers(start + 1, len(decoded.text)))
    ((a, b, new),) = hl7_escapes.raw_edits(decoded, [(start, end, written)], DELIMITERS)
    out = raw[:a] + new + raw[b:]
    again = hl7_escapes.decode(out, 0, len(out), DELIMITERS, "utf-8").text
    assert again == decoded.text[:start] + written + decoded.text[end:]


@laws
@given(raw_text.filter(lambda text: not set(text) & set("\r\n|~")), st.data())
def test_edited_text_decodes_to_the_edited_text(raw, data):
    message = (r"MSH|^~\&|A|B|C|D|20240315||ORU^R01|M1|P|2.5||||||UNICODE UTF-8" + "\r").encode()
    # a neighbour that begins with \X would be joined to an escape before it
    note = hl7v2.parse(message + f"NTE|1||{raw}\r".encode())
    spots = []
    part = next((p for p in note.parts if p.examine), None)
    if part is None:
        return
    cuts = sorted(data.draw(st.sets(st.integers(0, len(part.text)), max_size=6)))
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        spots.append((start, end, "OTHER", data.draw(st.text("aB |^&~\\é", max_size=5))))
    clean = released(note, lambda p: spots if p is part else ())
    out = hl7v2.render(note, clean)
    again = [p.text for p in hl7v2.parse(out).parts if p.examine]
    expected = clean.parts[note.parts.index(part)].text
    stripped = expected.replace("\n", "").replace("\r", "")
    assert [t.replace("\n", "").replace("\r", "") for t in again] == [
        stripped
    ] or not stripped.strip()


@laws
@given(
    st.dictionaries(st.text(max_size=8), st.integers() | texts | st.booleans(), max_size=4), texts
)
def test_json_text_passes_through_and_strangers_do_not(extra, text):
    body = {**extra, "note_id": "n", "patient_id": "p", "text": text}
    for key in ("patient", "timestamp", "language", "note_type"):
        body.pop(key, None)
    note = json_note.parse(json.dumps(body).encode())
    out = orjson.loads(json_note.render(note, untouched(note)))
    assert out == {
        "note_id": "note-x", "patient_id": "patient-x", "text": text, "release": "r1",
    }  # fmt: skip
