"""Transfer with real taggers: nothing is lost where twins teach the same, much where they don't."""

from __future__ import annotations

from stream_deid import cli
from stream_deid.attack import transfer
from stream_deid.attack.twins import ORIGINALS, SURROGATES, VERSIONS
from stream_deid.surrogate import Policy, Surrogates
from stream_deid.training.data.corpora import AnnotatedNote, unmark
from stream_deid.training.run.crf import Penalties

MAKER = Surrogates(Policy.named(overrides={"strategies": {"SEX": "generalise"}}), bytes(range(32)))
NAMES = "Stone Miller Okafor Reyes Chen Novak Haddad Larsen Bell Quinn".split()  # noqa: SIM905


def notes(pattern: str, numbers: range) -> list[AnnotatedNote]:
    made = []
    for n in numbers:
        text, spans = unmark(pattern.format(name=NAMES[n % 10], sex=("male", "female")[n % 2]))
        made.append(AnnotatedNote(str(n), text, tuple(spans), "en"))
    return made


def lost(pattern: str) -> dict[str, float]:
    """Share of the NER F1 that the other training loses on each version."""
    advanced: list[int] = []
    scores = transfer.measure(
        notes(pattern, range(30)), notes(pattern, range(30, 40)), MAKER,
        lambda: advanced.append(1), Penalties(iterations=30),
    )  # fmt: skip
    assert len(advanced) == 6
    assert set(scores) == {(a, b) for a in VERSIONS for b in VERSIONS}
    own = {v: scores[v, v]["ner"].f1 for v in VERSIONS}
    return {
        ORIGINALS: own[ORIGINALS] - scores[SURROGATES, ORIGINALS]["ner"].f1,
        SURROGATES: own[SURROGATES] - scores[ORIGINALS, SURROGATES]["ner"].f1,
    }


def test_names_in_a_fixed_place_transfer_without_loss():
    assert lost("Seen by Dr. [[DOCTOR|{name}]] for cough and sent home.\n") == {
        ORIGINALS: 0.0,
        SURROGATES: 0.0,
    }


def test_words_that_are_made_less_exact_teach_nothing_about_the_exact_ones():
    # "male" and "female" become "person": only the word itself tells an identifier from the rest
    out = lost("Complains of cough ; [[SEX|{sex}]] ; cough\nComplains of cough ; tall ; cough\n")
    assert out[ORIGINALS] > 0.5
    assert out[SURROGATES] > 0.5


def test_the_command_writes_the_same_tables_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("STREAM_DEID_DATA", str(tmp_path))
    body = "\n".join(
        f"=== {n} | visit\nDOB [[DATE|3/{n + 1}/1950]]. Seen by Dr. [[DOCTOR|{name}]]."
        for n, name in enumerate(NAMES)
    )
    (tmp_path / "notes.txt").write_text(body, "utf-8")
    source = "marked:en:notes.txt"
    arguments = ["attack", "--out", str(tmp_path), "--transfer", source, source, "--quiet"]
    assert cli.main(arguments) == cli.main(arguments) == 0
    table = (tmp_path / "transfer.md").read_text("utf-8")
    assert capsys.readouterr().out == table * 2
    assert "10 notes of `marked:en:notes.txt`" in table
    assert "| NER | points lost by the other |" in table
