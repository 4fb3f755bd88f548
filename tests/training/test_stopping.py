"""A part of the training notes, and a run that stops when notes held back gain no more."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

torch = pytest.importorskip("torch")

from stream_deid.errors import Halt  # noqa: E402
from stream_deid.training import recipe, train  # noqa: E402
from stream_deid.training.run import tagger  # noqa: E402
from stream_deid.training.run.stopping import Best  # noqa: E402
from stream_deid.training.scores.counts import Counts, Score  # noqa: E402

NAMES = ["Ana", "Luis", "Marta", "Pedro", "Rosa", "Hugo"]
SCHEDULE = "epochs = 30\nbatch = 2\nrate = 0.02\npatience = 2\n"


def mine(folder, schedule=SCHEDULE, data="held = 0.25\n"):
    """A recipe of a small network over notes of one's own."""
    lines = []
    for i in range(32):
        name = NAMES[i % 6]
        span = {"start": 10, "end": 10 + len(name), "type": "PATIENT"}
        text = f"Paciente: {name}\nAcude por dolor{' de pecho' * (i % 3)}.\n"
        lines.append(json.dumps({"id": str(i), "text": text, "spans": [span]}))
    (folder / "notes.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    path = folder / "mine.toml"
    path.write_text(
        'extends = "bi-gru-es"\n[data]\ntrain = ["jsonl:es:notes.jsonl"]\n'
        f'dev = ["jsonl:es:notes.jsonl"]\n{data}'
        f"[sizes]\nword = 8\nhidden = 8\n[schedule]\n{schedule}",
        "utf-8",
    )
    return path


def test_it_stops_when_nothing_is_gained_and_keeps_the_best_epoch(tmp_path, capsys):
    path, out = mine(tmp_path), tmp_path / "run"
    train.main(str(path), out, tmp_path)
    said = capsys.readouterr().err
    scores = [float(f) for f in re.findall(r"held back .*token\.all \S+ \S+ (\S+);", said)]
    best = scores.index(max(scores)) + 1
    assert f"best epoch: {best}\n" in said
    assert len(scores) == best + 2 < 30
    assert "24 notes" in said
    state = torch.load(out / tagger.BEST, weights_only=True)
    run = tagger.open_run(path, out, tmp_path)
    run.resume()
    assert all(torch.equal(run.model.state_dict()[k], v) for k, v in state["model"].items())


def test_without_notes_held_back_all_epochs_are_run(tmp_path, capsys):
    path, out = mine(tmp_path, "epochs = 3\n", ""), tmp_path / "run"
    train.main(str(path), out, tmp_path)
    said = capsys.readouterr().err
    assert said.count("epoch ") == 3
    assert "32 notes" in said
    assert not (out / tagger.BEST).exists()


@pytest.mark.parametrize(("found", "anything"), [((0, 0), False), ((0, 3), True)])
def test_a_run_that_learnt_nothing_is_told_apart(found, anything):
    scores = [Score({"token.all": Counts(tp=tp, fn=5)}) for tp in found]
    assert tagger.anything_found(scores) == anything


def test_a_run_that_was_broken_off_knows_its_best_epoch(tmp_path):
    model = torch.nn.Linear(1, 1)
    first = Best(tmp_path / "best.pt", patience=2)
    assert not first.enough(model, 0, 0.5)
    with torch.no_grad():
        model.weight.fill_(7.0)
    again = Best(tmp_path / "best.pt", patience=2)
    assert not again.enough(model, 1, 0.5)  # as good is no gain
    assert again.enough(model, 2, 0.4)
    assert again.restore(model) == 1
    assert model.weight.item() != 7.0


@pytest.mark.parametrize("share", [0, -0.1, 1.5, 0.001])
def test_a_share_that_leaves_nothing_or_more_than_all_is_refused(tmp_path, share):
    path = mine(tmp_path, data=f"share = {share}\n")
    with pytest.raises(Halt, match=r"recipe\.share"):
        train.main(str(path), tmp_path / "run", tmp_path)


def test_parts_are_nested_and_in_order(tmp_path):
    mine(tmp_path)
    notes = recipe.load("jsonl:es:notes.jsonl", tmp_path)
    parts = [recipe.part(notes, share) for share in (0.1, 0.25, 0.5, 1)]
    assert [len(one) for one in parts] == [3, 8, 16, 32]
    ids = [[note.id for note in one] for one in parts]
    for small, large in pairwise(ids):
        assert [i for i in large if i in small] == small
    assert ids[-1] == [note.id for note in notes]
    assert ids[0] != ids[-1][:3]


def test_drawn_values_and_parts_do_not_go_together(tmp_path):
    path = mine(tmp_path, schedule=f"{SCHEDULE}[augment]\nkeep = 0.5\n")
    with pytest.raises(Halt, match=r"recipe\.augment"):
        train.main(str(path), tmp_path / "run", tmp_path)
