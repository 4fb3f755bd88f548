"""A bias for each type: what a leak of it costs against a false alarm."""

from stream_deid.labels import PhiType
from stream_deid.training.evaluate.by_type import cost, search
from stream_deid.training.scores.counts import Counts, Score


def world(bias):
    """Names are found with a higher bias, dates are false alarms unless it is lower."""
    names, dates = bias.get(PhiType.PATIENT, 0.0), bias.get(PhiType.DATE, 0.0)
    leaks = 10 if names < 0.5 else 2
    alarms = (12 if dates > -1.0 else 3) + (20 if names > 0.5 else 0)
    return Score(
        {
            "token.all": Counts(90, alarms, leaks),
            "token.B": Counts(90, alarms, leaks),
            "tokens.PATIENT": Counts(50, 0, leaks),
            "tokens.DATE": Counts(40, 0, 0),
            "false.DATE": Counts(0, alarms, 0),
        }
    )


def test_names_cost_more_than_what_is_hidden_for_nothing():
    assert cost(world({})) == 12 + 4 * 10


def test_each_type_gets_the_bias_that_is_cheapest():
    found, rows = search(world)
    assert found[PhiType.PATIENT] == 0.5
    assert found[PhiType.DATE] <= -1.0
    assert rows[0][0] == "all"
    assert float(rows[-1][2]) == 3 + 4 * 2
