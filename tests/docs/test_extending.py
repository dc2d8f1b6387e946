"""The package on the page about extending: built, installed, and used."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8").partition("## Registering it")[2]
USE = """
from trajmatch import match, to_trajectory

log = [
    {"who": "customer", "text": "Find a lamp."},
    {"who": "shop_agent", "tool": "search", "with": {"q": "lmap"}, "ok": False},
    {"who": "shop_agent", "tool": "search", "with": {"q": "lamp"}, "ok": True, "got": 40},
]
print(match(log, ["search"], calls="succeeded").passed)
print(to_trajectory(log, format="shop_log") == to_trajectory(log))
"""


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```$", SECTION, flags=re.MULTILINE | re.DOTALL)[1]


@pytest.fixture
def installed(tmp_path):
    """A folder with what the wheel of the package holds."""
    source, site = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    (source / "pyproject.toml").write_text(block("toml"), encoding="utf-8")
    (source / "shop_log.py").write_text(block("python"), encoding="utf-8")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, source]
    subprocess.run(command, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    return site


def use(site):
    env = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run([sys.executable, "-c", USE], env=env, capture_output=True, text=True, check=False)


def test_a_registered_package_is_found_where_it_is_installed(installed):
    assert use(installed).stdout == "True\nTrue\n"


def test_its_history_is_not_read_where_it_is_not(tmp_path):
    assert re.search(r"ConversionError: .*message 0: no format reads it", use(tmp_path).stderr)


def test_it_has_under_40_lines():
    assert len((block("toml") + block("python")).splitlines()) < 40
