"""What stored summaries hold, read with an error that names the place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trajmatch._json_form import is_dict, is_list
from trajmatch._shown import shown
from trajmatch.errors import ConversionError

__all__ = ["counts_of", "mapping_of", "mappings_of", "number_of", "text_of", "texts_of"]


def number_of(form: Mapping[str, Any], key: str) -> int:
    """Give a whole number from 0 on, or such a number as text."""
    found = form.get(key)
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 100:
        return int(found)
    if type(found) is not int or found < 0:
        raise _wrong(key, "a whole number from 0 on", found)
    return found


def text_of(form: Mapping[str, Any], key: str) -> str:
    """Give a text."""
    if not isinstance(found := form.get(key), str):
        raise _wrong(key, "text", found)
    return found


def texts_of(form: Mapping[str, Any], key: str) -> list[str]:
    """Give a list of texts."""
    found = form.get(key)
    if not is_list(found) or not all(isinstance(item, str) for item in found):
        raise _wrong(key, "a list of texts", found)
    return found


def counts_of(form: Mapping[str, Any], key: str) -> dict[str, int]:
    """Give how often each of some texts was counted."""
    found = mapping_of(form, key)
    return {name: number_of(found, name) for name in found}


def mapping_of(form: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Give an object."""
    found = form.get(key)
    if not is_dict(found) or not all(isinstance(name, str) for name in found):
        raise _wrong(key, "an object", found)
    return found


def mappings_of(form: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Give a list of objects."""
    found = form.get(key)
    if not is_list(found) or not all(map(is_dict, found)):
        raise _wrong(key, "a list of objects", found)
    return found


def _wrong(key: str, wanted: str, found: object) -> ConversionError:
    return ConversionError(f"a stored summary: {key!r} is {wanted}, got {shown(found)}", keys=[key])
