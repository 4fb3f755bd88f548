r"""Every pattern with examples of what it takes and look-alikes that it leaves.

`tests/data/patterns/examples_<language>.tsv` has a row for each: the pattern's name, "takes" or
"leaves", and a text (a line break is written \n, a tab \t). In a text that the pattern takes, all
that it takes is marked: "Seen on [[6/17]] and well". Other patterns may take what they like.
Several patterns may share a name: each of them by itself takes two of its texts, and one value that
none of its namesakes takes, so that without it a text would no longer be taken.
"""

import re
from pathlib import Path

import pytest

from stream_deid.detect.patterns import PATTERNS, Patterns
from stream_deid.detect.patterns.base import Compiled
from stream_deid.text.view import View

DATA = Path(__file__).parent.parent / "data" / "patterns"
MARK = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)
LEAST = 2
LANGUAGES = sorted(PATTERNS)


def rows(language):
    lines = (DATA / f"examples_{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines[1:]]


RUN = {language: Patterns(language) for language in LANGUAGES}
ROWS = {language: rows(language) for language in LANGUAGES}
NAMES = [(language, pattern.name) for language in LANGUAGES for pattern in PATTERNS[language]]
COMPILED = {
    language: [Compiled(pattern) for pattern in PATTERNS[language]] for language in LANGUAGES
}
EACH = [
    pytest.param(language, at, id=f"{language}-{name}-{names[:at].count(name) + 1}")
    for language in LANGUAGES
    for names in [[pattern.name for pattern in PATTERNS[language]]]
    for at, name in enumerate(names)
]


def unmarked(text):
    """A text without its marks, and the spans that they marked."""
    text = text.replace("\\n", "\n").replace("\\t", "\t")
    starts = [m.start() - 4 * i for i, m in enumerate(MARK.finditer(text))]
    values = MARK.findall(text)
    spans = [(start, start + len(value)) for start, value in zip(starts, values, strict=True)]
    return MARK.sub(r"\1", text), spans


def found(language, name, text):
    hits = RUN[language].detect(text)
    return sorted({(h.start, h.end) for h in hits if h.detector.partition("@")[0] == name})


@pytest.mark.parametrize(("language", "name"), dict.fromkeys(NAMES))
def test_a_pattern_takes_and_leaves(language, name):
    examples = [(kind, text) for one, kind, text in ROWS[language] if one == name]
    kinds = [kind for kind, _ in examples]
    assert min(kinds.count("takes"), kinds.count("leaves")) >= LEAST
    for kind, marked in examples:
        text, spans = unmarked(marked)
        assert bool(spans) == (kind == "takes"), marked
        assert found(language, name, text) == spans, marked


def taken(one, view):
    """What one pattern takes, without its namesakes."""
    return {(hit.start, hit.end) for hit in one.run(view)} if one.wanted(view) else set()


@pytest.mark.parametrize(("language", "at"), EACH)
def test_each_of_a_name_takes_two_and_would_be_missed(language, at):
    one = COMPILED[language][at]
    namesakes = [
        c for c in COMPILED[language] if c is not one and c.pattern.name == one.pattern.name
    ]
    texts, alone = 0, set()
    for name, _, marked in ROWS[language]:
        if name == one.pattern.name:
            text, spans = unmarked(marked)
            view = View(text)
            values = taken(one, view) & set(spans)
            texts += bool(values)
            alone |= values.difference(*(taken(other, view) for other in namesakes))
    assert texts >= LEAST
    assert alone


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_are_of_a_pattern_and_said_once(language):
    known = {pattern.name for pattern in PATTERNS[language]}
    assert {name for name, _, _ in ROWS[language]} <= known
    assert {kind for _, kind, _ in ROWS[language]} == {"takes", "leaves"}
    assert len(set(ROWS[language])) == len(ROWS[language])
