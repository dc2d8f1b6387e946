"""Many runs: rows of results from Python, from files, on several processes, and what they come to."""

from trajmatch.batch._lines import match_lines
from trajmatch.batch._pairs import MatchPair, match_many
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._rewards import Reward, rewards
from trajmatch.batch._scorer import Scorer

__all__ = ["MatchPair", "ResultRow", "Reward", "Scorer", "match_lines", "match_many", "rewards"]
