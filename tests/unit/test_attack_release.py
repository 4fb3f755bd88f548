"""Releases with leaks, and what counting names in them finds."""

from __future__ import annotations

from collections import Counter

import pytest
from surrogate_helpers import KEY, note_of

from stream_deid.attack import recurrence
from stream_deid.attack.cohort import NameSource, file_note, patient
from stream_deid.attack.outcome import Cell, Outcome
from stream_deid.attack.release import (
    ReleasedNote,
    ShownIdentifier,
    UnreleasedNote,
    draw,
    engine,
    of_marked,
    of_written,
    release,
    release_all,
    replaceable,
)
from stream_deid.labels import PhiType
from stream_deid.training.data.corpora import AnnotatedNote

SPANS = [("PATIENT", "Ann Smith"), ("DATE", "03/05/2019"), ("PATIENT", "Smith"), ("DOCTOR", "Chen")]


def source() -> UnreleasedNote:
    note, found = note_of(SPANS)
    return UnreleasedNote(note, tuple(found))


def test_leaks_stay_and_everything_else_is_replaced():
    out = release(engine("consistent", KEY), source(), {2, 3})
    assert [s.leaked for s in out.shown] == [False, False, True, True]
    shown = [out.text[s.start : s.end] for s in out.shown]
    assert shown[2:] == ["Smith", "Chen"]
    assert shown[0] not in {"Ann Smith", "Smith"}
    assert shown[1] != "03/05/2019"


def test_what_moves_beside_a_date_is_no_leak_of_its_own():
    text = "Seen 3/15/2021 (Monday) at 10:00 EDT by Dr. Chen."
    spans = ((5, 14, "DATE"), (44, 48, "DOCTOR"))
    one = of_marked(AnnotatedNote("n", text, spans, "en"))
    assert replaceable(engine("consistent", KEY), [one]) == [(0, 0), (0, 1)]


def test_strategies_differ_in_how_mentions_agree():
    spans = [("PATIENT", "Okonkwo")] * 6
    note, found = note_of(spans)
    values = {
        name: Counter(
            out.text[s.start : s.end]
            for out in [release(engine(name, KEY), UnreleasedNote(note, tuple(found)), ())]
            for s in out.shown
        )
        for name in ("consistent", "markov(0.5)", "random")
    }
    assert len(values["consistent"]) == 1
    assert 1 < len(values["markov(0.5)"]) < 6
    assert len(values["random"]) > len(values["markov(0.5)"])


def test_neutral_labels_are_no_identifiers_and_kept_values_cannot_leak():
    text = "Ann, 44, seen in 2011"
    note = AnnotatedNote("n", text, ((0, 3, "PATIENT"), (5, 7, "AGE_U90"), (17, 21, "DATE")), "en")
    made = of_marked(note)
    assert [f.type for f in made.findings] == [PhiType.PATIENT, PhiType.DATE]
    assert replaceable(engine("consistent", KEY), [made]) == [(0, 0)]


def test_draws_have_the_rate_and_follow_the_seed():
    places = [(n, at) for n in range(50) for at in range(20)]
    leaks = draw(places, 0.05, 1)
    assert len(leaks) == 50
    assert leaks == draw(places, 0.05, 1) != draw(places, 0.05, 2)
    assert leaks <= set(places)


def released(*names: tuple[str, bool]) -> ReleasedNote:
    text, shown = "", []
    for name, leaked in names:
        shown.append(ShownIdentifier(len(text), len(text) + len(name), PhiType.PATIENT, leaked))
        text += name + " ; "
    return ReleasedNote("p", text, tuple(shown))


def test_recurrence_counts_words_of_names_over_the_notes_of_a_patient():
    notes = [released(("Ann Miller", False), ("Mr. Miller", False)), released(("Stone", True))]
    rows = recurrence.judge(notes)
    assert [flags[recurrence.ODD] for _, flags in rows] == [False, False, True]
    assert [flags[recurrence.RECURS] for _, flags in rows] == [True, True, False]
    assert Outcome.of((leaked, f[recurrence.ODD]) for leaked, f in rows) == Outcome(1, 1, 0)


def test_a_file_without_any_recurrence_has_no_odd_one():
    rows = recurrence.judge([released(("Stone", True), ("Miller", False))])
    assert not any(flags[recurrence.ODD] for _, flags in rows)


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    names = NameSource()
    people = [patient(n, 4, names) for n in range(12)]
    files = [of_written(file_note(who, k)) for who in people for k in range(6)]
    return recurrence.attack(files, KEY, 4, 0.5, lambda: None)


def test_each_strategy_gives_in_to_its_own_rule(cells):
    at = {(c.curve, c.strategy, c.rate): c.outcome for c in cells}
    assert len(at) == 18
    consistent = at[recurrence.ODD, "consistent", 0.05]
    fresh = at[recurrence.ODD, "random", 0.05]
    assert consistent.leaks == fresh.leaks > 10
    assert consistent.precision > fresh.precision
    assert (
        at[recurrence.RECURS, "random", 0.05].precision
        > at[recurrence.RECURS, "consistent", 0.05].precision
    )


def test_leaks_keep_their_offsets_in_every_release():
    made = [source()] * 3
    maker = engine("random", KEY)
    places = replaceable(maker, made)
    for note in release_all(maker, made, draw(places, 0.5, 1)):
        for shown, (_, value) in zip(note.shown, SPANS, strict=True):
            assert (note.text[shown.start : shown.end] == value) is shown.leaked
