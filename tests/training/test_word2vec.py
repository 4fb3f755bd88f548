"""Skip-gram: words of like surroundings come to lie together, and the file is read as vectors."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from stream_deid.errors import Halt  # noqa: E402
from stream_deid.training.data.corpora import AnnotatedNote  # noqa: E402
from stream_deid.training.data.word_vectors import TextVectors  # noqa: E402
from stream_deid.training.models import bilstm  # noqa: E402
from stream_deid.training.run import word2vec  # noqa: E402
from stream_deid.training.run.word2vec import SkipGram, VectorSettings  # noqa: E402

TOWNS, DRUGS = ("Lima", "Jaca", "Soria"), ("aspirina", "insulina", "digoxina")


def notes(n=120):
    rng = np.random.default_rng(4)
    texts = [
        f"vive en {rng.choice(TOWNS)} con su familia . toma {rng.choice(DRUGS)} cada noche sola ."
        for _ in range(n)
    ]
    return [AnnotatedNote(str(i), text, ((0, 4, "NAME"),), "es") for i, text in enumerate(texts)]


def like(grams, one, other):
    a, b = (grams.vectors[grams.words.index(w)] for w in (one, other))
    return float(torch.nn.functional.cosine_similarity(a, b, dim=0))


def trained(seed=1):
    grams = SkipGram(
        notes(), VectorSettings(width=12, window=3, epochs=12, sample=1, groups=1, seed=seed)
    )
    return grams, [grams.epoch(number) for number in range(12)]


def test_words_of_like_surroundings_come_together():
    grams, losses = trained()
    assert losses[-1] < losses[0] - 1
    for kind, other in ((TOWNS, DRUGS), (DRUGS, TOWNS)):
        assert like(grams, *kind[:2]) > max(like(grams, kind[0], word) for word in other) + 0.2


def test_a_seed_gives_the_same_vectors_again():
    assert torch.equal(trained()[0].vectors, trained()[0].vectors)
    assert not torch.equal(trained()[0].vectors, trained(seed=2)[0].vectors)


def test_rare_words_have_no_vector_and_marks_are_not_read():
    few = [*notes(30), AnnotatedNote("x", "hapax hapax hapax hapax", (), "es")]
    assert "hapax" not in SkipGram(few, VectorSettings(width=4)).words
    bare = [AnnotatedNote(n.id, n.text, (), "es") for n in notes(30)]
    assert torch.equal(
        SkipGram(bare, VectorSettings(width=4)).vectors,
        SkipGram(notes(30), VectorSettings(width=4)).vectors,
    )
    with pytest.raises(Halt, match=r"vectors\.words"):
        SkipGram(notes(2), VectorSettings())


def test_a_run_writes_what_recipes_read(tmp_path):
    lines = [
        json.dumps({"id": str(i), "text": "vive en Lima con su familia .", "spans": []})
        for i in range(8)
    ]
    (tmp_path / "notes.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    recipe = tmp_path / "mine.toml"
    recipe.write_text(
        'system = "word2vec"\n[data]\ntrain = ["jsonl:es:notes.jsonl"]\n'
        "[vectors]\nwidth = 7\nepochs = 2\n",
        "utf-8",
    )
    word2vec.train(recipe, tmp_path / "run", tmp_path)
    read = TextVectors(tmp_path / "run" / word2vec.VECTORS)
    assert read.vectors(["Lima", "nunca"]).shape == (2, 7)
    assert read.vectors(["Lima"]).any()


def test_tuned_vectors_begin_as_given_and_learn():
    given = torch.arange(12.0).view(4, 3)
    table = bilstm.tuned(given, 3)
    assert torch.equal(table.weight, given)
    assert table.weight.requires_grad
    with pytest.raises(Halt, match=r"recipe\.vectors"):
        bilstm.tuned(given, 5)
