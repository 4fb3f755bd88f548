"""What all tests share: no test is judged by its time against the clock, which a loaded machine
decides, and where everything is at hand (`ALL_TESTS_MUST_RUN`, which CI sets) none is left out.
"""

import os
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("stream_deid", deadline=None)
settings.load_profile("stream_deid")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that is left out has failed where all must run."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("ALL_TESTS_MUST_RUN"):
        report.outcome = "failed"
    return report
