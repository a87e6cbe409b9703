"""What holds for every test: figures need no screen, Hypothesis no deadline, and where
HALLUMAZE_NO_SKIP=1 is set (continuous integration) a skipped test is a failed one.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

os.environ.setdefault("MPLBACKEND", "Agg")
# A deadline is a timing assertion, and a busy machine would break it.
settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    expected_failure = hasattr(report, "wasxfail")
    if report.skipped and not expected_failure and os.environ.get("HALLUMAZE_NO_SKIP") == "1":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"HALLUMAZE_NO_SKIP=1 allows no skip, but this was: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    _fail_if_skipped(report)
    return report
