"""Tell whether an agent did the right thing: match its tool calls against what was expected."""

from trajmatch._message import Message
from trajmatch._model import ToolCall, call
from trajmatch._recognise import to_trajectory
from trajmatch._trajectory import Trajectory
from trajmatch._version import __version__
from trajmatch.errors import ConversionError, MatchFailure, OptionError, RuleError, TrajmatchError
