"""What leaks, as the papers count it: identifiers of which a word stays.

nference 2021, table 4 (`errors_table`), table 5 (`notes_table`) and supplementary table 4
(`classes_table`); Dernoncourt et al. 2017, figure 2 (`categories_table`) and table 4
(`differences_table`). Examples are text of notes, so they are shown where somebody asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from stream_deid.labels import ORGANIZATIONS, PLACES, PhiType, label_type
from stream_deid.text.sentences import sentences
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.scores.counts import Counts, Score
from stream_deid.training.scores.metrics import GROUPS, Mark, leaked
from stream_deid.training.scores.offline import gold_marks
from stream_deid.training.scores.tables import markdown

T = PhiType
CLASSES: Mapping[str, frozenset[PhiType]] = MappingProxyType(
    {
        "dates": frozenset({T.DATE}),
        "names": frozenset({T.PATIENT, T.DOCTOR, T.USERNAME, T.RELATIVE}),
        "locations": PLACES,
        "organizations": ORGANIZATIONS,
        "numbers": frozenset(
            {T.SSN, T.MEDICALRECORD, T.HEALTHPLAN, T.ACCOUNT, T.LICENSE, T.VEHICLE, T.DEVICE,
             T.BIOID, T.IDNUM}
        ),
        "contacts": frozenset({T.PHONE, T.FAX, T.EMAIL, T.URL, T.IPADDR}),
        "ages": frozenset({T.AGE}),
        "other": frozenset({T.PROFESSION, T.SEX, T.OTHER}),
    }
)  # fmt: skip
"""Of nference's supplementary table 4, and what it leaves out."""
CONTEXT = 40
_SHORT = 24

Leaks = Sequence[Sequence[Mark]]
"""The identifiers of each note that leak."""


def leaks_of(notes: Sequence[AnnotatedNote], said: Sequence[Sequence[Mark]], group: str) -> Leaks:
    """The identifiers of a group (`metrics.GROUPS`) that a system leaves, wholly or in part."""
    return [
        leaked(note.text, gold_marks(note), marks, group)
        for note, marks in zip(notes, said, strict=True)
    ]


def in_context(text: str, start: int, end: int, around: int = CONTEXT) -> str:
    """A stretch between `>>>` and `<<<` on one line."""
    before, after = text[max(0, start - around) : start], text[end : end + around]
    return f"{before}>>>{text[start:end]}<<<{after}".replace("\n", "\\n")


def report(
    notes: Sequence[AnnotatedNote], leaks: Leaks, score: Score, group: str, *, examples: int = 0
) -> str:
    """The three tables of one system."""
    return "\n".join(
        (
            errors_table(notes, leaks, group, examples=examples),
            notes_table(leaks, _identifiers(notes, group)),
            classes_table(score),
        )
    )


def side_by_side(
    notes: Sequence[AnnotatedNote],
    said: Mapping[str, Sequence[Sequence[Mark]]],
    totals: Mapping[str, Score],
    group: str,
    *,
    against: str = "",
    examples: int = 0,
) -> str:
    """The tables of the last system and, of several, F1 by class and what one finds and another
    misses (each with `against`, else with the first).
    """
    left = {name: leaks_of(notes, marks, group) for name, marks in said.items()}
    last, base = list(said)[-1], against or next(iter(said))
    shown = [report(notes, left[last], totals[last], group, examples=examples)]
    if len(said) > 1:
        shown.append(categories_table(totals))
    shown += [
        differences_table(notes, left, base, name, examples=examples)
        for name in said
        if name != base
    ]
    return "\n".join(shown)


def errors_table(
    notes: Sequence[AnnotatedNote], leaks: Leaks, group: str, *, examples: int = 0
) -> str:
    """One row a label: how many leak, in how many different sentences, their share of all
    identifiers (the rows add up to what recall lacks), and examples.
    """
    of_label: dict[str, list[tuple[AnnotatedNote, Mark]]] = {}
    for note, marks in zip(notes, leaks, strict=True):
        for mark in marks:
            of_label.setdefault(mark.label, []).append((note, mark))
    gold = max(1, _identifiers(notes, group))
    ordered = sorted(of_label.items(), key=lambda row: (-len(row[1]), row[0]))
    rows = []
    for label, found in ordered:
        unique = {_sentence(note.text, mark): (note, mark) for note, mark in found}
        shown = [_example(note, mark) for note, mark in list(unique.values())[:examples]]
        share = f"{100 * len(found) / gold:.4f} %"
        rows.append([label, str(len(found)), str(len(unique)), share, *_cell(shown, examples)])
    every = [str(sum(int(row[i]) for row in rows)) for i in (1, 2)]
    rows.append(["all", *every, f"{100 * int(every[0]) / gold:.4f} %", *_cell([], examples)])
    header = ["what leaks", "errors", "in different sentences", "of all identifiers"]
    return markdown([*header, *_cell(["examples"], examples)], rows)


def notes_table(leaks: Leaks, identifiers: int) -> str:
    """One row a number of errors in a note: such notes, the share of notes with no more, errors,
    the share of identifiers that would be covered if notes with more had none, and the mean number
    of types of error in such a note.
    """
    of_size: dict[int, list[int]] = {0: []}
    for marks in leaks:
        of_size.setdefault(len(marks), []).append(len({mark.label for mark in marks}))
    sizes = {size: len(kinds) for size, kinds in sorted(of_size.items())}
    rows = [
        [
            str(size),
            str(count),
            f"{100 * so_far / max(1, len(leaks)):.1f} %",
            str(size * count),
            str(errors),
            f"{covered:.4f}",
            f"{sum(of_size[size]) / max(1, count):.2f}",
        ]
        for (size, count), (so_far, errors, covered) in zip(
            sizes.items(), coverage(sizes, identifiers), strict=True
        )
    ]
    header = ["errors in a note", "notes", "notes so far", "errors", "errors so far"]
    return markdown([*header, "identifiers covered", "types of error in a note"], rows)


def coverage(sizes: Mapping[int, int], identifiers: int) -> list[tuple[int, int, float]]:
    """For each number of errors (ascending, with its count of notes): notes and errors so far, and
    the share of identifiers that notes with more errors don't lose.
    """
    every = sum(size * count for size, count in sizes.items())
    out, notes, errors = [], 0, 0
    for size, count in sizes.items():
        notes, errors = notes + count, errors + size * count
        out.append((notes, errors, 1 - (every - errors) / max(1, identifiers)))
    return out


def classes_table(score: Score) -> str:
    """Words by class and, below it, by label: how many, precision (taken falsely) of the class, as
    what is hidden has a class and not the other's label, and recall (left).
    """
    rows = []
    for name, of_class in by_class(score).items():
        counts = of_class[""]
        precision = f"{counts.precision:.3f} ({counts.fp})"
        rows.append([name, "", str(counts.tp + counts.fn), precision, _recall(counts)])
        rows += [
            ["", label, str(one.tp + one.fn), "", _recall(one)]
            for label, one in sorted(of_class.items())
            if label and one.tp + one.fn
        ]
    header = ["class", "type", "words", "precision (taken falsely)", "recall (left)"]
    return markdown(header, rows)


def categories_table(systems: Mapping[str, Score]) -> str:
    """F1 of words by class, the systems side by side."""
    found = {name: by_class(score) for name, score in systems.items()}
    names = [c for c in CLASSES if any(c in classes for classes in found.values())]
    none = {"": Counts()}
    rows = []
    for name in names:
        mine = [classes.get(name, none)[""] for classes in found.values()]
        words = max(one.tp + one.fn for one in mine)
        rows.append([name, str(words), *(f"{one.f1:.3f}" for one in mine)])
    return markdown(["F1 of words", "words", *systems], rows)


def differences_table(
    notes: Sequence[AnnotatedNote],
    leaks: Mapping[str, Leaks],
    first: str,
    second: str,
    *,
    examples: int = 0,
) -> str:
    """By class: the identifiers that only one of two systems finds whole, and examples."""
    rows = []
    sides = {first: _gained(notes, leaks, first, second)}
    sides[second] = _gained(notes, leaks, second, first)
    for name in CLASSES:
        cells = [[m for m in side if _class_of(m[1].label) == name] for side in sides.values()]
        if any(cells):
            shown = [
                cell
                for side in cells
                for cell in _cell([_example(n, m) for n, m in side[:examples]], examples)
            ]
            rows.append([name, *(str(len(side)) for side in cells), *shown])
    header = ["found by one alone", *sides]
    return markdown(header + [f"{name}: examples" for name in sides if examples], rows)


def _gained(
    notes: Sequence[AnnotatedNote], leaks: Mapping[str, Leaks], mine: str, other: str
) -> list[tuple[AnnotatedNote, Mark]]:
    """What `mine` finds and `other` leaves."""
    return [
        (note, mark)
        for note, kept, left in zip(notes, leaks[mine], leaks[other], strict=True)
        for mark in left
        if mark not in set(kept)
    ]


def by_class(score: Score) -> dict[str, dict[str, Counts]]:
    """Counts of words by class and label; of the class itself at ""."""
    out: dict[str, dict[str, Counts]] = {}
    for question, counts in score.counts.items():
        kind, _, label = question.partition(".")
        if kind in {"tokens", "false"}:
            of_class = out.setdefault(_class_of(label), {"": Counts()})
            of_class[""] += counts
            of_class[label] = of_class.get(label, Counts()) + counts
    return {name: out[name] for name in CLASSES if name in out}


def _class_of(label: str) -> str:
    phi = label_type(label)
    return next(name for name, types in CLASSES.items() if phi in types)


def _identifiers(notes: Sequence[AnnotatedNote], group: str) -> int:
    labels = Counter(label for note in notes for *_, label in set(note.spans))
    return sum(n for label, n in labels.items() if label_type(label) in GROUPS[group])


def _sentence(text: str, mark: Mark) -> str:
    """The sentence in which a stretch begins, to know the same one again."""
    return next((text[a:b] for a, b in sentences(text) if a <= mark.start < b), "").casefold()


def _example(note: AnnotatedNote, mark: Mark) -> str:
    return in_context(note.text, mark.start, mark.end, _SHORT).replace("|", "\\|")


def _cell(shown: Sequence[str], examples: int) -> list[str]:
    """One cell where examples are asked for, else none."""
    return ["; ".join(shown)] if examples else []


def _recall(counts: Counts) -> str:
    return f"{counts.recall:.3f} ({counts.fn})"
