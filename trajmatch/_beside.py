"""What stands beside the messages of a history, in the dict that holds them."""

from __future__ import annotations

from trajmatch._access import is_mapping, keys_of
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError
from trajmatch.reading._lost import Held
from trajmatch.reading._search import written_beside

__all__ = ["alone"]


def alone(history: object, run: Trajectory) -> Trajectory:
    """Give the run that was read under `messages`.

    Raises:
        ConversionError: Beside it stands a message, however deep, with calls that it does not hold.
    """
    if not is_mapping(history) or "messages" not in history:
        return run
    held = Held(run.columns.rows)
    for key, value in history.items():
        found = written_beside(key, value) if key != "messages" else ()
        for call in found:
            if not held.has(call):
                raise ConversionError(
                    f"beside 'messages' there are calls under {key!r}, {call.name!r} say, which would be lost; "
                    f"hand over what is meant: history['messages'], or one list of all messages",
                    keys=keys_of(history),
                )
    return run
