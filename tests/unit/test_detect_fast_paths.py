"""Inclusion list and templates: what they settle, and what they must refuse."""

import pytest

from stream_deid.detect.fast.inclusion import Inclusion, sentences
from stream_deid.detect.fast.inclusion import shipped as shipped_inclusion
from stream_deid.detect.fast.templates import TEMPLATES, Templates
from stream_deid.detect.fast.templates import shipped as shipped_templates
from stream_deid.errors import Halt
from stream_deid.labels import PhiType as T


def test_listed_sentences_are_settled_and_no_others():
    text = "- No acute distress.  Seen by Ann.\nREGULAR RATE AND  RHYTHM\nNo acute distress, Bob."
    settled = [text[s:e] for s, e in shipped_inclusion("en").settled(text)]
    assert settled == ["- No acute distress.", "REGULAR RATE AND  RHYTHM"]


def test_accents_do_not_matter():
    text = "Exploracion fisica: "
    assert shipped_inclusion("es").settled(text) == [(0, 19)]


def test_sentences_cover_all_but_white_space():
    text = "a b. c\n\n d?e f! g;"
    spans = list(sentences(text))
    covered = {i for s, e in spans for i in range(s, e)}
    assert all(i in covered or c.isspace() for i, c in enumerate(text))


def test_entries_with_digits_are_refused():
    with pytest.raises(Halt):
        Inclusion(["Call 5551234"])


def test_template_slots():
    text = "x\nElectronically signed by: DOW, ANN C on 01/02/1980 at 12:12 PM\n(end)"
    matched = shipped_templates("en").match(text)
    assert [(text[d.start : d.end], d.type) for d in matched.detections] == [
        ("DOW, ANN C", T.DOCTOR),
        ("01/02/1980", T.DATE),
    ]
    assert [text[s:e] for s, e in matched.settled] == [text.split("\n")[1]]


def test_a_line_with_more_in_it_is_not_settled():
    text = "MRN: 441827 Ann Dow"
    assert shipped_templates("en").match(text).settled == []


@pytest.mark.parametrize("bad", ["seen by {:W}", "seen by {NAME:W}"])
def test_bad_templates_are_refused(bad):
    with pytest.raises(Halt):
        Templates([bad])


@pytest.mark.parametrize("language", sorted(TEMPLATES))
def test_every_shipped_template_matches_itself(language):
    shapes = str.maketrans({"W": "Q", "N": "7", "A": "Q"})
    for line in TEMPLATES[language]:
        text, at = "", 0
        while (start := line.find("{", at)) >= 0:
            end = line.index("}", start)
            text += line[at:start] + line[start:end].split(":", 1)[1].translate(shapes)
            at = end + 1
        text += line[at:]
        assert shipped_templates(language).match(text).settled == [(0, len(text))]
