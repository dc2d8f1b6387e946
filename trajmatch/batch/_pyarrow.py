"""pyarrow, imported when it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias

from trajmatch.errors import OptionError

__all__ = ["RecordBatch", "needs"]

RecordBatch: TypeAlias = Any
"""A `pyarrow.RecordBatch`: pyarrow says nothing of its types."""


def needs(module: str = "pyarrow") -> Any:
    """Give a module of pyarrow.

    Raises:
        OptionError: It is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        text = "Arrow and Parquet need pyarrow: pip install 'trajmatch[batch]'"
        raise OptionError(text, option="pyarrow") from error
