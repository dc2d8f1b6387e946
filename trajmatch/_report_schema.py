"""Stored results, as pydantic models: they check what comes from files.

This module is imported when the first stored result is read.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, InstanceOf

from trajmatch._script import EditKind

__all__ = ["StoredResult"]

Text = InstanceOf[str]


class _Stored(BaseModel):
    model_config = ConfigDict(strict=True)


class _StoredRow(_Stored):
    kind: EditKind
    expected: Text = ""
    actual: Text = ""
    remarks: list[Text] = []
    tools: list[Text] = []


class _StoredPicture(_Stored):
    passed: bool
    above: Annotated[list[Text], Field(min_length=1)]
    rows: list[_StoredRow]
    below: list[Text]


class StoredResult(_Stored):
    """What `to_dict` of a match or a check gave; a check has no score and no picture."""

    passed: bool
    reason: Text
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    graded: bool = False
    signature: Text | None = None
    picture: _StoredPicture | None = None
