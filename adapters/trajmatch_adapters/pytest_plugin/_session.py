"""What the plugin does in a session: it is registered in each process that runs or reports tests.

Tests may run in other processes than the one that reports them. So what a test has to tell travels in its report, and
the process that reports writes all files, after it has shown what they are to hold.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from trajmatch_adapters.pytest_plugin._events import Told, Use
    from trajmatch_adapters.pytest_plugin._orphans import Owners

__all__ = ["FOLDER", "Session"]

FOLDER = "golden_trajectories"
"""The folder of golden files beside test modules."""
_FALSE = ("", "0", "false", "no")
_KEY = "trajmatch"


class Session:
    """The hooks of the plugin, and what they remember."""

    def __init__(self, config: pytest.Config) -> None:
        if config.getoption("trajmatch_update") and os.environ.get("CI", "").lower() not in _FALSE:
            raise pytest.UsageError("--trajmatch-update writes golden files, which a CI run (CI is set) never does")
        self._config = config
        self._modules: list[Path] = []
        self._items: Sequence[pytest.Item] | None = None
        self._passed: set[str] = set()
        self._unwell: set[str] = set()
        self._uses: dict[str, Use] = {}
        self._owners: Owners = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Remember the modules whose tests were found."""
        report = yield
        if isinstance(collector, pytest.Module) and report.passed:
            self._modules.append(collector.path)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remember the tests before some are deselected."""
        self._items = [*items]

    @pytest.hookimpl(specname="pytest_runtest_makereport")
    def pytest_explain_failure(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> None:
        """Find the pictures in a failure, and let a bare assertion show them, before the report is made of it."""
        if call.excinfo is not None and "trajmatch" in sys.modules:
            from trajmatch_adapters.pytest_plugin._events import PICTURES
            from trajmatch_adapters.pytest_plugin._pictures import explain

            item.stash[PICTURES] = explain(call.excinfo)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put what a test has to tell into its report."""
        report = yield
        if "trajmatch" in sys.modules:
            from trajmatch_adapters.pytest_plugin._events import told

            if (found := told(item)) is not None:
                setattr(report, _KEY, found)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take in what a report has to tell, before it is written to the terminal."""
        if report.when == "call":
            (self._passed.add if report.passed else self._passed.discard)(report.nodeid)
        if not report.passed:
            self._unwell.add(report.nodeid)
        told: Told | None = getattr(report, _KEY, None)
        if told is not None:
            from trajmatch_adapters.pytest_plugin._pictures import paint

            paint(report.longrepr, told["pictures"])
            self._uses |= {use["file"]: {**use, "test": report.nodeid} for use in told["uses"]}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take in what a worker of pytest-xdist collected."""
        self._owners |= getattr(node, "workeroutput", {}).get(_KEY, {})

    def pytest_terminal_summary(self) -> None:
        """Show what is to be written, write it, and show the files that no test uses."""
        self._settle()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Give what was collected to whoever reports; there, write all files, also where there is no summary."""
        if self._items is not None and self._has_golden_files():
            from trajmatch_adapters.pytest_plugin._orphans import owners

            self._owners |= owners(self._modules, self._items)
        if self._output is not None:
            self._output[_KEY] = self._owners
        yield
        self._settle()

    @property
    def _output(self) -> dict[str, Any] | None:
        """Where a worker of pytest-xdist puts what the process that reports is to know; `None` in that one."""
        return getattr(self._config, "workeroutput", None)

    def _has_golden_files(self) -> bool:
        return any((place / FOLDER).is_dir() for place in {module.parent for module in self._modules})

    def _settle(self) -> None:
        if self._output is None and (self._uses or self._owners):
            from trajmatch_adapters.pytest_plugin._settled import settle

            uses: dict[str, Use] = {
                file: {**use, "failed": use["test"] in self._unwell} for file, use in self._uses.items()
            }
            settle(self._config, uses, self._owners, self._passed)
            self._uses, self._owners = {}, {}
