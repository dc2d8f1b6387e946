"""The structures of the docs on real runs of tau-bench, read in place from the collection beside a full checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNS = ROOT.parent / "shared" / "data" / "runs.jsonl.gz"

pytestmark = pytest.mark.shared


def printed():
    script = ROOT / "docs" / "examples" / "tau_bench.py"
    return subprocess.run([sys.executable, script, RUNS], capture_output=True, text=True, check=True).stdout


def test_the_page_shows_what_the_example_prints():
    assert f"```text\n{printed()}```" in (ROOT / "docs" / "structures.md").read_text(encoding="utf-8")


def test_every_good_run_is_accepted_and_every_bad_one_is_rejected():
    verdicts = [line.split()[:3:2] for line in printed().splitlines() if line.startswith("  ")]
    assert len(verdicts) == 12
    assert {tuple(verdict) for verdict in verdicts} == {("good", "accepted"), ("bad", "rejected:")}
