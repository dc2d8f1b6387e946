"""The pictures in the docs are those that their script draws."""

import runpy
from pathlib import Path

IMAGES = Path(__file__).parents[2] / "docs" / "images"


def test_the_picture_of_the_terminal_is_what_the_script_draws():
    made = runpy.run_path(str(IMAGES / "make.py"))
    assert made["terminal"](made["shown"]().picture) == (IMAGES / "terminal.svg").read_text(encoding="utf-8")
