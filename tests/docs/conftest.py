"""The site, built once from a copy of what it is made of; and the browser that looks at it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import browser

__all__ = ["browser", "copied", "site"]

ROOT = Path(__file__).parents[2]
SOURCES = ("docs", "trajmatch", "adapters")


class Site:
    """Sources of the site in a folder of their own, and what building them gave."""

    def __init__(self, folder):
        self.sources, self.pages, self.said = folder, folder / "build" / "site", None
        shutil.copy(ROOT / "mkdocs.yml", folder)
        for name in SOURCES:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))

    def build(self):
        command = [Path(sys.executable).parent / "zensical", "build", "--strict", "--clean"]
        done = subprocess.run(
            command, cwd=self.sources, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False
        )
        self.said = done.stdout
        return done.returncode


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    assert site.build() == 0, site.said
    return site


@pytest.fixture
def copied(tmp_path):
    return Site(tmp_path)
