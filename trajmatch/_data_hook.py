"""What pydantic asks a type for, where it is the type of a field: how its data form is read, written and described."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from trajmatch._json_form import json_data

__all__ = ["DataForm"]


class DataForm(NamedTuple):
    """The data form of a type, for `Annotated` and for `__get_pydantic_core_schema__`.

    Attributes:
        described: The name of its description in `_data_form`.
        read: Gives a value from what is written, or raises a `ValueError`.
        write: Gives what is written of a value; what JSON text cannot hold of it is an error.
    """

    described: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]

    def data(self, value: object) -> object:
        """Give the data form of a value, in the types of JSON."""
        return json_data(self.write(value))

    def __get_pydantic_core_schema__(self, source: object, handler: Any) -> Any:
        from pydantic_core import core_schema as core

        from trajmatch import _data_form

        return core.no_info_wrap_validator_function(
            lambda value, _: self.read(value),
            handler.generate_schema(getattr(_data_form, self.described)),
            serialization=core.plain_serializer_function_ser_schema(self.data),
        )
