"""The option `tools`: definitions of tools, as frameworks and providers write them, to their schemas."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

from trajmatch._access import first, get, is_mapping, keys_of, listed
from trajmatch._naming import Naming
from trajmatch._nearest import choose
from trajmatch._shown import shown
from trajmatch._subschemas import Schema
from trajmatch._tool_schema import ToolSchema
from trajmatch.errors import OptionError

__all__ = ["parse_tools"]

Read = TypeVar("Read")

_WRAPPERS = ("tool_def", "function")
"""What holds the definition in `Tool` of Pydantic AI, and in Chat Completions of OpenAI."""
_SCHEMAS = (
    "parameters_json_schema",  # ToolDefinition of Pydantic AI
    "tool_call_schema",  # tools of LangChain: what a model is told
    "args_schema",
    "parameters",  # OpenAI, Gemini
    "input_schema",  # Anthropic
    "inputSchema",  # MCP
)
"""Where a definition has its schema."""
_SEVERAL = ("function_declarations", "functionDeclarations")
"""What holds several definitions, in `Tool` of Gemini."""
_NO_ARGUMENTS: Schema = {"type": "object", "properties": {}}
_ONE_TEXT: Schema = {"type": "object", "properties": {"__arg1": {"type": "string"}}, "required": ["__arg1"]}
"""What LangChain tells a model of its `Tool`, which takes one text and knows no name for it."""


def parse_tools(tools: object, naming: Naming) -> dict[str, ToolSchema]:
    """Give the schemas of tools, by the names that are compared.

    Raises:
        OptionError: Something that is no definition, has no valid schema, or is there twice.
    """
    schemas: dict[str, ToolSchema] = {}
    for name, schema in _definitions(tools):
        if (tool := naming.read(name)) in schemas:
            raise OptionError(f"tools: two definitions of {tool!r}", option="tools", value=tools)
        schemas[tool] = _checked(tool, schema)
    return schemas


def _checked(tool: str, schema: Schema) -> ToolSchema:
    try:
        return _schema_of(json.dumps(schema))
    except Exception as error:  # whatever jsonschema raises of words that it does not expect
        raise OptionError(
            f"tools: the schema of {tool!r} is no JSON Schema: {error}", option="tools", value=schema
        ) from error


@lru_cache(maxsize=512)  # since a schema takes longer to check than many a run to match
def _schema_of(text: str) -> ToolSchema:
    return ToolSchema(json.loads(text))


def _definitions(tools: object) -> Iterator[tuple[str, Schema]]:
    given = tools
    if tools is None:
        return
    if is_mapping(tools):
        if isinstance(get(tools, "name"), str):
            raise _wrong(tools, "one definition in place of a list of them")
        yield from ((_name(name, tools), _read(_schema, schema)) for name, schema in tools.items())
    elif isinstance(tools, Sequence) and not isinstance(tools, (str, bytes)):
        for tool in cast("Sequence[object]", given):
            inner = listed(first(tool, *_SEVERAL)) or [tool]
            yield from (_read(_definition, one) for one in inner if not _is_native(one))
    else:
        raise _wrong(given, "a list of definitions, or JSON Schemas by the names of tools")


def _read(read: Callable[[Any], Read], given: object) -> Read:
    try:
        return read(given)
    except OptionError:
        raise
    except Exception as error:  # what pydantic has no schema for
        told = str(error).partition("\n")[0]
        raise _wrong(given, f"its schema cannot be made: {told}") from error


def _is_native(tool: object) -> bool:
    """Whether it is a tool that the provider of the model executes, of which no schema is stated."""
    return (
        is_mapping(tool)
        and isinstance(kind := tool.get("type"), str)
        and kind != "function"
        and first(tool, *_WRAPPERS, *_SCHEMAS) is None
    )


def _definition(tool: object) -> tuple[str, Schema]:
    inner = first(tool, *_WRAPPERS)
    defined = tool if inner is None else inner
    schema = _ONE_TEXT if _takes_one_text(defined) else first(defined, *_SCHEMAS)
    if schema is None and get(tool, "type") != "function":  # of OpenAI, whose functions may state none
        raise _wrong(tool, f"a definition has the schema of its arguments in one of {choose(_SCHEMAS)}")
    return _name(get(defined, "name"), tool), _NO_ARGUMENTS if schema is None else _schema(schema)


def _takes_one_text(tool: object) -> bool:
    """Whether it is a `Tool` of LangChain without a schema."""
    return get(tool, "args_schema", tool) is None and get(tool, "args") == {"tool_input": {"type": "string"}}


def _name(name: object, tool: object) -> str:
    if isinstance(name, str) and name:
        return name
    raise _wrong(tool, f"the name of a tool is {shown(name)}")


def _schema(given: Any) -> Schema:
    """A JSON Schema, that of a pydantic model, or `Schema` of Gemini, which is an object."""
    if is_mapping(given):
        return dict(given)
    if isinstance(given, type) and hasattr(given, "model_json_schema"):
        return cast("Schema", cast("Any", given).model_json_schema())
    if not isinstance(given, type) and hasattr(given, "model_dump"):
        return cast("Schema", given.model_dump(mode="json", by_alias=True, exclude_none=True))
    raise _wrong(given, "neither a JSON Schema nor a pydantic model")


def _wrong(given: object, what: str) -> OptionError:
    keys = f" with the keys {choose(keys_of(given))}" if keys_of(given) else ""
    return OptionError(f"tools: {what}; got {shown(given)}{keys}", option="tools", value=given)
