"""What an import and a plain match load."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ["pydantic", "pydantic_core", "deepdiff", "numpy", "langchain_core", "pydantic_ai", "openai", "langsmith"]
CODE = {
    "import": "import trajmatch",
    "match": "import trajmatch; trajmatch.match([trajmatch.call('a', x=1)], ['a'], mode='in_order').reason",
    "failing match": "import trajmatch; trajmatch.match([trajmatch.call('b')], ['a']).render()",
    "openai": "import trajmatch; trajmatch.match([{'role': 'user', 'content': 'x'}], [])",
    "langchain": "import trajmatch; trajmatch.match([{'type': 'human', 'content': 'x'}], [])",
    "pydantic_ai": "import trajmatch; trajmatch.match([{'kind': 'request', 'parts': []}], [])",
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_nothing_heavy_is_loaded(code):
    show = f"{code}; import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert [name for name in HEAVY if name in json.loads(done.stdout)] == []


def test_the_version_is_a_literal_in_one_place():
    import importlib.metadata

    import trajmatch

    assert trajmatch.__version__ == importlib.metadata.version("trajmatch")


def test_all_is_sorted_and_whole():
    import trajmatch

    public = {name for name in vars(trajmatch) if not name.startswith("_")} - {"errors", "reading"}
    assert set(trajmatch.__all__) == public | {"__version__"}


def test_every_public_name_has_a_typed_test_and_its_types_are_true():
    import trajmatch

    text = Path(__file__).with_name("typing").joinpath("public_api.py").read_text(encoding="utf-8")
    assert [name for name in trajmatch.__all__ if name not in text] == []
    runpy.run_path(str(Path(__file__).with_name("typing") / "public_api.py"), run_name="__main__")
