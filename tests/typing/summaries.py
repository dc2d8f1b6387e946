"""The types of what many rows come to."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, assert_type

from trajmatch.batch import By, Comparison, ResultRow, Summary, compare_results, read_rows

by: By = "group"

rows = read_rows("results.jsonl")
assert_type(rows, Iterator[ResultRow])
summary = Summary.of(rows)
assert_type(summary, Summary)
assert_type(summary.merge(Summary().add(ResultRow())), Summary)
assert_type(Summary.from_dict(summary.to_dict()), Summary)
assert_type(summary.pass_rate, float | None)
assert_type(summary.mean_score, float | None)
assert_type(summary.wilson(0.9), tuple[float, float])
assert_type(summary.differences, Counter[str])
assert_type(summary.pass_hat(2).rate, float | None)
assert_type(summary.groups["lamp"].divergence.index, int | None)
assert_type(summary.error_examples["RuleError"][0].line, int | None)

comparison = compare_results(rows, rows, by=by, alpha=0.01, allow_missing_tasks=True, allow_other_signatures=True)
assert_type(comparison, Comparison)
assert_type(comparison.regression, bool)
assert_type(comparison.verdicts.p_value, float)
assert_type(comparison.changed[0].task, str)
assert_type(comparison.uneven[0].new_runs, int)
assert_type(comparison.to_dict(), dict[str, Any])
