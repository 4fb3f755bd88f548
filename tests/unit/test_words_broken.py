"""Words that a scan broke with blanks, and names that it broke."""

import pytest
from marked_spans import split

from stream_deid.detect.neural.misnamed import misnamed
from stream_deid.detect.words.broken import is_broken
from stream_deid.labels import PhiType as T


@pytest.mark.parametrize(
    "marked",
    [
        "pan int. <Alm uerzo>: 1/2",
        "Ap <ellido> y Nom bre",
        "<M> édico: Dr. Paz",
        "ret. uri <naria>,",
    ],
)
def test_a_piece_of_a_word_is_no_name(marked):
    assert is_broken(*split(marked))
    assert misnamed(*split(marked), T.PATIENT)
    assert not misnamed(*split(marked), T.RELATIVE, 0.95)


@pytest.mark.parametrize(
    "marked",
    [
        "Rosa <Ma ria> viene", "Sr. <Ro sa> Paz", "la de <mora>", "<Cam pos> firma",
        "hija <Ana> viene", "no <da> nada", "Traba <Jara>",
    ],
)  # fmt: skip
def test_a_name_in_pieces_and_one_beside_words_stay(marked):
    assert not is_broken(*split(marked))
