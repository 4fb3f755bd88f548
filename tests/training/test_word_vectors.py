"""Word vectors in text form: what is read, what is refused, and that a recipe can name them."""

import gzip

import numpy as np
import pytest

pytest.importorskip("torch")

from stream_deid.errors import Halt
from stream_deid.training.data.word_vectors import TextVectors
from stream_deid.training.run import tagger

GLOVE = "the 1 2 3\nrosa .5 0 -1\n1999 4 4 4\n. . . 7 7 7\nco-op 1 1 1\n"


def written(tmp_path, text=GLOVE, name="glove.txt"):
    file = tmp_path / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return file


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("glove.txt", GLOVE),
        ("glove.txt.gz", GLOVE),
        ("word2vec.vec", f"5 3\n{GLOVE}"),
    ],
)
def test_glove_and_word2vec_give_the_same_vectors(tmp_path, name, text):
    read = TextVectors(written(tmp_path, text, name))
    assert read.vectors(["the", ". . ."]).tolist() == [[1, 2, 3], [7, 7, 7]]
    assert read.whole_words() == ["the", "rosa"]


def test_a_word_is_looked_up_as_it_is_then_in_small_letters_then_it_has_none(tmp_path):
    read = TextVectors(written(tmp_path, "rosa 1 1\nRosa 2 2\nlima 3 3\n"))
    found = read.vectors(["rosa", "Rosa", "ROSA", "Lima", "unheard"])
    assert found[:, 0].tolist() == [1, 2, 1, 3, 0]
    assert found.dtype == np.float32


def test_digits_are_those_of_the_vocabulary(tmp_path):
    assert TextVectors(written(tmp_path)).vectors(["0000"]).tolist() == [[4, 4, 4]]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("the 1 2 3\nrosa 1 2\n", "line 2"),
        ("the 1 2 3\nrosa 1 x 2\n", "line 2"),
        ("word\n", "line 1"),
        ("", "no vectors"),
        ("10 3\n", "no vectors"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(tmp_path, text, line):
    with pytest.raises(Halt, match=rf"vectors\.invalid.*{line}"):
        TextVectors(written(tmp_path, text))


def test_a_recipe_names_a_file_in_the_folder_of_data(tmp_path):
    written(tmp_path)
    read = tagger._word_vectors("glove.txt", tmp_path)
    assert read.vectors(["rosa"]).tolist() == [[0.5, 0, -1]]
    assert tagger._word_vectors("", tmp_path) is None
    with pytest.raises(Halt, match=r"vectors\.missing"):
        tagger._word_vectors("other.txt", tmp_path)
