"""What tests of several folders share."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import trajmatch
import trajmatch_adapters

settings.register_profile(
    "repeatable", deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", settings.get_profile("repeatable"), derandomize=False, max_examples=5_000)
settings.register_profile("mutation", settings.get_profile("repeatable"), max_examples=25)
settings.load_profile("repeatable")
os.environ |= {
    "PYSPARK_PYTHON": sys.executable,  # what the workers of Spark run
    "SPARK_LOCAL_IP": "127.0.0.1",
    "RAY_AUTH_MODE": "disabled",  # or Ray leaves a token in the home folder
    "RAY_USAGE_STATS_ENABLED": "0",
}
GOLDEN = Path(__file__).parent / "golden"
SHARED = Path(__file__).parents[2] / "shared"


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


def pytest_report_header():
    return [f"{package.__name__}: {Path(package.__file__).parent}" for package in (trajmatch, trajmatch_adapters)]


def pytest_sessionstart():
    if (site := os.environ.get("TRAJMATCH_SITE")) and not trajmatch.__file__.startswith(site):
        raise pytest.UsageError(f"these tests are for the package in {site}, and found {trajmatch.__file__}")


def pytest_collection_modifyitems(items):
    if not SHARED.is_dir():
        missing = pytest.mark.skip(reason="the collection of real histories is not here")
        for item in items:
            if item.get_closest_marker("shared"):
                item.add_marker(missing)


@pytest.fixture
def golden(request):
    """Compare text with the golden file of the test, or write that with `--update-golden`."""

    def compare(text):
        file = GOLDEN / f"{request.node.callspec.id if hasattr(request.node, 'callspec') else request.node.name}.txt"
        if request.config.getoption("--update-golden"):
            file.write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == file.read_text(encoding="utf-8")

    return compare


@pytest.fixture(autouse=True)
def loop():
    """An event loop for the frameworks' synchronous methods, which would otherwise make one and leave it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()
