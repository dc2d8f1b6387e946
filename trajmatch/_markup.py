"""HTML out of texts: whatever is not markup already is escaped, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from importlib.resources import files

from trajmatch._shown import printable

__all__ = ["Markup", "policy", "resource", "tag"]


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, attributes: Mapping[str, str], *children: str) -> Markup:
    """Give an element; what disturbs a reader in texts is escaped as in a terminal, and then for HTML."""
    written = "".join(f' {key}="{_text(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{written}>{''.join(map(_text, children))}</{name}>")


def _text(text: str) -> str:
    return text if isinstance(text, Markup) else escape(printable(text))


def resource(name: str) -> Markup:
    """Give a file of this package that stands in a page as it is."""
    return Markup(files("trajmatch").joinpath("_pages", name).read_text(encoding="utf-8"))


def policy(styles: str, scripts: str | None = None) -> Markup:
    """Give the content security policy of a page that holds these styles and scripts, and loads nothing."""
    sources = {"default-src": "'none'", "style-src": _hashed(styles), "img-src": "data:"}
    if scripts is not None:
        sources |= {"script-src": _hashed(scripts), "require-trusted-types-for": "'script'", "trusted-types": "'none'"}
    sources |= {"base-uri": "'none'", "form-action": "'none'"}
    return Markup("; ".join(f"{directive} {source}" for directive, source in sources.items()))


def _hashed(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
