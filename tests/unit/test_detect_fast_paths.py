"""Inclusion list and templates: what they settle, and what they must refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.fast.inclusion import Inclusion
from stream_deid.detect.fast.paths import CHOICES, FastPaths, Settled, beyond, chosen
from stream_deid.detect.fast.reviewed import INCLUSION, TEMPLATES, Reviewed, parse
from stream_deid.detect.fast.templates import Templates
from stream_deid.detect.fast.units import normal, pieces, whole
from stream_deid.errors import Halt
from stream_deid.labels import PhiType as T
from stream_deid.note import Detection

LIST = ("no acute distress", "regular rate and rhythm", "exploracion fisica", "chief complaint")
SIGNED = "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {TIME:N:N} PM"


def inclusion(*entries: str) -> Inclusion:
    return Inclusion(Reviewed.of(INCLUSION, "en", entries or LIST))


def templates(*entries: str) -> Templates:
    return Templates(Reviewed.of(TEMPLATES, "en", entries or (SIGNED,)))


def paths(*, context: int = 0) -> FastPaths:
    return FastPaths(inclusion(), templates(), context)


def test_listed_sentences_are_settled_and_no_others():
    text = "- No acute distress.  Seen by Ann.\nREGULAR RATE AND  RHYTHM\nNo acute distress, Bob."
    settled = [text[s:e] for s, e in inclusion().settled(text)]
    assert settled == ["No acute distress.", "REGULAR RATE AND  RHYTHM"]


@pytest.mark.parametrize(
    ("text", "settled"),
    [
        ("Exploración física: ", "Exploración física:"),
        ("3. No acute distress.", "No acute distress."),
        ("\ufeffNo acute distress.", "No acute distress."),
        ("General: No acute distress.", "No acute distress."),
        ("Chief complaint: pain", "Chief complaint:"),
    ],
)
def test_a_heading_and_what_stands_behind_it_are_looked_at_apart(text, settled):
    assert [text[s:e] for s, e in inclusion().settled(text)] == [settled]


@given(st.text("ab.:! \n1-", max_size=60))
def test_pieces_lie_in_sentences_and_hold_every_letter(text):
    assert [i for s, e in pieces(text) for i in range(s, e) if text[i].isalpha()] == [
        i for s, e in whole(text) for i in range(s, e) if text[i].isalpha()
    ]


@pytest.mark.parametrize("bad", ["call 5551234", "hope", "No Acute Distress"])
def test_entries_that_no_list_may_hold_are_refused(bad):
    with pytest.raises(Halt):
        inclusion(bad)


def test_a_line_that_no_review_accepted_stops_the_service():
    written = Reviewed.of(INCLUSION, "en", LIST).render()
    assert parse(written, INCLUSION, "en").entries == tuple(sorted(LIST))
    with pytest.raises(Halt, match=r"fast\.unreviewed"):
        parse(written + "seen by ann dow\n", INCLUSION, "en")
    with pytest.raises(Halt, match=r"fast\.file"):
        parse(written, TEMPLATES, "en")


def test_template_slots():
    text = "x\nElectronically signed by: DOW, ANN C on 01/02/1980 at 12:12 PM\n(end)"
    (matched,) = templates().matched(text)
    assert [(text[d.start : d.end], d.type) for d in matched.slots] == [
        ("DOW, ANN C", T.DOCTOR),
        ("01/02/1980", T.DATE),
    ]
    assert text[matched.start : matched.end] == text.split("\n")[1]


def test_a_template_matches_whole_sentences_only():
    assert templates("MRN: {MEDICALRECORD:N}").matched("MRN: 441827 Ann Dow") == []


@pytest.mark.parametrize(
    "bad", ["seen by {NAME:W}", "bed 4 {PATIENT:W}", "at {TIME:N:N}", "seen { {PATIENT:W}"]
)
def test_bad_templates_are_refused(bad):
    with pytest.raises(Halt):
        templates(bad)


def test_what_another_detector_found_is_not_settled():
    text = "No acute distress. Regular rate and rhythm."
    known = Detection(3, 8, T.PATIENT, "known@1")
    assert paths().look(text, [known])[1] == (Settled(19, 43, inclusion().rule),)


def test_a_hit_inside_a_slot_leaves_a_template_settled_and_one_beside_it_does_not():
    text = "Electronically signed by: DOW, ANN C on 01/02/1980 at 12:12 PM"
    inside, beside = Detection(40, 50, T.DATE, "date@1"), Detection(15, 21, T.PATIENT, "known@1")
    assert len(paths().look(text, [inside])[1]) == 1
    slots, settled = paths().look(text, [inside, beside])
    assert settled == ()
    assert len(slots) == 2, "what a template found stands all the same"


def test_open_sentences_keep_their_neighbours_as_context():
    one = "No acute distress. "
    text = one * 4 + "Seen by Ann. " + one * 3
    settled = paths().look(text, [])[1]
    assert len(settled) == 7
    assert len(paths(context=0).unread(text, settled)) == 7
    assert len(paths(context=1).unread(text, settled)) == 5
    assert len(paths(context=9).unread(text, settled)) == 0
    alone = one * 3
    assert len(paths(context=1).unread(alone, paths().look(alone, [])[1])) == 3


def test_models_have_no_vote_inside_and_keep_it_across_the_edge():
    found = [Detection(*at, T.PATIENT, "m@1") for at in ((2, 5), (8, 12), (20, 22), (10, 14))]
    assert beyond(found, [Settled(0, 10, "r"), Settled(10, 14, "r")]) == [found[1], found[2]]


@given(
    st.lists(st.sampled_from(["No acute distress. ", "Ann slept. ", "\n", "MRN 12. ", "é\u200b "])),
    st.lists(st.tuples(st.integers(0, 80), st.integers(1, 12)), max_size=4),
)
def test_a_settled_stretch_holds_nothing_that_another_detector_found(words, at):
    text = "".join(words)
    found = [Detection(a, a + n, T.PATIENT, "d@1") for a, n in at if a + n <= len(text)]
    _, settled = paths().look(text, found)
    for one in settled:
        assert normal(text[one.start : one.end]) in LIST
        assert not any(
            text[i].isalnum()
            for d in found
            for i in range(max(d.start, one.start), min(d.end, one.end))
        )
    unread = paths(context=1).unread(text, settled)
    assert set(unread) <= {(one.start, one.end) for one in settled}


@pytest.mark.parametrize("language", ["en", "es", "fr"])
@pytest.mark.parametrize("choice", CHOICES)
def test_a_setting_chooses(choice, language):
    made = chosen(choice, language)
    assert (made is None) is (choice == "off")
    if choice == "inclusion":
        assert len(made.templates) == 0
    texts = {"inclusion_en.txt": Reviewed.of(INCLUSION, "en", LIST).render()}
    if made is not None:
        assert len(chosen(choice, language, texts).inclusion) == (4 if language == "en" else 0)
