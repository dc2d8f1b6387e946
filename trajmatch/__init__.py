"""Tell whether an agent did the right thing: match its tool calls against what was expected.

PYTEST_DONT_REWRITE: no assertion in here is one that a test is to see.
"""

from trajmatch import expect
from trajmatch._argument_rule import ArgumentRule, ArgumentRuleData
from trajmatch._check_arguments import Occurrence, check_arguments
from trajmatch._check_forbidden import check_forbidden
from trajmatch._check_limits import check_limits
from trajmatch._check_result import CheckResult
from trajmatch._counting import CallsOption
from trajmatch._elements import (
    any_order,
    batched,
    forbidden,
    one_of,
    optional,
    plan,
    repeat,
    seq,
    step,
)
from trajmatch._load import FileKind, load
from trajmatch._matcher import Matcher, assert_match, match
from trajmatch._message import Message
from trajmatch._model import ToolCall, call
from trajmatch._modes import ModeName
from trajmatch._recognise import to_trajectory
from trajmatch._report import report_html, write_report
from trajmatch._result import Edit, MatchResult, Pair
from trajmatch._rules import ArgumentsRule
from trajmatch._settings import MatchOptions
from trajmatch._sides import AnyOf, ExpectedCall, any_of, to_expectation
from trajmatch._structure import Structure
from trajmatch._trajectory import Trajectory
from trajmatch._turns import to_expectations
from trajmatch._version import __version__
from trajmatch._writing import to_messages
from trajmatch.errors import ConversionError, CostError, MatchFailure, OptionError, RuleError, TrajmatchError

__all__ = [
    "AnyOf",
    "ArgumentRule",
    "ArgumentRuleData",
    "ArgumentsRule",
    "CallsOption",
    "CheckResult",
    "ConversionError",
    "CostError",
    "Edit",
    "ExpectedCall",
    "FileKind",
    "MatchFailure",
    "MatchOptions",
    "MatchResult",
    "Matcher",
    "Message",
    "ModeName",
    "Occurrence",
    "OptionError",
    "Pair",
    "RuleError",
    "Structure",
    "ToolCall",
    "Trajectory",
    "TrajmatchError",
    "__version__",
    "any_of",
    "any_order",
    "assert_match",
    "batched",
    "call",
    "check_arguments",
    "check_forbidden",
    "check_limits",
    "expect",
    "forbidden",
    "load",
    "match",
    "one_of",
    "optional",
    "plan",
    "repeat",
    "report_html",
    "seq",
    "step",
    "to_expectation",
    "to_expectations",
    "to_messages",
    "to_trajectory",
    "write_report",
]
