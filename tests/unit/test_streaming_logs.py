"""No word of a note reaches a log, whoever logs and whatever is raised."""

import asyncio
import gc
import io
import logging
import warnings
from collections.abc import Iterator

import mode
import orjson
import pytest
import structlog

from stream_deid.errors import NoteRejected
from stream_deid.streaming.observability import logs

CANARY = "Zebulon Quackenbush"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    held = io.StringIO()
    logs.configure(held)
    yield held
    root.handlers[:], root.level = before[0], before[1]
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


def _lines(stream: io.StringIO) -> list[dict]:
    return [orjson.loads(line) for line in stream.getvalue().splitlines()]


def test_events_of_the_project_are_json_with_their_fields(stream):
    logs.get("test").info("batch_done", notes=3)
    [line] = _lines(stream)
    assert line["event"] == "batch_done"
    assert line["notes"] == 3
    assert (line["logger"], line["level"]) == ("stream_deid.test", "info")
    assert line["timestamp"].endswith("Z")


def test_exceptions_are_reduced_to_types_codes_and_places(stream):
    def fail(text: str) -> None:
        secret = text * 2
        raise ValueError(secret)

    try:
        try:
            fail(CANARY)
        except ValueError as error:
            raise NoteRejected("format.bad", "line 3 is no segment") from error
    except NoteRejected:
        logs.get("test").exception("note_failed")
    [line] = _lines(stream)
    rejected, cause = line["error"]
    assert (rejected["code"], rejected["detail"]) == ("format.bad", "line 3 is no segment")
    assert cause["type"] == "ValueError"
    assert cause["frames"][-1].endswith(" fail")
    assert CANARY not in stream.getvalue()


def test_libraries_keep_their_template_and_numbers_only(stream):
    library = logging.getLogger("faust.somewhere")
    library.warning("dropped message %r at %s of %d", CANARY, {"k": CANARY}, 7)
    [line] = _lines(stream)
    assert line["event"] == "dropped message %r at %s of %d"
    assert line["arguments"] == ["str", "dict", 7]
    assert CANARY not in stream.getvalue()


def test_what_a_service_of_mode_says_is_kept_without_its_label(stream):
    class Thread(mode.Service):
        def speak(self) -> None:
            self.log.error("nobody answers for %d s", 3)
            self.log.error(f"nobody answers {CANARY}")  # noqa: G004 - what is to be left out

    Thread().speak()
    kept, left_out = _lines(stream)
    assert (kept["event"], kept["arguments"]) == ("nobody answers for %d s", [3])
    assert left_out["event"] == "(library message)"


def test_a_sentence_of_ours_is_logged_as_the_event_beside_it(stream):
    beside = {"event": "waiting_for_it", "url": "10.0.0.1:8001", "seconds": 5}
    logging.getLogger("any").warning("waiting for %s", "10.0.0.1:8001", extra={"ours": beside})
    [line] = _lines(stream)
    assert {name: line[name] for name in beside} == beside
    assert "arguments" not in line


def test_events_of_one_place_are_all_logged(stream):
    for kind in ("other", "grpc"):
        beside = {"event": "words_left_out", "kind": kind}
        logging.getLogger("any").warning("words of %s", kind, extra={"ours": beside})
    assert [line["kind"] for line in _lines(stream)] == ["other", "grpc"]


def test_words_put_into_a_template_beforehand_are_left_out(stream):
    library = logging.getLogger("faust.elsewhere")
    library.warning(f"dropped message {CANARY}")
    library.error(CANARY)
    library.error({"text": CANARY})
    library.error("failed on %(text)s", {"text": CANARY})
    try:
        {}[CANARY]
    except KeyError as error:
        library.exception("raised %r", error)
    assert CANARY not in stream.getvalue()
    assert len(_lines(stream)) == 5


def test_asyncio_and_warnings_are_reduced_too(stream):
    async def fail() -> None:
        raise ValueError(CANARY)

    async def forget() -> None:
        task = asyncio.ensure_future(fail())
        await asyncio.sleep(0.01)
        del task
        gc.collect()

    asyncio.run(forget())
    warnings.warn(CANARY, stacklevel=1)
    gc.collect()
    assert "ValueError" in stream.getvalue()
    assert CANARY not in stream.getvalue()


def test_a_library_that_repeats_itself_is_heard_once(stream):
    library = logging.getLogger("aiokafka.client")
    for attempt in range(500):
        library.error("no connection in attempt %d", attempt)
    assert len(_lines(stream)) == 1
    for _ in range(3):
        logs.get("test").info("said_each_time")
    assert len(_lines(stream)) == 4
