"""The two spellings of a field: `function_call` in Python, `functionCall` on the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from trajmatch.reading import first

__all__ = ["camel", "field"]


@lru_cache(maxsize=256)
def camel(name: str) -> str:
    """Give a name as the wire spells it."""
    head, *rest = name.split("_")
    return head + "".join(map(str.capitalize, rest))


def field(item: object, name: str) -> Any:
    """Give a field by its Python name, in either spelling; `None` where it is not there."""
    return first(item, name, camel(name))
