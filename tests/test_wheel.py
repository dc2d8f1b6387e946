"""The tests pass against the built wheel, without the source tree."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDS_SOURCE = ["test_wheel.py", "test_quality.py", "test_trl.py", "docs"]
ENGINES = ["test_ray.py", "test_spark.py", "browser"]
"""Tests that take long to start something, which is the same for a wheel."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
    subprocess.run(command, capture_output=True, check=True)
    (file,) = folder.glob("*.whl")
    return file


def test_the_wheel_holds_both_packages_and_their_types(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"trajmatch", "trajmatch_adapters"}
    assert {"trajmatch/py.typed", "trajmatch_adapters/py.typed"} <= {*names}


def test_the_tests_pass_against_the_wheel(wheel, tmp_path):
    site, tests = tmp_path / "site", tmp_path / "tests"
    zipfile.ZipFile(wheel).extractall(site)
    shutil.copytree(ROOT / "tests", tests, ignore=shutil.ignore_patterns("__pycache__", *NEEDS_SOURCE, *ENGINES))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    env = {**os.environ, "PYTHONPATH": str(site), "TRAJMATCH_SITE": str(site)}
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", "-p", "no:cov"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
