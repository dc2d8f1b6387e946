"""The command `trajmatch`: look at a run, match it, check it, convert it.

Each command is a module here, and a row of the table in `_app`. This module imports nothing that may not be there, so
that the script can say what is to be installed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]

_NEEDED = ("typer", "rich")
_INTERRUPTED = 130
"""What shells give for a process that Ctrl-C ended."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process, and give its exit status.

    It is 0 where a run passes, 1 where it differs, 2 where that could not be said.
    """
    try:
        from trajmatch_adapters.cli._app import run

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _NEEDED:
            raise
        sys.stderr.write(f"trajmatch: {missing} is not installed; pip install 'trajmatch[cli]'\n")
        return 2
