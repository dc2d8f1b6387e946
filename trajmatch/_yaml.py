"""YAML as the values of JSON, by the core schema of YAML 1.2: only `true` and `false` are bools, and dates are text.

This module is imported when the first YAML file is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import yaml

__all__ = ["YamlFault", "parse_yaml"]

_MOST = 1_000_000
"""Values that a file may stand for, once its aliases are written out."""
_TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, tuple[str, list[str]]] = {
    "null": (r"~|null|Null|NULL|", ["", *"~nN"]),
    "bool": (r"true|True|TRUE|false|False|FALSE", [*"tTfF"]),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", [*"-+0123456789"]),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        [*"-+.0123456789"],
    ),
}
"""How text without quotes is written that is no text, and with what it begins; the first that fits counts."""
_READ: dict[str, Callable[[str], object]] = {
    "null": lambda text: None,
    "bool": lambda text: text.lower() == "true",
    "int": lambda text: int(text, {"0o": 8, "0x": 16}.get(text[:2], 10)),
    "float": lambda text: float(text.lower().replace(".inf", "inf").replace(".nan", "nan")),
    "str": str,
}


class YamlFault(ValueError):
    """Text that is no YAML, or says more than JSON can; no text where there is none; `line` counts from 1."""

    def __init__(self, text: str, line: int | None) -> None:
        super().__init__(text)
        self.line = line


def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for name, (pattern, starts) in _WORDS.items():
        for start in starts:
            found.setdefault(start, []).append((_TAG + name, re.compile(rf"(?:{pattern})\Z")))
    return found


class _Loader(yaml.SafeLoader):
    """The reader of PyYAML, with other words for what is no text."""

    yaml_implicit_resolvers = _resolvers()


def parse_yaml(text: str) -> object:
    """Give what YAML text holds, in the types of JSON.

    Raises:
        YamlFault: It is no YAML, is empty, holds several documents, or holds what JSON has not.
        RecursionError: It is nested too deep, or holds itself.
    """
    try:
        node = yaml.compose(text, _Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlFault(_told(error), None if mark is None else mark.line + 1) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, int(error.position)) + 1
        raise YamlFault(f"the character {chr(error.character)!a} must not stand in YAML", line) from error
    if node is None:
        raise YamlFault("", None)
    return _Reader().value(node)


def _told(error: yaml.MarkedYAMLError) -> str:
    if error.context == "expected a single document in the stream":
        return "it holds several documents; keep one, or write a list"
    return "; ".join(filter(None, (error.context, error.problem)))


class _Reader:
    """Gives the values of nodes, and counts them, since aliases may stand for more than can be held."""

    def __init__(self) -> None:
        self._left = _MOST

    def value(self, node: yaml.Node) -> Any:
        self._left -= 1
        if self._left < 0:
            raise _fault(node, f"with its aliases it stands for more than {_MOST:,} values")
        kind = node.tag.removeprefix(_TAG)
        if isinstance(node, yaml.MappingNode) and kind == "map":
            return {_key(key): self.value(value) for key, value in node.value}
        if isinstance(node, yaml.SequenceNode) and kind == "seq":
            return [self.value(item) for item in node.value]
        if isinstance(node, yaml.ScalarNode) and kind in _READ:
            return _scalar(node, kind)
        raise _fault(node, f"the tag {node.tag!r} has no JSON form; write the value without it")


def _key(node: yaml.Node) -> str:
    """Give a key as the text that was written, since the keys of JSON are text."""
    if not isinstance(node, yaml.ScalarNode):
        raise _fault(node, "a key is text")
    if node.value == "<<" and node.style is None:
        raise _fault(node, "the merge key '<<' is not read; write the keys out")
    return str(node.value)


def _scalar(node: yaml.ScalarNode, kind: str) -> object:
    try:
        return _READ[kind](node.value)
    except ValueError as error:
        raise _fault(node, str(error)) from error


def _fault(node: yaml.Node, text: str) -> YamlFault:
    return YamlFault(text, node.start_mark.line + 1)
