"""Laws of the FHIR format, tried on whatever hypothesis can think of."""

import json
from dataclasses import replace

import pytest
from fhir_helpers import SAMPLES, exact, leaves, pipeline, through
from fhir_mutations import mutated
from formats_helpers import released, untouched
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json as tree
from stream_deid.formats.content import markup, rtf
from stream_deid.formats.content.pieces import written
from stream_deid.formats.fhir import message
from stream_deid.formats.fhir.definitions.specification import specification
from stream_deid.formats.fhir.resources import links
from stream_deid.note import CleanPart, Part, Span

laws = settings(max_examples=60)
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
numbers = st.from_regex(
    r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?", fullmatch=True
)
json_texts = st.recursive(
    st.one_of(texts.map(json.dumps), numbers, st.sampled_from(["true", "false", "null"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda found: f"[{','.join(found)}]"),
        st.dictionaries(texts.map(json.dumps), inner, max_size=4).map(
            lambda found: "{" + ",".join(f"{k}:{v}" for k, v in found.items()) + "}"
        ),
    ),
    max_leaves=12,
)
names = st.sampled_from(
    ["status", "text", "name", "code", "subject", "id", "identifier", "contained", "value", "note",
     "_status", "extension"]
)  # fmt: skip
tags = st.sampled_from(
    ["<p>", "</p>", "<b>", "</b>", "Jo", "hn ", "&amp;", "&#101;", "<br/>", "<a href='#x'>", "</a>",
     "<!-- x -->", '<td title="y">', "<", ">", "&", "é", "<![CDATA[z]]>", "<script>", "</script>",
     "<x:y z='1'/>", " "]
)  # fmt: skip
types = st.sampled_from(sorted(specification().resources))


class Collector:
    """Parts as documents make them."""

    def __init__(self):
        self.parts = []

    def text(self, text, path, seams=()):
        self.parts.append(Part(text, path, seams=tuple(seams)))
        return len(self.parts) - 1

    def declared(self, text, path, phi, length=None):
        span = Span(0, length or len(text), phi)
        self.parts.append(Part(text, path, examine=False, declared=(span,)))
        return len(self.parts) - 1


def unedited(pieces, parts):
    clean = [CleanPart(part.text, ()) for part in parts]
    return written(pieces, [part.text for part in parts], clean)


@laws
@given(json_texts)
def test_json_comes_back_with_its_numbers_as_they_were(text):
    value = tree.load(text)
    again = tree.load(tree.dump(value))
    assert list(leaves(again)) == list(leaves(value))
    assert json.loads(tree.dump(value)) == json.loads(text)


@laws
@given(types, st.dictionaries(names, json_texts, max_size=5))
def test_any_json_in_any_resource_gives_a_note_or_a_rejection_and_json(kind, members):
    body = ",".join(f"{json.dumps(key)}:{value}" for key, value in members.items())
    raw = f'{{"resourceType":"{kind}"{"," if body else ""}{body}}}'.encode()
    try:
        _, out, _ = through(raw)
    except NoteRejected as error:
        assert error.code.startswith("fhir.")  # noqa: PT017 - both ends are good
        return
    assert json.loads(out)["resourceType"] == kind


@laws
@given(st.binary(max_size=60))
def test_any_bytes_give_a_note_or_a_rejection(raw):
    try:
        message.parse(b'{"resourceType":"Patient","id":"' + raw)
    except NoteRejected as error:
        assert error.__cause__ is None  # noqa: PT017


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_a_message_in_which_nothing_is_changed_comes_back_equal(path):
    raw = path.read_bytes()
    note = message.parse(raw)
    whole = replace(note, envelope=replace(note.envelope, cuts=(), sized=()))
    dropped = {"comment", "script", "info"}  # nobody reads them, anything may stand in them
    if not any(entry.rpartition("/")[2] in dropped for entry in note.withheld):
        assert exact(message.render(whole, untouched(note))) == exact(raw)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_every_string_of_a_message_is_somebodys(path):
    """Each string leaf is a part, kept and searched, withheld, or a code of the standard."""
    raw = path.read_bytes()
    note = message.parse(raw)
    marked = released(note, lambda part: [(0, len(part.text), "OTHER", "\u2588")])
    before = dict(leaves(tree.load(raw.decode())))
    after = dict(leaves(tree.load(message.render(note, marked).decode())))
    stayed = {one for p, one in before.items() if isinstance(one, str) and after.get(p) == one}
    for secret in (
        "Thornquist",
        "40071193",
        "541-08-7733",
        "Feathergill",
        "Larkspur",
        "1951-03-09",
    ):
        assert not any(secret in value for value in stayed)


@laws
@given(st.lists(tags, max_size=14).map("".join))
def test_markup_that_is_cleaned_stays_clean(text):
    out = Collector()
    pieces, _ = markup.clean(text, out, "x")
    once = unedited(pieces, out.parts)
    second = Collector()
    again, left_out = markup.clean(once, second, "x")
    assert unedited(again, second.parts) == once
    assert not set(left_out) & {"comment", "script"}


def test_what_is_left_out_joins_nothing_to_a_tag():
    out = Collector()
    pieces, _ = markup.clean("<div><<!-- x -->b>Jo</div>&<!-- y -->#74;", out, "x")
    assert unedited(pieces, out.parts) == "<div>&lt;b>Jo</div>&amp;#74;"


@laws
@given(texts, texts)
def test_rtf_reads_what_it_writes(first, second):
    text = "".join(c for c in first + second if c.isprintable())
    rtf_text = "{\\rtf1\\ansi {\\b " + rtf.escape(text) + "}}"
    out = Collector()
    pieces, _ = rtf.clean(rtf_text, out, "x")
    assert unedited(pieces, out.parts) == rtf_text
    assert "".join(part.text for part in out.parts) == (text if text.strip() else "")


@laws
@given(texts)
def test_queries_read_what_they_write(text):
    assert links.unquoted(links.quoted(text)) == text


def test_mutated_messages_are_released_or_dead_with_a_code():
    """A small run; `tests/unit/fhir_mutations.py` runs as many as one likes."""
    made = pipeline()
    for number in range(400):
        raw = mutated(number)
        try:
            note = message.parse(raw, language_default="en")
        except NoteRejected as error:
            assert error.code.startswith("fhir.")  # noqa: PT017
            continue
        clean, _ = made.finish(made.begin(note), [])
        json.loads(message.render(note, clean))
