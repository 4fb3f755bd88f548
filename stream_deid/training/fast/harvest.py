"""Templates, harvested: sentences through an ensemble, masks to templates (nference 2021).

Each sentence with an identifier gives two templates. The NER template has the IOB2 tag of each
token that the ensemble detected in place of the token ("signed by: B-DOCTOR I-DOCTOR on B-DATE");
the syntax template has its form there: W letters, N digits, A both ("signed by: W, W on N/N/N").
Where all sentences of one syntax template have one NER template, that is a rule; otherwise there
is none. Rules that are too short or too rare are cut, and so are those with a digit or a name in
their literals, and those whose expression takes sentences that the ensemble reads otherwise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stream_deid.detect.fast.reviewed import TEMPLATES, Reviewed
from stream_deid.detect.fast.templates import TIME, Templates
from stream_deid.detect.fast.units import whole
from stream_deid.errors import Halt
from stream_deid.note import Detection, Finding
from stream_deid.text.folding import folded
from stream_deid.training.fast import words
from stream_deid.training.fast.reviews import ReviewEntry

_TOKEN = re.compile(
    r"(?P<W>[A-Za-z]+(?:['-][A-Za-z]+)*)(?![A-Za-z0-9])|(?P<N>[0-9]+)(?![A-Za-z0-9])"
    r"|(?P<A>[A-Za-z0-9]+)|(?P<blank>\s+)|(?P<sign>.)"
)
_CLOCK = re.compile(r"(?<![0-9:/.-])[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?![0-9:/-])")
_WORD = re.compile(r"[A-Za-z]+")
OUTSIDE = "O"
LEAST_NOTES = 3
"""Rarer than this: cut."""
LEAST_LETTERS = 3
"""Fewer letters in its literals: cut."""
MOST_DISPUTED = 0.1
"""More of the sentences that a rule takes, read otherwise by the ensemble: cut."""
LONGEST = 40


@dataclass(frozen=True, slots=True)
class SyntaxToken:
    """A token with its syntax: `W`, `N`, `A`, a blank, or the sign itself."""

    start: int
    end: int
    syntax: str


def tokens(sentence: str) -> list[SyntaxToken]:
    """The tokens of a sentence, over its folded text."""
    out = []
    for match in _TOKEN.finditer(folded(sentence)):
        kind = match.lastgroup or ""
        syntax = {"blank": " ", "sign": match.group()}.get(kind, kind)
        out.append(SyntaxToken(*match.span(), syntax))
    return out


def mask(sentence: Sequence[SyntaxToken], found: Iterable[tuple[int, int, str]]) -> list[str]:
    """The IOB2 tag of each token: `O`, or `B-`/`I-` and the type of what was detected there."""
    tags = [OUTSIDE] * len(sentence)
    for start, end, kind in found:
        first = True
        for i, token in enumerate(sentence):
            if token.start < end and start < token.end and tags[i] == OUTSIDE:
                if token.syntax == " " and (first or token.end >= end):
                    continue
                tags[i] = ("B-" if first else "I-") + kind
                first = False
    return tags


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """One sentence as the ensemble read it: both of its templates, and the rule it would be."""

    syntax: str
    ner: str
    rule: str
    literal: str


def reading(sentence: str, found: Iterable[tuple[int, int, str]]) -> SentenceReading:
    """The templates of one sentence; `found`: `(start, end, type)` in it, disjoint."""
    listed = tokens(sentence)
    tags = mask(listed, found)
    syntax, ner, rule, literal = [], [], [], []
    open_slot = False
    for token, tag in zip(listed, tags, strict=True):
        written = " " if token.syntax == " " else folded(sentence)[token.start : token.end]
        if open_slot and not tag.startswith("I-"):
            rule.append("}")
            open_slot = False
        if tag == OUTSIDE:
            syntax.append(written.lower())
            ner.append(written.lower())
            rule.append(written)
            literal.append(written)
            continue
        if tag.startswith("B-"):
            rule.append("{" + tag[2:] + ":")
            literal.append(" ")
            open_slot = True
        rule.append(token.syntax)
        syntax.append(token.syntax)
        ner.append("" if token.syntax == " " else f" {tag} ")
    if open_slot:
        rule.append("}")
    return SentenceReading(*("".join(part) for part in (syntax, ner, rule, literal)))


def clocks(sentence: str, found: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Times of day beside what was found: no identifiers, but never the same twice."""
    return [
        (*match.span(), TIME)
        for match in _CLOCK.finditer(folded(sentence))
        if not any(a < match.end() and match.start() < b for a, b, _ in found)
    ]


@dataclass(slots=True)
class _Form:
    """What was counted of one syntax template."""

    sentences: int = 0
    notes: set[str] = field(default_factory=set)
    patients: set[str] = field(default_factory=set)
    ner: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    literal: str = ""


@dataclass(slots=True)
class Harvest:
    """The sentences of a corpus as an ensemble read them."""

    forms: dict[str, _Form] = field(default_factory=lambda: defaultdict(_Form))
    usage: words.Usage = field(default_factory=words.Usage)
    lines: list[tuple[str, frozenset[tuple[int, int]]]] = field(default_factory=list)
    sentences: int = 0

    def add(self, note: str, patient: str, text: str, found: Sequence[Finding | Detection]) -> None:
        """The sentences of one note, with what the ensemble found in it."""
        for start, end in whole(text):
            sentence = text[start:end]
            self.usage.add(sentence)
            self.sentences += 1
            if len(sentence.split()) > LONGEST or "{" in sentence or "}" in sentence:
                continue
            mine = [
                (max(f.start, start) - start, min(f.end, end) - start, f.type.value)
                for f in found
                if f.start < end and start < f.end
            ]
            hidden = frozenset((a, b) for a, b, _ in mine)
            self.lines.append((folded(sentence), hidden))
            if mine:
                self._count(note, patient, reading(sentence, [*mine, *clocks(sentence, mine)]))

    def _count(self, note: str, patient: str, one: SentenceReading) -> None:
        form = self.forms[one.syntax]
        form.sentences += 1
        form.notes.add(note)
        form.patients.add(patient)
        form.ner[one.ner] += 1
        form.rules[one.rule] += 1
        form.literal = one.literal


@dataclass(frozen=True, slots=True)
class Harvested:
    """Templates to review, and how many syntax templates were cut why."""

    entries: list[ReviewEntry]
    cut: Counter[str]


def rules(harvest: Harvest, known: frozenset[str], *, least: int = LEAST_NOTES) -> Harvested:
    """One rule for each syntax template that deserves one, those of the most notes first."""
    cut: Counter[str] = Counter()
    kept: dict[str, _Form] = {}
    for _, form in sorted(harvest.forms.items()):
        if why := _unfit(form, known, harvest.usage, least):
            cut[why] += 1
            continue
        rule = min(form.rules, key=lambda r: (-form.rules[r], r))
        if why := _malformed(rule):
            cut[why] += 1
        else:
            kept[rule] = form
    taken, disputed = _disputes(harvest, sorted(kept))
    entries = []
    for rule, form in sorted(kept.items(), key=lambda item: (-len(item[1].notes), item[0])):
        if disputed[rule] > MOST_DISPUTED * taken[rule]:
            cut["the ensemble disputes it"] += 1
            continue
        counts = {
            "patients": str(len(form.patients)),
            "notes": str(len(form.notes)),
            "support": str(form.sentences),
            "taken": str(taken[rule]),
            "conflicts": str(disputed[rule]),
        }
        entries.append(ReviewEntry(rule, counts))
    return Harvested(entries, cut)


def _unfit(form: _Form, known: frozenset[str], usage: words.Usage, least: int) -> str:
    if len(form.notes) < least:
        return "too rare"
    if len(form.ner) > 1:
        return "more than one NER template"
    if sum(map(len, _WORD.findall(form.literal))) < LEAST_LETTERS:
        return "too short"
    if any(c.isdecimal() for c in form.literal):
        return "a digit in a literal"
    if words.names(form.literal, known, usage):
        return "a name in a literal"
    return ""


def _malformed(rule: str) -> str:
    try:
        Templates(Reviewed.of(TEMPLATES, "en", [rule]))
    except Halt:
        return "no expression"
    return ""


def _disputes(harvest: Harvest, kept: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """How many sentences each rule takes, and in how many of them the ensemble found a letter or
    digit to hide that the rule would leave.
    """
    taken: Counter[str] = Counter()
    disputed: Counter[str] = Counter()
    served = Templates(Reviewed.of(TEMPLATES, "en", kept))
    for line, hidden in harvest.lines:
        for index, slots in served.slots_of(line):
            rule = served.entries[index]
            taken[rule] += 1
            disputed[rule] += _hides(line, slots) != _hides(line, hidden)
    return taken, disputed


def _hides(line: str, spans: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(i for a, b in spans for i in range(a, b) if line[i].isalnum())
