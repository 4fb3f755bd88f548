"""Systems as `stream-deid compare` reads them, on the models of the repository."""

from pathlib import Path

import pytest

from stream_deid.errors import Halt
from stream_deid.training.evaluate.systems import engine

MODEL = f"onnx:{Path(__file__).parents[2] / 'triton_models/bilstm_crf_en'}"


def test_a_bias_may_be_set_beside_the_model():
    as_served, _ = engine(MODEL, Path())
    bolder, _ = engine(f"{MODEL}@2.5", Path())
    assert (bolder.o_bias, bolder.name) == (2.5, as_served.name)


@pytest.mark.parametrize("spec", [f"{MODEL}@much", "tape:1"])
def test_systems_with_mistakes_halt(spec):
    with pytest.raises(Halt):
        engine(spec, Path())
