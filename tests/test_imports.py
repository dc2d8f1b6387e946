"""What an import and a plain match load."""

import ast
import importlib.metadata
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

FRAMEWORKS = ["langchain_core", "pydantic_ai", "openai", "langsmith", "agentevals", "openevals", "torch", "trl"]
HEAVY = ["pydantic", "pydantic_core", "deepdiff", "numpy", "pyarrow", *FRAMEWORKS]
CODE = {
    "import": "import trajmatch",
    "match": "import trajmatch; trajmatch.match([trajmatch.call('a', x=1)], ['a'], mode='in_order').reason",
    "batch": "import trajmatch.batch",
    "failing match": "import trajmatch; trajmatch.match([trajmatch.call('b')], ['a']).render()",
    "openai": "import trajmatch; trajmatch.match([{'role': 'user', 'content': 'x'}], [])",
    "langchain": "import trajmatch; trajmatch.match([{'type': 'human', 'content': 'x'}], [])",
    "langsmith": "from trajmatch_adapters.langsmith import trajectory_evaluator as e; e()([{'name': 'a'}], ['a'])",
    "pydantic_ai": "import trajmatch; trajmatch.match([{'kind': 'request', 'parts': []}], [])",
    "rewards": "from trajmatch_adapters.rewards import trajectory_reward as t; t()([[]], expected=[['a']])",
    "agentevals": "import trajmatch_adapters.agentevals as a; a.create_trajectory_match_evaluator()",
}


@pytest.mark.parametrize("code", CODE.values(), ids=CODE)
def test_nothing_heavy_is_loaded(code):
    show = f"{code}; import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert [name for name in HEAVY if name in json.loads(done.stdout)] == []


PLAIN = "import trajmatch; trajmatch.match([{'role': 'user', 'content': 'x'}], [])"


def test_a_plain_history_imports_no_adapter_but_those_that_skim():
    code = f"{PLAIN}; import sys; print(*sorted(n for n in sys.modules if n.count('.') == 2))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    adapters = [name for name in done.stdout.split() if name.startswith("trajmatch_adapters.histories.")]
    assert adapters == [f"trajmatch_adapters.histories.{name}" for name in ("langchain", "openai", "pydantic_ai")]


def test_the_version_that_is_built_is_the_literal_in_the_one_file():
    import trajmatch

    assert trajmatch.__version__ == importlib.metadata.version("trajmatch")


def test_all_is_sorted_and_whole():
    import trajmatch

    public = {name for name in vars(trajmatch) if not name.startswith("_")} - {"batch", "errors", "picture", "reading"}
    assert set(trajmatch.__all__) == public | {"__version__"}
    assert all(isinstance(name, str) for name in trajmatch.__all__)


def asserted_names(tree):
    """The names inside `assert_type(...)` and `assert_match(...)`, and those that are constructed there."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {name.id for call in calls for name in ast.walk(call) if isinstance(name, ast.Name)}


def test_every_public_name_has_a_typed_test_and_its_types_are_true():
    import trajmatch

    file = Path(__file__).with_name("typing") / "public_api.py"
    asserted = asserted_names(ast.parse(file.read_text(encoding="utf-8"))) | {"TrajmatchError", "__version__"}
    assert [name for name in trajmatch.__all__ if name not in asserted] == []
    runpy.run_path(str(file), run_name="__main__")
