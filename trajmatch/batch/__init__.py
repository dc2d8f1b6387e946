"""Many runs: rows of results from Python, from files, on several processes, and what they come to."""

from trajmatch.batch._changes import Comparison
from trajmatch.batch._compare import compare_results
from trajmatch.batch._lines import match_lines
from trajmatch.batch._pairs import MatchPair, match_many
from trajmatch.batch._result_files import read_rows
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._score_file import Progress, score_file
from trajmatch.batch._scorer import Scorer
from trajmatch.batch._summary import Summary

__all__ = [
    "Comparison",
    "MatchPair",
    "Progress",
    "ResultRow",
    "Scorer",
    "Summary",
    "compare_results",
    "match_lines",
    "match_many",
    "read_rows",
    "score_file",
]
