"""Any systems on any marked notes, side by side, without a server.

`stream-deid compare GOLD NAME=SPEC ... [--html FILE] [--against NAME]
[--seen SOURCE ...] [--examples N]`

GOLD is a source as recipes write it (`jsonl:es:corpora/dev/es_dev.jsonl`). SPEC is one or more
members joined by "+", whose votes are united as the service does: `patterns`,
`crf:FILE.crfsuite` (`crf:`: the shipped one), `onnx:FOLDER` and `openvino:FOLDER` (a model of
the repository, in the engine that serves it), or `run:RECIPE:FOLDER` (a checkpoint).
Models joined by "," are pooled and vote
as one (`detect.decoding`): `patterns+openvino:A,onnx:B`. `MODEL@1.5` sets its `o_bias`
(the second opinion's as well, where the pool has one). `nference:openvino:A,onnx:B` reads them as
models by entity, as the setting `profile` does (`detect.ensemble`; so does `nference-heads:...`);
`ensemble:FILE:openvino:A,...` as that file of one's own describes them (`profile_file`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from stream_deid import atomic
from stream_deid.config.formats import texts
from stream_deid.detect.examination import Detector
from stream_deid.detect.neural.decoding import check_pool
from stream_deid.detect.neural.ensemble import chosen
from stream_deid.detect.neural.feature_crf import FeatureCrf, shipped
from stream_deid.detect.patterns import Patterns, is_pattern
from stream_deid.detect.settle.agreement import agree, votes_of
from stream_deid.errors import Halt
from stream_deid.note import Detection, Finding, Note, Part
from stream_deid.text.readings import both, plain
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import browser, leaks, slices
from stream_deid.training.evaluate.significance import significance
from stream_deid.training.run.engines import engine
from stream_deid.training.scores import tables
from stream_deid.training.scores.counts import Score, total
from stream_deid.training.scores.metrics import Mark, marks, score_note
from stream_deid.training.scores.offline import Engine, gold_marks, predict

Found = list[list[Detection]]
Member = Callable[[Sequence[AnnotatedNote]], Found]

PROFILES, OWN = ("nference", "nference-heads"), "ensemble"


def by_name(systems: Sequence[str]) -> dict[str, str]:
    """SPECs of `NAME=SPEC`; raises `Halt("system.name")` where one has no name, or another's."""
    named: dict[str, str] = {}
    for one in systems:
        name, equals, spec = one.partition("=")
        if not (name and equals):
            raise Halt("system.name", f"{one!r} is no NAME=SPEC, such as served=patterns")
        if name in named:
            raise Halt("system.name", f"two systems are called {name!r}")
        named[name] = spec
    return named


def member(spec: str, data: Path) -> Member:
    """One member of a system; raises `Halt("system.unknown")` for another kind."""
    kind, _, rest = spec.partition(":")
    if kind == "patterns":
        return patterns
    if kind == "crf":
        crf = _crf(Path(rest)) if rest else None
        return lambda notes: _by_language(notes, lambda code: crf or shipped(code))
    if kind in (*PROFILES, OWN):
        return _entity_models(kind, rest, data)
    pool = [engine(one, data) for one in spec.split(",")]
    check_pool([model for model, _ in pool])
    return lambda notes: predict(notes, *pool)


def _entity_models(kind: str, rest: str, data: Path) -> Member:
    if "@" in rest:
        raise Halt("system.bias", f"each version of {kind} has a bias of its own")
    own = None
    if kind == OWN:
        file, _, rest = rest.partition(":")
        own = texts((file,), "profile.file")[file]
    profile = PROFILES[0] if kind == OWN else kind
    return entity_models([engine(one, data) for one in rest.split(",")], own, profile)


def entity_models(
    engines: Sequence[Engine], own: str | None = None, profile: str = PROFILES[0]
) -> Member:
    """The paper's ensemble on these models, or the one that is described; of the language that
    they are of. Raises `Halt("profile...")`.
    """
    names = [model.name for model, _ in engines]
    languages = dict.fromkeys(code for model, _ in engines for code in model.languages)
    ensemble, *_ = chosen(profile, dict.fromkeys(languages, names), own).values()
    ready = ensemble.prepared([model for model, _ in engines])
    pool = [(model, emit) for model, (_, emit) in zip(ready, engines, strict=True)]
    return lambda notes: predict(notes, *pool, decoder=ensemble.decode)


def _crf(path: Path) -> FeatureCrf:
    try:
        return FeatureCrf(path.read_bytes())
    except ValueError:
        raise Halt(
            "system.crf", f"{path} is no model of a CRF; `stream-deid train` makes one"
        ) from None


def patterns(notes: Sequence[AnnotatedNote]) -> Found:
    """What the pattern detectors find in each note."""
    return _by_language(notes, Patterns)


def _by_language(notes: Sequence[AnnotatedNote], of: Callable[[str], Detector]) -> Found:
    """What the detector of its language finds in each note and in its plain reading."""
    made = {code: of(code) for code in dict.fromkeys(note.language for note in notes)}
    return [
        both(made[n.language], n.text, plain(n.text), Note("", "", (Part(n.text),), n.language))
        for n in notes
    ]


def run_system(spec: str, notes: Sequence[AnnotatedNote], data: Path) -> list[list[Finding]]:
    """What a system finds in each note."""
    return united(notes, [member(part, data)(notes) for part in spec.split("+")])


def united(notes: Sequence[AnnotatedNote], found: Sequence[Found]) -> list[list[Finding]]:
    """What members that found `found` say together of each note: votes are united as the service
    does, with what the rest of the note tells (repetitions, rows, columns, acronyms).
    """
    if len(found) == 1:
        return [[_as_finding(d) for d in ds] for ds in found[0]]
    return [
        _agreed(note, [d for ds in votes for d in ds])
        for note, *votes in zip(notes, *found, strict=True)
    ]


def _agreed(note: AnnotatedNote, votes: Sequence[Detection]) -> list[Finding]:
    models = [one for one in votes if not is_pattern(one.detector)]
    patterns_ = [one for one in votes if is_pattern(one.detector)]
    whole = Note(note.id, note.id, (Part(note.text),), note.language)
    return list(agree(whole, votes_of(whole.parts, [patterns_], [models]))[0])


def _as_finding(d: Detection) -> Finding:
    return Finding(d.start, d.end, d.type, (d.detector,), d.score, d.label)


def score_system(notes: Sequence[AnnotatedNote], found: Sequence[Sequence[Finding]]) -> list[Score]:
    """One score a note."""
    return [
        score_note(n.text, gold_marks(n), said(n, f)) for n, f in zip(notes, found, strict=True)
    ]


def said(note: AnnotatedNote, found: Sequence[Finding]) -> list[Mark]:
    """Findings in the labels of the note's guideline."""
    return marks(found, meddocan=note.language == "es")


def compare(
    notes: Sequence[AnnotatedNote],
    found: dict[str, list[list[Finding]]],
    against: str = "",
    examples: int = 0,
) -> str:
    """The table of all systems, types and leaks of the last one, all by class side by side, what
    one finds and another misses, and p-values against one of them.
    """
    spanish = notes[0].language == "es"
    scores = {name: score_system(notes, f) for name, f in found.items()}
    totals = {name: total(s) for name, s in scores.items()}
    questions = tables.MEDDOCAN_QUESTIONS if spanish else tables.ENGLISH_QUESTIONS
    group = "all" if spanish else "B"
    text = tables.systems_table(totals, questions, group=group)
    last = totals[list(totals)[-1]]
    text += "\n" + tables.types_table(last) + "\n" + tables.damage_table(last)
    types = [note.note_type for note in notes]
    of_last = scores[list(scores)[-1]]
    text += "\n" + tables.note_types_table(types, of_last, group=group)
    marked = {
        name: [said(n, f) for n, f in zip(notes, of, strict=True)] for name, of in found.items()
    }
    text += "\n" + leaks.side_by_side(
        notes, marked, totals, group, against=against, examples=examples
    )
    for question in ("ner", f"token.{group}") if against else ():
        rows = [
            [name, *(f"{p:.4f}" for p in significance(scores[against], s, question))]
            for name, s in scores.items()
            if name != against
        ]
        header = [f"p against {against} ({tables.NAMES[question]})", "precision", "recall", "F1"]
        text += "\n" + tables.markdown(header, rows)
    return text


def _slices(
    notes: Sequence[AnnotatedNote],
    found: Sequence[Sequence[Finding]],
    seen: Sequence[str],
    data: Path,
) -> str:
    """Recall by slice, where the lists of names are at hand."""
    if not (data / "gazetteers").is_dir():
        return "no gazetteers: recall by origin and sex of names is left out\n"
    census = slices.CensusGroups.read(data / "gazetteers")
    known = slices.values(recipes.load_all(tuple(seen), data))
    marked = [said(n, f) for n, f in zip(notes, found, strict=True)]
    return slices.table(slices.recall(notes, marked, census, known))


def main(
    gold: str,
    systems: Sequence[str],
    data: Path,
    *,
    html: Path | None = None,
    against: str = "",
    seen: Sequence[str] = (),
    examples: int = 0,
) -> int:
    """Print the tables; write the page of errors of the last system where `html` is given.

    `seen`: the training corpora of the last system, for its recall of values that they lack;
    `examples`: how many of each kind of leak to show.
    """
    named = by_name(systems)
    if against and against not in named:
        raise Halt("system.name", f"--against {against}: systems are {', '.join(named)}")
    notes = recipes.load(gold, data)
    found = {name: run_system(spec, notes, data) for name, spec in named.items()}
    sys.stdout.write(compare(notes, found, against, examples))
    last = found[list(found)[-1]]
    sys.stdout.write("\n" + _slices(notes, last, seen, data))
    if html:
        pages = [
            browser.NotePage(n.id, n.text, gold_marks(n), said(n, f))
            for n, f in zip(notes, last, strict=True)
        ]
        atomic.write(html, browser.render(list(named)[-1], pages))
    return 0
