"""`stream-deid lists` and `stream-deid templates`: mine, review, compile."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from stream_deid.detect.fast.reviewed import INCLUSION, TEMPLATES
from stream_deid.errors import Halt
from stream_deid.training.fast import prevalence, reviews, sources, words

_NOTES_AT_ONCE = 256


def build(sources_: Sequence[str], language: str, data: Path, out: Path, *, least: int) -> int:
    """Mine the sentences of all sources into a review file; decisions in it are kept."""
    corpus = prevalence.SentenceCorpus()
    for mined in _notes(sources_, language, data):
        corpus.add(mined)
    made = prevalence.mine(corpus, language, data / "gazetteers", least=least)
    review = reviews.Review(INCLUSION, language, tuple(made.entries))
    todo = reviews.save(out, review)
    share = prevalence.share(corpus, (one.text for one in made.entries))
    _say(f"{corpus.notes} notes, {corpus.pieces} sentences, {len(corpus.sentences)} distinct")
    _filtered(made.filtered)
    _say(f"{len(made.entries)} to review: {100 * share:.1f} % of all sentences; {len(todo)} open")
    return 0


def harvest(
    sources_: Sequence[str], language: str, system: str, data: Path, out: Path, *, least: int
) -> int:
    """Sentences of all sources through a system, templates into a review file."""
    from stream_deid.training.evaluate import systems  # noqa: PLC0415 - it needs the engines
    from stream_deid.training.fast import harvest as harvesting  # noqa: PLC0415 - as above

    made = harvesting.Harvest()
    for batch in _batches(_notes(sources_, language, data)):
        found = systems.run_system(system, [one.annotated() for one in batch], data)
        for one, mine in zip(batch, found, strict=True):
            made.add(one.note, one.patient, one.text, mine)
        _say(f"  {made.sentences} sentences, {len(made.forms)} syntax templates")
    rules = harvesting.rules(made, words.gazetteer(data / "gazetteers"), least=least)
    todo = reviews.save(out, reviews.Review(TEMPLATES, language, tuple(rules.entries)))
    _filtered(rules.cut)
    _say(f"{len(rules.entries)} templates to review, {len(todo)} open")
    return 0


def walk(path: Path) -> int:
    """Go through a review in the terminal."""
    try:
        decided = reviews.walk(path, input, _say)
    except EOFError:
        decided = reviews.read(path).decided()
    _say(f"{path}: {reviews.outcome(decided)}")
    return 0


def compiled(path: Path, folder: Path) -> int:
    """Compile a review into what serves."""
    out = reviews.compile_into(path, folder)
    _say(f"{out}: {reviews.outcome(reviews.read(path).decided())}")
    return 0


def _notes(sources_: Sequence[str], language: str, data: Path) -> Iterator[sources.Mined]:
    for source in sources_:
        for mined in sources.read(source, data):
            if mined.language != language:
                raise Halt("source.language", f"{source} is not of language {language!r}")
            yield mined


def _batches(notes: Iterator[sources.Mined]) -> Iterator[list[sources.Mined]]:
    batch: list[sources.Mined] = []
    for one in notes:
        batch.append(one)
        if len(batch) == _NOTES_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _filtered(counts: Mapping[str, int]) -> None:
    for why, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        _say(f"  left out, {why}: {count}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
