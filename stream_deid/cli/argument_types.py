"""The types of the arguments of commands."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from stream_deid.files import writable

Commands = argparse._SubParsersAction  # noqa: SLF001  # argparse has no public name for it


class WholeNumber:
    """The type of an argument that is a whole number between two, both included."""

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def __call__(self, text: str) -> int:
        found = int(text) if text.isdecimal() and len(text) < 20 else -1
        if not self.least <= found <= self.most:
            told = f"{text[:32]!r} is no whole number from {self.least} to {self.most}"
            raise argparse.ArgumentTypeError(told)
        return found


class RealNumber:
    """The type of an argument that is a number between two; `above`: the lesser is left out;
    `remedy`: what else may have been meant.
    """

    def __init__(self, least: float, most: float, *, above: bool = False, remedy: str = "") -> None:
        self.least, self.most, self.above, self.remedy = least, most, above, remedy

    def __call__(self, text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not self.least <= found <= self.most or (self.above and found == self.least):
            low = f"above {self.least:.10g}, to" if self.above else f"from {self.least:.10g} to"
            told = f"{text[:32]!r} is no number {low} {self.most:.10g}{self.remedy}"
            raise argparse.ArgumentTypeError(told)
        return found


_MUCH, _YEAR = 10**9, 366 * 86400

port = WholeNumber(0, 65535)
"""A port; 0: a free one."""
number = WholeNumber(0, 2**53)
"""The number of something among others, or the seed of a draw."""
count = WholeNumber(1, _MUCH)
"""How many."""
count_or_all = WholeNumber(0, _MUCH)
"""How many; 0: all."""
processes = WholeNumber(1, 512)
"""Processes on one machine."""
in_flight = WholeNumber(1, 10_000)
"""Notes in memory at once."""
niceness = WholeNumber(0, 19)
"""What `nice` may add."""
amount = RealNumber(0, _MUCH, above=True)
rate = RealNumber(0, _MUCH)
"""How many a second; 0: none."""
pace = RealNumber(0.001, _MUCH, remedy="; leave it out for no bound")
"""How many a second at most."""
seconds = RealNumber(0, _YEAR, above=True)
seconds_or_0 = RealNumber(0, _YEAR)
share = RealNumber(0, 1)
"""A part of a whole."""
bias = RealNumber(-100, 100)
"""Added to a logit; more than this decides alone."""


def folder(text: str) -> Path:
    """The type of an argument that is a folder to read."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder")
    return Path(text)


def new_folder(text: str) -> Path:
    """The type of an argument that is a folder to write into, which may have to be made: what
    would be lost after hours is refused at once.
    """
    if why := writable.refusal(Path(text)):
        raise argparse.ArgumentTypeError(why)
    return Path(text)
