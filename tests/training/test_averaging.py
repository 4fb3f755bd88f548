"""What is kept of a run may be a moving average of its weights."""

import pytest

torch = pytest.importorskip("torch")

from stream_deid.training.run.averaging import Average  # noqa: E402


def _one(value):
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(model.weight, value)
    return model


def test_the_mean_follows_slowly_and_training_goes_on_with_its_own_weights():
    model = _one(0.0)
    average = Average(model, 0.75)
    for value in (8.0, 16.0):  # the first step begins the mean: 8, then 8 * .75 + 16 * .25
        torch.nn.init.constant_(model.weight, value)
        average.step()
    with average.in_place():
        assert model.weight.item() == 10.0
    assert model.weight.item() == 16.0
    average.keep()
    assert model.weight.item() == 10.0


def test_without_memory_the_last_step_counts():
    model = _one(3.0)
    average = Average(model, 0.0)
    average.step()
    with average.in_place():
        assert model.weight.item() == 3.0
    assert set(average.states()) == {"model"}
