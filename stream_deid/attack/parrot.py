"""The parrot attack (Carrell et al. 2019, JAMIA 26(12):1536-1544).

The attacker holds a released corpus in which surrogates hide leaks. He marks by hand everything
that looks like an identifier in half of it, trains a tagger on that, and lets it tag the other
half. It repeats ("parrots") what the defender's tagger does, so whatever looks like an identifier
to a reader and stays untagged is taken for a leak.

Here the reader is perfect: he marks every surrogate and every leak, and nothing else. The tagger
is `tagger.PhiTagger`. In the paper 68 % of the leaks were found, with a precision of 52 %.

Leaks are spans drawn at random (`random leaks`), or (`hard leaks`) those to which a defender's
tagger of the same make, trained on other notes as they were written, gives the least
probability. The second is the worse case: attacker and defender fail at the same things. Or they
are what a given system really misses (`real leaks`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from stream_deid.attack.outcome import Advance, Cell, Outcome
from stream_deid.attack.release import (
    Place,
    ReleasedNote,
    UnreleasedNote,
    draw,
    engine,
    release_all,
    replaceable,
)
from stream_deid.attack.tagger import PhiTagger, fit
from stream_deid.note import Finding

RANDOM_LEAKS, HARD_LEAKS, REAL_LEAKS = "random leaks", "hard leaks", "real leaks"
RATES = (0.001, 0.01, 0.05)


def strategies(p: float) -> tuple[str, str, str]:
    """The strategies that are compared; `p` is the chance of `markov`."""
    return ("consistent", f"markov({p:g})", "random")


def attack(
    sources: Sequence[UnreleasedNote], key: bytes, seed: int, p: float, advance: Advance
) -> list[Cell]:
    """Every strategy, kind of leak and miss rate; `advance` is called for each of them.

    `sources` are notes in any order; halves are drawn from `seed`. Raises
    `Halt("attack.crfsuite")` where CRFsuite is not installed.
    """
    with TemporaryDirectory() as folder:
        model = Path(folder) / "model.crfsuite"
        makers = {name: engine(name, key) for name in strategies(p)}
        places = replaceable(makers["consistent"], sources)
        order = hardest(sources, places, seed, model)
        cells = []
        for kind in (RANDOM_LEAKS, HARD_LEAKS):
            for rate in RATES:
                count = round(rate * len(places))
                hard = frozenset(order[:count])
                leaks = draw(places, rate, seed) if kind == RANDOM_LEAKS else hard
                for name, maker in makers.items():
                    outcome = expose(release_all(maker, sources, leaks), seed, model)
                    cells.append(Cell(kind, name, rate, outcome))
                    advance()
        return cells


def attack_missed(
    sources: Sequence[UnreleasedNote],
    found: Sequence[Sequence[Finding]],
    key: bytes,
    *,
    seed: int,
    p: float,
    advance: Advance,
) -> list[Cell]:
    """Every strategy, the leaks being what a system did not touch that `found` this in each of
    the `sources`. Each half is attacked with the other one, since real misses are few.
    """
    makers = {name: engine(name, key) for name in strategies(p)}
    places = replaceable(makers["consistent"], sources)
    leaks = frozenset(place for place in places if _untouched(sources, found, place))
    halves = _halves(len(sources), f"attacker:{seed}")
    cells = []
    with TemporaryDirectory() as folder:
        for name, maker in makers.items():
            released = release_all(maker, sources, leaks)
            judged = [
                one
                for learnt, attacked in (halves, halves[::-1])
                for one in _exposed(released, learnt, attacked, Path(folder) / "model.crfsuite")
            ]
            cells.append(Cell(REAL_LEAKS, name, len(leaks) / len(places), Outcome.of(judged)))
            advance()
    return cells


def _untouched(
    sources: Sequence[UnreleasedNote], found: Sequence[Sequence[Finding]], place: Place
) -> bool:
    number, at = place
    gold = sources[number].findings[at]
    return not any(f.start < gold.end and gold.start < f.end for f in found[number])


def hardest(
    sources: Sequence[UnreleasedNote], places: Sequence[Place], seed: int, model: Path
) -> list[Place]:
    """`places`, the least probable first, each by a tagger trained on the half without it."""
    chance: dict[Place, float] = {}
    halves = _halves(len(sources), f"defender:{seed}")
    for learnt, judged in (halves, halves[::-1]):
        fit(((sources[n].text, _spans(sources[n])) for n in learnt), model)
        tagger = PhiTagger(model)
        for n in judged:
            found = tagger.probabilities(sources[n].text, _spans(sources[n]))
            chance |= {(n, at): value for at, value in enumerate(found)}
    return sorted(places, key=lambda place: (chance[place], place))


def expose(released: Sequence[ReleasedNote], seed: int, model: Path) -> Outcome:
    """Train on one half as the reader marked it, presume leaks in the other."""
    learnt, attacked = _halves(len(released), f"attacker:{seed}")
    return Outcome.of(_exposed(released, learnt, attacked, model))


def _exposed(
    released: Sequence[ReleasedNote], learnt: Sequence[int], attacked: Sequence[int], model: Path
) -> list[tuple[bool, bool]]:
    """(leaked, presumed leaked) of each identifier in the `attacked` notes."""
    fit(((released[n].text, _marks(released[n])) for n in learnt), model)
    tagger = PhiTagger(model)
    judged: list[tuple[bool, bool]] = []
    for n in attacked:
        tagged = tagger.tagged(released[n].text, _marks(released[n]))
        judged += [(s.leaked, not t) for s, t in zip(released[n].shown, tagged, strict=True)]
    return judged


def _halves(count: int, seed: str) -> tuple[list[int], list[int]]:
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return sorted(order[: count // 2]), sorted(order[count // 2 :])


def _spans(source: UnreleasedNote) -> list[tuple[int, int]]:
    return [(f.start, f.end) for f in source.findings]


def _marks(note: ReleasedNote) -> list[tuple[int, int]]:
    return [(s.start, s.end) for s in note.shown]
