"""The fast paths taken apart: recall, precision, share settled and time, each part taken away.

The served configuration in this process, over the development notes; and over the fifth of
MTSamples (unlabelled) that a list, mined anew from the other four, has not seen. "A third listed":
the English notes with runs of listed sentences between their lines, the share that the paper met.
Seconds are those of the processor.

    STREAM_DEID_DATA=... .venv-training/bin/python bench/fast_paths.py [--only NAME ...] [--show]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import numpy as np

from stream_deid import config
from stream_deid.detect.examination import Language, Pending
from stream_deid.detect.fast import paths
from stream_deid.detect.fast.inclusion import Inclusion
from stream_deid.detect.fast.paths import FastPaths
from stream_deid.detect.fast.reviewed import INCLUSION, TEMPLATES, Reviewed, shipped
from stream_deid.detect.fast.templates import Templates
from stream_deid.detect.fast.units import pieces
from stream_deid.detect.neural.ensemble import Ensemble
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.labels import label_type
from stream_deid.note import Note, Part, Window
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate.command import audit_marks
from stream_deid.training.fast import prevalence, sources
from stream_deid.training.run import engines
from stream_deid.training.scores import tables
from stream_deid.training.scores.counts import Score, total
from stream_deid.training.scores.metrics import Mark, score_note
from stream_deid.training.scores.offline import Engine, gold_marks

MODELS = {
    "en": ("openvino:triton_models/bert_en", "onnx:triton_models/bilstm_crf_en"),
    "es": ("openvino:triton_models/bert_es", "onnx:triton_models/bilstm_crf_es"),
}
DEV = {
    "English dev": "jsonl:en:corpora/dev/en_dev.jsonl",
    "Spanish dev": "jsonl:es:corpora/dev/es_dev.jsonl",
    "English noisy": "marked:en:corpora/dev/noisy/en",
    "Spanish noisy": "marked:es:corpora/dev/noisy/es",
    "MEDDOCAN dev": "brat:es:meddocan/dev",
}
UNSEEN = "plain:en:mtsamples/notes.jsonl:text"
PADDED = "English dev, a third listed"
_FIFTH, _RUN = 5, 12
_ALL = 10**9


@dataclass(slots=True)
class Run:
    """What one variant did with one corpus."""

    score: Score = field(default_factory=Score)
    covered: list[set[Mark]] = field(default_factory=list)
    spans: int = 0
    tokens: int = 0
    windows: int = 0
    idle: int = 0
    settled: int = 0
    sentences: int = 0
    pieces: int = 0
    chars: int = 0
    seconds: dict[str, float] = field(default_factory=dict)


def variants(language: str, listed: Reviewed | None = None) -> dict[str, FastPaths | None]:
    """Off, the whole, and the whole with each part taken away."""
    listed = listed or shipped(INCLUSION, language)
    whole = FastPaths(Inclusion(listed), Templates(shipped(TEMPLATES, language)))
    no_list = replace(whole, inclusion=Inclusion(Reviewed(INCLUSION, language)))
    no_templates = replace(whole, templates=Templates(Reviewed(TEMPLATES, language)))
    return {
        "off": None,
        "inclusion+templates": whole,
        "without the list": no_list,
        "without templates (inclusion)": no_templates,
        "without context": replace(whole, context=0),
        "context of 1": replace(whole, context=1),
        "models read all, settled votes dropped": replace(whole, context=_ALL),
    }


def run(
    notes: Sequence[AnnotatedNote],
    engines: Sequence[Engine],
    fast: FastPaths | None,
    ensemble: Ensemble | None = None,
) -> Run:
    """All notes through the pure pipeline and the engines of one language."""
    language = notes[0].language
    detectors = (Patterns(language), KnownIdentifiers())
    setup = Language(detectors, tuple(spec for spec, _ in engines), fast=fast, ensemble=ensemble)
    made = Pipeline({language: setup}, Surrogates(Policy.named(), b"0" * 32), "bench")
    out = Run(seconds=dict.fromkeys(("begin", "models", "finish"), 0.0))
    scores = []
    for one in notes:
        laps = [time.process_time()]
        pending = made.begin(Note(one.id, one.id, (Part(one.text, "text"),), language))
        cut = [(chunk, made.windows(pending, chunk)) for chunk in pending.chunks]
        windows = [window for _, mine in cut for window in mine]
        laps.append(time.process_time())
        arrays = {}
        for spec, emit in engines:
            mine = [i for i, w in enumerate(windows) if w.model == spec.name]
            arrays.update(zip(mine, emit([windows[i] for i in mine]), strict=True))
        laps.append(time.process_time())
        said = (arrays[i] for i in range(len(windows)))
        heard = [
            made.hear(pending, chunk, mine, list(islice(said, len(mine)))) for chunk, mine in cut
        ]
        _, record = made.finish(pending, heard)
        laps.append(time.process_time())
        for k, stage in enumerate(out.seconds):
            out.seconds[stage] += laps[k + 1] - laps[k]
        marks = audit_marks(record.body, spanish=language == "es")
        scores.append(score_note(one.text, gold_marks(one), marks))
        out.covered.append(_covered(one, marks))
        out.spans += len(marks)
        out.tokens += sum(map(len, windows))
        out.windows += len(windows)
        out.idle += _idle(pending, windows)
        out.chars += len(one.text)
        out.pieces += sum(1 for _ in pieces(one.text))
        out.settled += sum(s.end - s.start for s in pending.settled_in(0))
        out.sentences += len(pending.settled_in(0))
    out.score = total(scores)
    return out


def _idle(pending: Pending, windows: Sequence[Window]) -> int:
    """How many windows own nothing but what is settled: those that could be left out whole."""
    ruled = np.zeros(len(pending.note.parts[0].text) + 1, dtype=bool)
    for one in pending.settled_in(0):
        ruled[one.start : one.end] = True
    count = 0
    for window in (w for w in windows if w.part == 0):
        starts = window.starts[window.ends > window.starts]
        own = starts[(starts >= window.own_start) & (starts < window.own_end)]
        count += bool(ruled[own].all())
    return count


def _covered(note: AnnotatedNote, marks: Sequence[Mark]) -> set[Mark]:
    """The identifiers of a note of which no letter or digit is left."""
    hidden = {i for m in marks for i in range(m.start, m.end)}
    return {
        gold
        for gold in gold_marks(note)
        if label_type(gold.label) is not None
        and all(i in hidden or not note.text[i].isalnum() for i in range(gold.start, gold.end))
    }


def padded(notes: Sequence[AnnotatedNote], seed: int = 7) -> list[AnnotatedNote]:
    """The notes with runs of listed sentences between their lines, until these are a third."""
    rng = random.Random(seed)
    listed = shipped(INCLUSION, notes[0].language).entries
    out = []
    for note in notes:
        wanted = sum(1 for _ in pieces(note.text)) // 2
        breaks = [
            i + 1
            for i, char in enumerate(note.text)
            if char == "\n" and not any(a < i + 1 and i < b for a, b, _ in note.spans)
        ] or [len(note.text)]
        where = sorted(rng.choice(breaks) for _ in range(-(-wanted // _RUN)))
        text, spans, at = note.text, list(note.spans), 0
        for place in where:
            run_ = "".join(f"{e.capitalize()}.\n" for e in rng.sample(listed, _RUN))
            run_ = run_ if place == 0 or text[place + at - 1] == "\n" else f"\n{run_}"
            text = text[: place + at] + run_ + text[place + at :]
            spans = [
                (a + len(run_), b + len(run_), k) if a >= place + at else (a, b, k)
                for a, b, k in spans
            ]
            at += len(run_)
        out.append(replace(note, text=text, spans=tuple(spans)))
    return out


def unseen(data: Path) -> tuple[list[AnnotatedNote], Reviewed]:
    """Notes of a fifth of MTSamples, and the reviewed entries that the other four fifths yield."""
    corpus, kept = prevalence.SentenceCorpus(), []
    for mined in sources.read(UNSEEN, data):
        if hashlib.sha256(mined.note.encode()).digest()[0] % _FIFTH == 0:
            kept.append(mined.annotated())
        else:
            corpus.add(mined)
    entries = {one.text for one in prevalence.mine(corpus, "en", data / "gazetteers").entries}
    accepted = entries & set(shipped(INCLUSION, "en").entries)
    return kept, Reviewed.of(INCLUSION, "en", accepted)


def table(runs: dict[str, Run], *, marked: bool, spanish: bool) -> str:
    """One row a variant."""
    question = "token.all" if spanish else "token.B"
    off = runs["off"]
    rows = []
    for name, one in runs.items():
        counts = one.score[question]
        lost = sum(len(a - b) for a, b in zip(off.covered, one.covered, strict=True))
        won = sum(len(b - a) for a, b in zip(off.covered, one.covered, strict=True))
        scored = [f"{counts.recall:.4f}", f"{counts.precision:.4f}", f"{lost} / {won}"]
        rows.append(
            [
                name,
                *(scored if marked else [str(one.spans)]),
                f"{100 * one.sentences / one.pieces:.1f} %",
                f"{100 * one.settled / one.chars:.1f} %",
                f"{100 * one.tokens / off.tokens - 100:+.1f} %",
                *(f"{value:.1f}" for value in one.seconds.values()),
            ]
        )
    header = ["variant", *(["recall", "precision", "lost / won"] if marked else ["spans hidden"])]
    header += ["sentences settled", "characters", "tokens read", "begin s", "models s", "finish s"]
    return tables.markdown(header, rows)


def show(notes: Sequence[AnnotatedNote], runs: dict[str, Run]) -> None:
    """Every identifier that a variant loses or wins."""
    for name, one in runs.items():
        for note, before, after in zip(notes, runs["off"].covered, one.covered, strict=True):
            for sign, marks in (("lost", before - after), ("won", after - before)):
                for mark in sorted(marks):
                    around = note.text[max(0, mark.start - 60) : mark.end + 30].replace("\n", "\\n")
                    print(f"  {name}: {sign} {mark.label} in {note.id}: {around}")


def main() -> None:
    """Run from the command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[*DEV, PADDED, "unseen"], metavar="CORPUS")
    parser.add_argument("--notes", type=int, default=60, help="of each corpus, at most")
    parser.add_argument("--show", action="store_true", help="every identifier lost or won")
    arguments = parser.parse_args()
    data = config.data_dir()
    engines = {
        language: [engines.engine(spec, data) for spec in specs]
        for language, specs in MODELS.items()
    }
    for name in arguments.only:
        listed = None
        if name == "unseen":
            notes, listed = unseen(data)
        else:
            notes = recipes.load(DEV["English dev" if name == PADDED else name], data)
        if name == PADDED:
            notes = padded(notes)
        notes = notes[: arguments.notes]
        language = notes[0].language
        run(notes[:3], engines[language], None)  # warm
        runs = {
            variant: run(notes, engines[language], fast)
            for variant, fast in variants(language, listed).items()
        }
        print(
            f"\n{name}: {len(notes)} notes, context of {paths.CONTEXT} where not said\n", flush=True
        )
        idle = runs["models read all, settled votes dropped"]
        print(f"windows wholly settled: {idle.idle} of {idle.windows}\n")
        print(table(runs, marked=name != "unseen", spanish=language == "es"), flush=True)
        if arguments.show:
            show(notes, runs)


if __name__ == "__main__":
    main()
