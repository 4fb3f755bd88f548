"""E2E, E2EJ and the skeleton networks: equations, padding, and that they learn."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from stream_deid.text import bio  # noqa: E402
from stream_deid.training import recipe  # noqa: E402
from stream_deid.training.data import vocabulary  # noqa: E402
from stream_deid.training.data.corpora import AnnotatedNote  # noqa: E402
from stream_deid.training.data.word_batches import EncodedCorpus, WordBatch  # noqa: E402
from stream_deid.training.models import e2ej, skeleton  # noqa: E402
from stream_deid.training.models.recurrent import BiRnn  # noqa: E402
from stream_deid.training.run.fit import FitSchedule, fit  # noqa: E402

TAGS = bio.tag_names(["FECHAS", "NOMBRE_SUJETO_ASISTENCIA"])
NAMES = ["Ana", "Luis", "Marta", "Pedro", "Rosa", "Hugo"]


def _note(i: int) -> AnnotatedNote:
    name, date = NAMES[i % 6], f"{10 + i % 19}/02/2020"
    text = f"Paciente: {name}\nAcude el {date} por dolor{' de pecho' * (i % 3)}.\n"
    at = text.index(date)
    spans = ((10, 10 + len(name), "NOMBRE_SUJETO_ASISTENCIA"), (at, at + 10, "FECHAS"))
    return AnnotatedNote(str(i), text, spans, "es")


NOTES = [_note(i) for i in range(36)]
COUNTS = vocabulary.count_words(NOTES)
INVENTORY = vocabulary.Inventory(vocabulary.build(COUNTS), COUNTS)

SYSTEMS = {
    "e2e": (
        e2ej,
        {
            "word": 12,
            "hidden": 12,
            "filters": 12,
            "char_filters": 6,
            "joint": False,
            "dropout": 0.1,
        },
    ),
    "e2ej": (
        e2ej,
        {
            "word": 12,
            "hidden": 12,
            "filters": 12,
            "char_filters": 6,
            "sensitive": 6,
            "dropout": 0.1,
        },
    ),
    "ts-gru": (skeleton, {"word": 12, "hidden": 10}),
    "bi-lstm": (
        skeleton,
        {"word": 12, "hidden": 10, "cell": "lstm", "branches": ("text",), "dropout": 0.1},
    ),
}


@pytest.fixture(params=sorted(SYSTEMS))
def model(request):
    torch.manual_seed(4)
    torch.set_num_threads(1)
    module, sizes = SYSTEMS[request.param]
    return module.make(INVENTORY, len(TAGS), sizes, None)


def _corpus():
    return EncodedCorpus(NOTES, INVENTORY.encoder, TAGS)


def test_rows_do_not_feel_their_padding(model):
    model.eval()
    batch = _corpus().epoch(9, 5, np.random.default_rng(1))[0]
    assert len(set(batch.lengths.tolist())) > 1
    together = model(batch)
    for row, n in enumerate(batch.lengths.tolist()):
        alone = WordBatch(
            batch.words[row : row + 1, :n],
            batch.char_rows,
            batch.char_at[row : row + 1, :n],
            batch.lengths[row : row + 1],
            batch.tags[row : row + 1, :n],
        )
        torch.testing.assert_close(together[row, :n], model(alone)[0], atol=1e-5, rtol=1e-4)


def test_they_learn(model, tmp_path):
    corpus = _corpus()
    fit(
        model,
        lambda epoch: corpus.epoch(30, 4, np.random.default_rng(epoch)),
        FitSchedule(epochs=12, rate=0.01),
        tmp_path / "checkpoint.pt",
    )
    batch = corpus.epoch(30, 36, np.random.default_rng(9))[0]
    inside = torch.arange(batch.words.shape[1])[None] < batch.lengths[:, None]
    right = model(batch).argmax(2)[inside] == batch.tags[inside]
    assert right.float().mean() > 0.97


def test_the_joint_loss_is_the_sum_of_both_terms():
    torch.manual_seed(0)
    module, sizes = SYSTEMS["e2ej"]
    model = module.make(INVENTORY, len(TAGS), sizes, None).eval()
    batch = _corpus().epoch(30, 6, np.random.default_rng(0))[0]
    emissions, sensitive, mask = model._scores(batch)
    p = torch.sigmoid(sensitive[mask])
    gold = (batch.tags[mask] > 0).float()
    js = -(gold * p.log() + (1 - gold) * (1 - p).log()).mean()
    jt = model.crf(emissions, batch.tags, batch.lengths)
    torch.testing.assert_close(model.loss(batch), js + jt)


def test_equation_four():
    counts = {"a": 9, "b": 9, "c": 4, "d": 2, "e": 1, "f": 1, "g": 1, "h": 1}
    assert skeleton.threshold(counts, 0.25) == 5  # a and b stay: 2 of 8
    assert skeleton.threshold(counts, 0.5) == 2  # a to d
    assert skeleton.threshold(counts, 1.0) == 1


def test_the_skeleton_hides_rare_words_only():
    mapped = skeleton.skeleton_map(INVENTORY, 0.5)
    t = skeleton.threshold(COUNTS, 0.5)
    assert t > 1
    assert mapped[:3].tolist() == [0, 1, 2]
    for word, number in INVENTORY.encoder.words.items():
        assert mapped[number] == (number if COUNTS[word] >= t else 1)


def test_shipped_recipes_are_read_whole():
    for name, kind in (
        ("e2ej-es", e2ej.E2ejSizes), ("e2e-es", e2ej.E2ejSizes),
        ("ts-gru-es", skeleton.SkeletonSizes), ("bi-gru-es", skeleton.SkeletonSizes),
        ("bi-lstm-es", skeleton.SkeletonSizes),
    ):  # fmt: skip
        table = recipe.read(recipe.find(name))
        recipe.settings(kind, table["sizes"], "sizes")
        recipe.settings(FitSchedule, table["schedule"], "schedule")


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_the_middle_state_is_the_one_of_the_whole_row(cell):
    layer = BiRnn(5, 4, cell)
    x = torch.randn(6, 7, 5)
    whole = layer(x, torch.full((6,), 7))
    torch.testing.assert_close(layer.middle(x), whole[:, 3])
