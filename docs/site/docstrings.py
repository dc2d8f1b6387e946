"""Docstrings as Markdown: what Python reads without a fence or an empty line gets one for the site."""

import re

from griffe import Extension

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
LIST_AFTER_TEXT = re.compile(r"^(?!- | )(.+)\n(?=- )", re.MULTILINE)
FOR_PYDANTIC = "__get_pydantic_"


def as_markdown(text):
    return EXAMPLE.sub(r"```pycon\n\g<0>\n```", LIST_AFTER_TEXT.sub(r"\1\n\n", text))


class Docstrings(Extension):
    """Fences examples, sets lists apart, and leaves out what only pydantic calls."""

    def on_object(self, *, obj, **kwargs):
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)

    def on_class(self, *, cls, **kwargs):
        for name in [name for name in cls.members if name.startswith(FOR_PYDANTIC)]:
            del cls.members[name]
