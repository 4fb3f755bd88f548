"""What all tests share: no test is judged by its time against the clock, which a loaded machine
decides, nor by chance: properties try the same examples each time, and `make explore` others.
Where everything is at hand (`ALL_TESTS_MUST_RUN`, which CI sets) none is left out.
"""

import logging
import os
from collections.abc import Generator, Iterator

import pytest
import structlog
from hypothesis import settings

settings.register_profile("stream_deid", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("stream_deid")
# a broker of a trial lives for minutes: what its JVM compiles a second time is never earned back
os.environ.setdefault("KAFKA_OPTS", "-XX:TieredStopAtLevel=1")


LONGEST = (
    "test_streaming_kills", "test_replay_stream", "test_triton_kills", "test_mllp_listener",
    "test_streaming_worker", "test_triton_away", "test_two_releases", "test_replay_whole",
    "test_streaming_rights", "test_streaming_suspects", "test_dead_letters_saved",
    "test_file_command", "test_no_broker", "test_broker_restarts", "test_trace",
    "test_hostile_shapes", "test_cli_files", "test_config", "test_fuzz", "test_nothing_remembered",
    "test_depth", "test_attack_consistency", "test_guide_runs", "test_dockerfiles",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take longest come first: at the end one of them would run alone."""
    turns = {name: turn for turn, name in enumerate(LONGEST)}
    items.sort(key=lambda item: turns.get(item.path.stem, len(turns)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is left out has failed where all must run."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("ALL_TESTS_MUST_RUN"):
        report.outcome = "failed"
    return report


@pytest.fixture(autouse=True)
def _logging_stays_as_it_was() -> Iterator[None]:
    """A test that runs a whole command leaves the logging of this process to the next one."""
    before, level = _levels(), logging.root.level
    yield
    after = _levels()
    logging.root.setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()
    for name in after:
        logging.getLogger(name).setLevel(before.get(name, logging.NOTSET))
    silenced = {name for name in after if before.get(name, 0) < logging.CRITICAL <= after[name]}
    assert not silenced, f"silenced for all tests that follow: {silenced}"


def _levels() -> dict[str, int]:
    known = logging.root.manager.loggerDict
    return {
        name: logger.level
        for name, logger in known.items()
        if isinstance(logger, logging.Logger) and name.startswith("stream_deid")
    }
