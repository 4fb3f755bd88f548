"""Patterns: golden cases with an exact list of known failures, and evasions."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marked_spans import place

from stream_deid.detect.patterns import PATTERNS, Patterns
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.errors import Halt
from stream_deid.text.folding import folded
from stream_deid.text.view import View

DATA = Path(__file__).parent.parent / "data"
RUN = {language: Patterns(language) for language in PATTERNS}


def found(language, text):
    findings = vote(text, RUN[language].detect(text))
    return [[f.start, f.end, str(f.type)] for f in findings]


@pytest.mark.parametrize("language", sorted(PATTERNS))
def test_golden_cases(language):
    golden = json.loads((DATA / f"patterns_{language}.json").read_text(encoding="utf-8"))
    failing = [c["text"] for c in golden["cases"] if found(language, c["text"]) != c["spans"]]
    assert failing == golden["known_failures"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seen ０３/０４/２０２１ today", "０３/０４/２０２１"),
        ("seen 03\u200b/04/2021 today", "03\u200b/04/2021"),
        ("seen 03\u201304\u20132021 today", "03\u201304\u20132021"),
        ("cell 520\u00a0761\u00a00348 now", "520\u00a0761\u00a00348"),
        ("é😀ñ 562-71-0048 ü", "562-71-0048"),
    ],
)
def test_unicode_does_not_hide(text, value):
    assert [*place(text, value)] in [f[:2] for f in found("en", text)]


def test_spanish_labels_are_finer_than_types():
    hits = RUN["es"].detect("nº colegiado 28 28 20943, varón de 63 años")
    assert {h.label for h in hits} >= {"ID_TITULACION_PERSONAL_SANITARIO", "EDAD_SUJETO_ASISTENCIA"}


def test_unknown_language_is_refused():
    with pytest.raises(Halt):
        Patterns("de")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120))
def test_any_text_in_bounds(text):
    assert len(folded(text)) == len(text)
    for language in PATTERNS:
        for d in RUN[language].detect(text):
            assert 0 <= d.start < d.end <= len(text)


@settings(max_examples=40, deadline=None)
@given(st.text("3/4-. MarchDr:#x\n\u200bñ", max_size=60))
def test_offsets_come_back_through_the_fold(text):
    view = View(text)
    for i in range(len(view.text)):
        low, high = view.origin(i, i + 1)
        assert high == low + 1
        assert folded(text[low]) == view.text[i]


@pytest.mark.parametrize("text", ["Dr Nikhil PG2 aware", "Mr. Nikhil B12 deficiency"])
def test_a_name_before_a_word_with_figures_is_whole(text):
    assert [*place(text, "Nikhil")] in [f[:2] for f in found("en", text)]


@pytest.mark.parametrize("language", sorted(PATTERNS))
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("[3/4/21, 08:00:12] Nadia Frost: she is ok", "Nadia Frost"),
        ("04/03/2021, 08:00 - marsh: call me", "marsh"),
        ("2021-03-04 8:00 PM - José: bed 4", "José"),
        ("3/4/21, 08:00 - Vitals: ok", None),
        ("3/4/21, 08:00 - Plan: rest", None),
        ("[3/4/21, 08:00] Nursing note: slept", None),
        ("08:00 - Frost: no stamp of a chat", None),
    ],
)
def test_who_speaks_in_a_chat(language, line, name):
    said = [line[a:b] for a, b, kind in found(language, line) if kind == "PATIENT"]
    assert said == ([name] if name else [])
