"""Numbers in arguments: what can not be meant is refused, or a trial would pass without a try."""

import pytest

from stream_deid.cli import main

NOTHING = ["0", "-1", "nan", "inf", "x", ""]


@pytest.mark.parametrize("given", NOTHING)
@pytest.mark.parametrize(
    "option",
    ["chaos --duration", "chaos --workers", "chaos --rate", "chaos --session-timeout",
     "chaos --giant-bytes", "chaos --worker-bound", "fuzz --count", "fuzz --jobs", "fuzz --slow",
     "demo --messages", "attack --patients", "attack --jobs", "top --every"],
)  # fmt: skip
def test_what_can_not_be_none(option, given, capsys):
    command, name = option.split()
    with pytest.raises(SystemExit) as ended:
        main([command, f"{name}={given}"])
    assert ended.value.code == 2
    assert name in capsys.readouterr().err


@pytest.mark.parametrize("given", ["-1", "nan", "2", "x"])
@pytest.mark.parametrize("option", ["chaos --poison", "chaos --giants", "attack --markov"])
def test_shares(option, given):
    command, name = option.split()
    with pytest.raises(SystemExit):
        main([command, f"{name}={given}"])


@pytest.mark.parametrize("given", ["-1", "nan", "1.5", "9" * 21])
def test_the_number_of_an_input(given):
    with pytest.raises(SystemExit):
        main(["fuzz", f"--only={given}"])
