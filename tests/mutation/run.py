"""Mutate the matching core and count what the tests notice: `python tests/mutation/run.py [_rules _paths ...]`.

Prints the rows of the table in docs/mutation.md and names the mutants that survive; `mutmut show <name>` shows one, and
the next run tries the survivors again. Modules are those of `only_mutate` in pyproject.toml unless they are named here.
What mutmut leaves out and this adds: properties, where the score and the verdict are computed, and an order of tests.
"""

from __future__ import annotations

import os
import resource
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

import libcst
from mutmut import __main__ as mutmut
from mutmut.configuration import config
from mutmut.mutation import file_mutation
from mutmut.mutation.data import SourceFileMutationData
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.workers.isolation import ForkServerRunner

FEW = 30
"""So many tests are run first."""
FEW_SECONDS = 10
"""So much CPU time they may take: a loop without an end is noticed here, long before the limit for all tests."""
MOST_SECONDS = 20
"""So long the tests of a mutant may take; the slowest are left out, so that what is noticed is a lower bound."""
NOTICED = ("killed", "timeout", "segfault")


def is_property(node: libcst.CSTNode) -> bool:
    """Whether it is a method under `@property` alone."""
    if not isinstance(node, libcst.FunctionDef) or len(node.decorators) != 1:
        return False
    decorator = node.decorators[0].decorator
    return isinstance(decorator, libcst.Name) and decorator.value == "property"


def mutate_properties() -> None:
    """Let mutmut mutate properties: the switch between mutants goes below the decorator, the mutants have none."""
    skips, arranged = (
        file_mutation.MutationVisitor._skip_node_and_children,
        file_mutation.function_trampoline_arrangement,
    )

    def skips_others(self: Any, node: libcst.CSTNode) -> bool:
        return not is_property(node) and skips(self, node)

    def arranged_bare(function: libcst.FunctionDef, mutants: Any, class_name: str | None) -> Any:
        if not is_property(function):
            return arranged(function, mutants, class_name)
        declared, (switch, *others), *rest = arranged(function.with_changes(decorators=[]), mutants, class_name)
        decorated = switch.with_changes(decorators=[*function.decorators, *switch.decorators])
        return declared, [decorated, *others], *rest

    file_mutation.MutationVisitor._skip_node_and_children = skips_others
    file_mutation.function_trampoline_arrangement = arranged_bare


def run_fast_tests_first() -> None:
    """Have a mutant noticed as soon as can be, and time out by the CPU time that it takes itself.

    The other limit comes later, for a machine that is busy with something else slows every mutant.
    """
    submit = ForkServerRunner.submit

    def submit_sorted(self: Any, mutant: str, tests: list[str], cpu_limit: int, estimated: float) -> None:
        ordered = sorted(tests, key=state().duration_by_test.__getitem__)
        until = accumulate(map(state().duration_by_test.__getitem__, ordered))
        quick = [test for test, seconds in zip(ordered, until, strict=True) if seconds < MOST_SECONDS]
        submit(self, mutant, quick, 4 * MOST_SECONDS, 10 * MOST_SECONDS)

    ForkServerRunner.submit = submit_sorted


def run_few_tests_first() -> None:
    """Run the quickest tests of a mutant by themselves, which notice most of them: to collect all takes far longer."""
    run_tests = PytestRunner.run_tests

    def run_in_two_steps(self: Any, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        every = [*tests]
        if mutant_name is not None and len(every) > FEW:
            if not (child := os.fork()):
                resource.setrlimit(resource.RLIMIT_CPU, (FEW_SECONDS, FEW_SECONDS + 1))
                os._exit(run_tests(self, mutant_name=mutant_name, tests=every[:FEW]))
            noticed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if noticed < 0:
                os.kill(os.getpid(), -noticed)
            if noticed:
                return noticed
        return run_tests(self, mutant_name=mutant_name, tests=every[FEW:] if len(every) > FEW else every)

    PytestRunner.run_tests = run_in_two_steps


def status_of(code: int | None) -> str:
    """What became of a mutant; mutmut takes tests that could not be run, 255, for a timeout."""
    return "not run" if code == 255 else str(status_by_exit_code[code])


def modules() -> list[SourceFileMutationData]:
    """What is known of the mutants of each module, as far as they were made."""
    found = [SourceFileMutationData(path=path) for path in sorted(walk_mutatable_files())]
    for module in found:
        module.load()
    return [module for module in found if module.exit_code_by_key]


def forget_survivors() -> None:
    """Have them tried again, since a test may have been written for them."""
    for module in modules():
        module.exit_code_by_key = {
            name: code if status_of(code) in NOTICED else None for name, code in module.exit_code_by_key.items()
        }
        module.save()


def forget_plain_copies() -> None:
    """Have the modules mutated that an earlier run copied as they are, since other names were given to it."""
    copies = [Path("mutants") / path for path in walk_mutatable_files()]
    plain = [copy for copy in copies if copy.exists() and "__mutmut_" not in copy.read_text(encoding="utf-8")]
    for path in [*plain, Path("mutants/mutmut-stats.json")] if plain else ():
        path.unlink(missing_ok=True)


def row(name: str, statuses: Counter[str]) -> str:
    """One row of the table."""
    total, noticed = statuses.total(), sum(statuses[status] for status in NOTICED)
    killed, timeout = statuses["killed"], noticed - statuses["killed"]
    return f"| {name} | {killed} | {timeout} | {total - noticed} | {total} | {noticed / total:.1%} |"


def main(names: list[str]) -> None:
    """Mutate, run, report."""
    if names:
        config().only_mutate = [f"trajmatch/{name}.py" for name in names]
    mutate_properties()
    run_fast_tests_first()
    run_few_tests_first()
    forget_survivors()
    forget_plain_copies()
    mutmut._run([], max_children=os.cpu_count() or 1)
    every, survivors = Counter[str](), list[str]()
    print("\n| module | killed | timeout | survived | mutants | noticed |\n|---|---|---|---|---|---|")
    for module in modules():
        statuses = {name: status_of(code) for name, code in module.exit_code_by_key.items()}
        survivors += [f"{status}: {name}" for name, status in statuses.items() if status not in NOTICED]
        every += (counted := Counter(statuses.values()))
        print(row(f"`{Path(module.path).stem}`", counted))
    print(row("all", every), *survivors, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
