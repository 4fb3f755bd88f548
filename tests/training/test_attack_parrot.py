"""The parrot attack with a real tagger, on notes whose answer is known."""

from __future__ import annotations

from pathlib import Path

from stream_deid.attack import parrot
from stream_deid.attack.release import ReleasedNote, ShownIdentifier, UnreleasedNote
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part

NAMES = "Stone Miller Okafor Reyes Chen Novak Haddad Larsen Bell Quinn".split()  # noqa: SIM905


def plain(number: int, name: str) -> tuple[str, list[tuple[int, int]]]:
    text = f"The patient was seen by Dr. {name} for cough number {number} and sent home well."
    at = text.index(name)
    return text, [(at, at + len(name))]


def odd(number: int) -> tuple[str, list[tuple[int, int]]]:
    text, spans = plain(number, NAMES[number % 10])
    return text + " with zorbek lately", [*spans, (len(text) + 6, len(text) + 12)]


def corpus(odd_one: int) -> list[tuple[str, list[tuple[int, int]]]]:
    return [odd(n) if n == odd_one else plain(n, NAMES[n % 10]) for n in range(40)]


def test_an_identifier_where_none_stood_before_is_presumed_a_leak(tmp_path: Path) -> None:
    odd_one = parrot._halves(40, "attacker:1")[1][0]
    notes = [
        ReleasedNote(str(n), text, tuple(
            ShownIdentifier(a, b, PhiType.DOCTOR, leaked=text[a:b] == "zorbek") for a, b in spans
        ))
        for n, (text, spans) in enumerate(corpus(odd_one))
    ]  # fmt: skip
    out = parrot.expose(notes, 1, tmp_path / "model")
    assert (out.leaks, out.found, out.alarms) == (1, 1, 0)


def test_the_hardest_span_is_the_one_in_a_strange_place(tmp_path: Path) -> None:
    sources = [
        UnreleasedNote(Note(str(n), str(n), (Part(text),), "en"),
               tuple(Finding(a, b, PhiType.DOCTOR, ("test@1",)) for a, b in spans))
        for n, (text, spans) in enumerate(corpus(7))
    ]  # fmt: skip
    places = [(n, at) for n, s in enumerate(sources) for at in range(len(s.findings))]
    order = parrot.hardest(sources, places, 1, tmp_path / "model")
    assert order[0] == (7, 1)
    assert sorted(order) == places


def test_what_a_system_misses_is_attacked_in_both_halves() -> None:
    sources = [
        UnreleasedNote(Note(str(n), str(n), (Part(text),), "en"),
               tuple(Finding(a, b, PhiType.DOCTOR, ("test@1",)) for a, b in spans))
        for n, (text, spans) in enumerate(corpus(7))
    ]  # fmt: skip
    found = [s.findings[:1] for s in sources]
    found[3] = ()
    steps: list[int] = []
    cells = parrot.attack_missed(
        sources, found, b"k" * 32, seed=1, p=0.5, advance=lambda: steps.append(1)
    )
    assert [c.strategy for c in cells] == ["consistent", "markov(0.5)", "random"]
    assert all(c.outcome.leaks == 2 and c.outcome.found >= 1 for c in cells)
    assert len(steps) == 3
