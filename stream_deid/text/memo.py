"""What is found out about pieces of a note is remembered with that note, and nowhere else.

A `Memo` belongs to one note and ends with it. Functions under `remembered` look their answers up
in the memo that is in force (`with memo.in_force():`), and compute them anew where none is: no
table of the process ever holds a word of a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from stream_deid.budget import check

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class Memo:
    """The answers of `remembered` functions about one note."""

    __slots__ = ("_answers",)

    def __init__(self) -> None:
        self._answers: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"Memo({len(self._answers)} answers)"

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Use this memo until the end of the block, in this thread or task."""
        before = _answers.set(self._answers)
        try:
            yield
        finally:
            _answers.reset(before)


_answers: ContextVar[dict[Any, Any] | None] = ContextVar("stream_deid_answers", default=None)


@contextmanager
def for_one_note() -> Iterator[None]:
    """The memo in force; where there is none a fresh one, for this block alone."""
    if _answers.get() is not None:
        yield
        return
    with Memo().in_force():
        yield


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, pure and of hashable arguments, computed once a note for each of them.

    Its answers are shared between calls: not to be changed.
    """

    @wraps(function)
    def once(*args: P.args, **kwargs: P.kwargs) -> R:
        answers = _answers.get()
        if answers is None:
            return function(*args, **kwargs)
        key = (function, args, *kwargs.items()) if kwargs else (function, args)
        try:
            found: R = answers[key]
        except KeyError:
            check()
            found = answers[key] = function(*args, **kwargs)
        return found

    return once


def remembered_of(function: Callable[[T], R]) -> Callable[[T], R]:
    """`function` of one thing that a note holds on to, computed once a note for that very thing:
    for what is long, so that nothing of it need be hashed or compared.
    """

    @wraps(function)
    def once(thing: T) -> R:
        answers = _answers.get()
        if answers is None:
            return function(thing)
        key = (function, id(thing))
        if key not in answers:
            check()
            answers[key] = thing, function(thing)  # the thing stays, so its id is nobody else's
        found: R = answers[key][1]
        return found

    return once
