"""Logs: one JSON object a line, and never a word of a note.

The project's own events are structlog calls with fields that the caller chose. Records of
libraries are reduced: a template that stands word for word in the library's source is kept,
with the numbers among its arguments; every other argument is replaced by its type, because it
may hold a message. librdkafka speaks of brokers only and keeps its words. A room of the project
that knows no structlog says a sentence for people, and the event beside it: a record with
`extra={"ours": {"event": NAME, FIELD: VALUE}}` is logged as that event. Exceptions are
reduced to their types, their stable codes and the lines of code that they passed; their words are
left out, and so are local variables.
"""

from __future__ import annotations

import linecache
import logging
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict

from stream_deid import stderr
from stream_deid.errors import DeidError
from stream_deid.unsaid import line_of, passed

_OWN = "stream_deid"

LIBRDKAFKA = "stream_deid.librdkafka"
_LABEL = re.compile(r"^\[[^\]]{0,80}\]:? ")  # mode puts the name of its service before what it says
_QUIET = ("aiokafka", "faust", "mode", "asyncio", "aiohttp", "kafka", "stream_deid.streaming")


def warnings_to(log: Any) -> Callable[[str, Mapping[str, Any]], None]:
    """What tells a log of an event with its fields."""

    def tell(event: str, fields: Mapping[str, Any]) -> None:
        log.warning(event, **fields)

    return tell


def configure(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Route structlog and the standard library's logging to `stream` (default: stderr)."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    handler = logging.StreamHandler(stream or stderr.stream())
    handler.addFilter(Sparing())
    handler.addFilter(reduce_record)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _add_reduced],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _reduce_exception,
                structlog.processors.JSONRenderer(sort_keys=True),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _QUIET:
        library = logging.getLogger(name)
        library.handlers[:] = []
        library.propagate = True
        library.setLevel(max(level, logging.WARNING))
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def get(name: str) -> Any:
    """A logger of the project; call it as `log.info("event_name", field=value)`."""
    return structlog.stdlib.get_logger(f"{_OWN}.{name}")


@contextmanager
def silenced(name: str = _OWN) -> Iterator[None]:
    """For a command whose answer says it all: nothing below `name` is logged meanwhile."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


class Sparing(logging.Filter):
    """Lets a library say the same thing once in `every_s` seconds, with the count left out.

    A client whose broker is away repeats itself many times a second. What is an event of ours has
    a pace of its own, and its fields differ.
    """

    def __init__(self, every_s: float = 10.0) -> None:
        super().__init__()
        self._every_s = every_s
        self._said: dict[tuple[str, object], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.msg, dict) or hasattr(record, "ours"):
            return True
        what: object = record.lineno
        if record.name == LIBRDKAFKA:
            what = record.getMessage().split(" ", 1)[0]
        last, unsaid = self._said.get((record.name, what), (-self._every_s, 0))
        now = time.monotonic()
        if now - last < self._every_s:
            self._said[record.name, what] = (last, unsaid + 1)
            return False
        self._said[record.name, what] = (now, 0)
        record.unsaid = unsaid
        return True


def reduce_record(record: logging.LogRecord) -> bool:
    """Strip a library's record of everything that could be data; always lets it pass."""
    if record.name == "py.warnings":
        record.msg, record.args = "a Python warning was raised", None
    if record.name.split(".")[0] == _OWN and isinstance(record.msg, dict):
        return True
    if record.name == LIBRDKAFKA:
        return True
    if ours := getattr(record, "ours", None):
        record.msg, record.args = ours["event"], None
        record.reduced = {name: value for name, value in ours.items() if name != "event"}
        return True
    arguments = record.args if isinstance(record.args, tuple) else ()
    if isinstance(record.args, Mapping):
        arguments = tuple(record.args.values())
    record.reduced = {
        "at": line_of(record.pathname, record.lineno),
        "arguments": [_shape(value) for value in arguments],
    }
    record.msg, record.args = _literal(record), None
    record.stack_info = None
    return True


def _literal(record: logging.LogRecord) -> str:
    """The first line of the template if the source holds it as it is, else a stand-in."""
    if not isinstance(record.msg, str):
        return type(record.msg).__name__
    line = _LABEL.sub("", (record.msg.splitlines() or [""])[0])
    nearby = range(max(1, record.lineno - 3), record.lineno + 8)
    source = "".join(linecache.getline(record.pathname, number) for number in nearby)
    return line if line and line in source else "(library message)"


def describe(error: BaseException) -> list[dict[str, Any]]:
    """An exception and its causes as types, codes and places in the code, without words."""
    found: list[dict[str, Any]] = []
    current: BaseException | None = error
    while current is not None and len(found) < 5:
        entry: dict[str, Any] = {"type": type(current).__qualname__}
        if isinstance(current, DeidError):
            entry.update(code=current.code, detail=current.detail)
        entry["frames"] = passed(current.__traceback__)[-8:]
        found.append(entry)
        current = current.__cause__ or (
            None if current.__suppress_context__ else current.__context__
        )
    return found


def _shape(value: object) -> object:
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, BaseException):
        return [entry["type"] for entry in describe(value)]
    return type(value).__name__


def _add_reduced(_: Any, __: str, event: EventDict) -> EventDict:
    record = event.get("_record")
    event.update(getattr(record, "reduced", {}))
    if unsaid := getattr(record, "unsaid", 0):
        event["unsaid"] = unsaid
    return event


def _reduce_exception(_: Any, __: str, event: EventDict) -> EventDict:
    info = event.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    error = info[1] if isinstance(info, tuple) else info
    if isinstance(error, BaseException):
        event["error"] = describe(error)
    event.pop("stack_info", None)
    return event
