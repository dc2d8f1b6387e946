"""Many runs: rows of results from Python, from files, on several processes, and what they come to."""

from trajmatch.batch._arrow import RESULT_TYPES, ArrowChunk, batch_of, rows_of, summary_batch
from trajmatch.batch._changes import Comparison
from trajmatch.batch._columns import needed_columns
from trajmatch.batch._compare import compare_results
from trajmatch.batch._lines import LineRange, line_ranges, match_lines
from trajmatch.batch._pairs import MatchPair, match_many
from trajmatch.batch._parquet import parquet_chunks, parquet_rows, parquet_size, write_parquet
from trajmatch.batch._result_files import read_rows
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._rewards import Reward, rewards
from trajmatch.batch._score_file import Progress, score_file
from trajmatch.batch._scorer import Scorer
from trajmatch.batch._summary import Summary
from trajmatch.batch._tasks import By

__all__ = [
    "RESULT_TYPES",
    "ArrowChunk",
    "By",
    "Comparison",
    "LineRange",
    "MatchPair",
    "Progress",
    "ResultRow",
    "Reward",
    "Scorer",
    "Summary",
    "batch_of",
    "compare_results",
    "line_ranges",
    "match_lines",
    "match_many",
    "needed_columns",
    "parquet_chunks",
    "parquet_rows",
    "parquet_size",
    "read_rows",
    "rewards",
    "rows_of",
    "score_file",
    "summary_batch",
    "write_parquet",
]
