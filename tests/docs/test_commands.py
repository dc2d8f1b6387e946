"""The commands in the docs: each prints what the page says.

`pytest tests/docs --update-examples` writes what they print anew.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = {
    f"{page.name}:{page.read_text(encoding='utf-8').count(chr(10), 0, found.start()) + 1}": (page, found[1])
    for page in sorted(ROOT.glob("docs/*.md"))
    for found in BLOCK.finditer(page.read_text(encoding="utf-8"))
}


def _printed(command):
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR")}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT / "docs" / "examples",
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
@pytest.mark.parametrize(("page", "block"), BLOCKS.values(), ids=BLOCKS)
def test_a_command_prints_what_the_page_says(request, page, block):
    commands = re.findall(r"^\$ (.+)$", block, flags=re.MULTILINE)
    printed = "\n".join(f"$ {command}\n{_printed(command)}" for command in commands)
    if request.config.getoption("update_examples"):
        page.write_text(page.read_text(encoding="utf-8").replace(block, printed, 1), encoding="utf-8")
    else:
        assert printed == block


def test_the_commands_are_found():
    assert any("trajmatch match" in block for _, block in BLOCKS.values())
