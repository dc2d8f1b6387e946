"""Golden files that no test uses any more; only what is certain is said.

Nothing is said where tests were chosen by their ids, or as those that failed last. A test that did not run, or did not
pass, keeps its files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from trajmatch_adapters.pytest_plugin._files import folder_of, owns, stem_of
from trajmatch_adapters.pytest_plugin._session import FOLDER

__all__ = ["Orphan", "Owners", "orphans", "owners", "ran_in_part"]

Owners = dict[str, dict[str, str]]
"""For each folder of golden files whose module was collected: the ids of its tests, by their names in file names."""


class Orphan(NamedTuple):
    """A golden file that no test used, and whether it has a test that might."""

    file: Path
    has_test: bool


def ran_in_part(config: pytest.Config) -> bool:
    """Say whether tests were chosen in a way that hides others from the collection."""
    by_id = any("::" in str(argument) for argument in config.args)
    return by_id or any(config.getoption(name, False) for name in ("lf", "collectonly"))


def owners(modules: Collection[Path], items: Iterable[pytest.Item]) -> Owners:
    """Give the tests that may own golden files: those of modules that have a folder; none where the module is gone."""
    places = [place for place in {module.parent for module in modules} if (place / FOLDER).is_dir()]
    found: Owners = {str(folder): {} for place in places for folder in _deserted(place)}
    found |= {str(folder_of(module)): {} for module in modules if folder_of(module).is_dir()}
    for item in items:
        tests = found.get(str(folder_of(item.path)))
        if tests is not None:
            tests[stem_of(item.nodeid)] = item.nodeid
    return found


def _deserted(place: Path) -> Iterator[Path]:
    """Give the folders of golden files whose module is gone."""
    there = {file.stem for file in place.iterdir() if file.is_file()}
    return (folder for folder in (place / FOLDER).iterdir() if folder.is_dir() and folder.name not in there)


def orphans(tests: Owners, used: Collection[str], passed: Collection[str]) -> Iterator[Orphan]:
    """Give the golden files that were not used, and are not those of a test that did not pass."""
    for folder, names in sorted(tests.items()):
        for file in sorted(Path(folder).glob("*.json")):
            mine = [nodeid for stem, nodeid in names.items() if owns(stem, file)]
            if str(file) not in used and all(nodeid in passed for nodeid in mine):
                yield Orphan(file, bool(mine))
