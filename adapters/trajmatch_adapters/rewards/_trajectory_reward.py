"""A reward function as TRL calls it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Unpack, cast

from trajmatch import ConversionError, MatchOptions, OptionError, TrajmatchError
from trajmatch.batch import Reward
from trajmatch.reading import choose, did_you_mean, get, is_mapping, listed
from trajmatch_adapters.rewards._completions import as_messages

__all__ = ["TrajectoryReward", "trajectory_reward"]

_ARGUMENTS = ("arguments", "args")


class TrajectoryReward:
    """A reward function, made by `trajectory_reward`; it can be pickled.

    Attributes:
        expected: The column that holds the expectations.
    """

    __name__: str

    def __init__(self, name: str, expected: str, unreadable: float | None, worth: Reward) -> None:
        self.__name__ = name
        self.expected = expected
        self._unreadable = unreadable
        self._worth = worth

    def __call__(
        self,
        completions: Sequence[object],
        *,
        prompts: Sequence[object] | None = None,
        log_metric: Callable[[str, float], None] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Give the reward of each completion, `None` where nothing is expected of it.

        Args:
            completions: What the model and its tools said, of each row.
            prompts: What stands before, to name a row in errors.
            log_metric: Takes the share of completions that could not be read, as `{name}/unreadable`.
            columns: The columns of the dataset, and what else a trainer hands over.

        Raises:
            ConversionError: There is no such column, or an expectation cannot be read; with its row.
            RuleError: A rule raised or gave no bool.
        """
        wanted = self._column(columns, len(completions))
        places = prompts if prompts is not None and len(prompts) == len(completions) else [None] * len(completions)
        found = [
            None if one is None else self._reward(completion, one, f"row {at}{_shown(prompt)}")
            for at, (completion, one, prompt) in enumerate(zip(completions, wanted, places, strict=True))
        ]
        scored = [math.isnan(reward) for reward in found if reward is not None]
        if log_metric is not None and scored:
            log_metric(f"{self.__name__}/unreadable", sum(scored) / len(scored))
        return [self._unreadable if reward is not None and math.isnan(reward) else reward for reward in found]

    def _column(self, columns: Mapping[str, Any], rows: int) -> Sequence[object]:
        found = columns.get(self.expected)
        if isinstance(found, (list, tuple)) and len(cast("Sequence[object]", found)) == rows:
            return cast("Sequence[object]", found)
        if found is not None:
            raise ConversionError(f"the column {self.expected!r} is no list of {rows} expectations, one for each row")
        near = did_you_mean(self.expected, columns)
        raise ConversionError(
            f"there is no column {self.expected!r}{near}; there are {choose(columns) or 'none'}; "
            "say which holds the expectation: expected='...'",
            keys=columns,
        )

    def _reward(self, completion: object, expected: object, place: str) -> float:
        try:
            _refuse_nulls(expected)
            return self._worth(completion, expected)
        except RecursionError:
            raise ConversionError(f"{place}: the expectation is nested too deep, or holds itself") from None
        except TrajmatchError as error:
            error.args = (f"{place}: {error}",)
            raise


def trajectory_reward(
    *,
    expected: str = "expected",
    name: str = "trajectory_reward",
    unreadable: float | None = 0.0,
    read: Callable[[Any], object] | None = None,
    **options: Unpack[MatchOptions],
) -> TrajectoryReward:
    """Give a reward function for `reward_funcs` of TRL's trainers: the score of a match, `in_order` by default.

    Args:
        expected: The column of the dataset that holds the expectations: as JSON text, or as they are. A row without
            one, `None`, has no reward.
        name: What the reward is called in the log.
        unreadable: What a completion is worth that cannot be read; `None` leaves it out.
        read: Gives the history of a completion, as `tagged_calls` does. By default completions are lists of messages.
        options: See `MatchOptions`; `threshold` has no effect.

    Raises:
        OptionError: A wrong option.

    >>> from trajmatch_adapters.rewards import trajectory_reward
    >>> reward = trajectory_reward(args="ignore")
    >>> searched = {"type": "function", "function": {"name": "search", "arguments": {"q": "lamp"}}}
    >>> reward(completions=[[{"role": "assistant", "tool_calls": [searched]}]], expected=['["search", "book"]'])
    [0.6666666666666666]
    """
    for option, value in (("expected", expected), ("name", name)):
        if not isinstance(cast("object", value), str) or not value:
            raise OptionError(f"{option}: a text that is not empty, got {value!r}", option=option, value=value)
    Reward(unreadable=0.0 if unreadable is None else unreadable)  # refuses what is no number
    worth = Reward(unreadable=math.nan, read=as_messages if read is None else read, **options)
    return TrajectoryReward(name, expected, unreadable, worth)


def _refuse_nulls(expected: object) -> None:
    """Refuse arguments that are null in a nested column: a table writes so the keys that a row does not have.

    Raises:
        ConversionError: There are some; with where, and what to write instead.
    """
    for place in _nulls(expected, "expected"):
        raise ConversionError(
            f"{place} is null; in a nested column every row has the keys of all rows, so this is null or not there; "
            "write the column as JSON text"
        )


def _nulls(value: object, place: str, *, inside: bool = False) -> Iterator[str]:
    if inside and value is None:
        yield place
    elif is_mapping(value):
        for key, item in value.items():
            within = inside or (key in _ARGUMENTS and item is not None)
            yield from _nulls(item, f"{place}.{key}", inside=within)
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(cast("Sequence[object]", value)):
            yield from _nulls(item, f"{place}.{at}", inside=inside)


def _shown(prompt: object) -> str:
    """The last words of a prompt."""
    *_, last = ["", prompt] if isinstance(prompt, str) else ["", *listed(prompt)]
    said = get(last, "content", last)
    return f" ({said!r:.80})" if said and isinstance(said, str) else ""
