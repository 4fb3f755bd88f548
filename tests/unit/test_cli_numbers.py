"""Numbers in arguments: what can not be meant is refused, or a trial would pass without a try."""

import argparse
import math

import pytest

from stream_deid.cli import _parser, main
from stream_deid.cli.argument_types import RealNumber, WholeNumber

SIGNED = {"models export --o-bias", "choose --by-type"}
"""Added to a logit: below 0 is a bias the other way."""


def walked(parser, command=""):
    """Every argument of every command, under its name."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from walked(inner, f"{command} {name}".strip())
        else:
            yield f"{command} {(action.option_strings or [action.dest])[-1]}", action


ALL = dict(walked(_parser()))
NUMBERS = {name: a for name, a in ALL.items() if isinstance(a.type, WholeNumber | RealNumber)}


def test_no_argument_is_any_number():
    assert [name for name, action in ALL.items() if action.type in (int, float, complex)] == []
    assert len(NUMBERS) > 30


@pytest.mark.parametrize("name", NUMBERS)
def test_no_argument_takes_what_is_no_number_or_beyond_all_bounds(name):
    given = ["nan", "inf", "-inf", "1e99", "9" * 21, "9" * 5000, "x", ""]
    for text in given + ([] if name in SIGNED else ["-1", "-0.5"]):
        with pytest.raises(argparse.ArgumentTypeError):
            NUMBERS[name].type(text)


@pytest.mark.parametrize("name", NUMBERS)
def test_defaults_are_in_their_bounds(name):
    action = NUMBERS[name]
    if action.default is not None and name != "fuzz --only":  # -1: all
        assert action.type(str(action.default)) == action.default


@pytest.mark.parametrize("name", [name for name in NUMBERS if name not in SIGNED])
def test_a_number_may_be_none_only_where_that_means_something(name):
    means = {
        "--port", "--grpc-port", "--metrics-port",  # a free one, or none
        "--kill-rate", "--poison", "--giants", "--markov", "--share", "--nice",
        "--every", "--seconds", "--notes", "--seed", "--only",
    }  # fmt: skip
    if name.split()[-1] not in means:
        with pytest.raises(argparse.ArgumentTypeError):
            NUMBERS[name].type("0")


@pytest.mark.parametrize(
    "given",
    ["chaos --duration=1e9", "chaos --workers=9999", "fuzz --nice=99", "fuzz --jobs=1000000",
     "attack --notes=-1", "file --concurrency=99999999999999", "attack --markov=2"],
)  # fmt: skip
def test_what_can_not_be_meant_is_refused_before_anything_begins(given, capsys):
    command, option = given.split()
    with pytest.raises(SystemExit) as ended:
        main([command, option])
    assert ended.value.code == 2
    assert option.partition("=")[0] in capsys.readouterr().err


def test_bounds_are_told():
    with pytest.raises(argparse.ArgumentTypeError, match="'2' is no number from 0 to 1"):
        RealNumber(0, 1)("2")
    with pytest.raises(argparse.ArgumentTypeError, match="'0' is no number above 0, to 5"):
        RealNumber(0, 5, above=True)("0")
    assert WholeNumber(3, 4)("4") == 4
    assert math.isclose(RealNumber(-1, 1)("-0.5"), -0.5)
