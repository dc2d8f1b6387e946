"""Copies of values with something edited at key paths, or with nothing but what stands at key paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from trajmatch._json_form import Bag, Budget, Unordered, decides, is_dict, is_list, json_form, with_text_keys
from trajmatch._paths import ABSENT, EACH, Path

__all__ = ["all_bags", "edited", "projected"]


def edited(value: object, path: Path, edit: Callable[[object], object]) -> Any:
    """Give a copy of a value in which what stands at a path is edited.

    `edit` takes the value, or `ABSENT` where an object that is there has no such key, and gives the new one, or
    `ABSENT` to leave it out.
    """
    if not path:
        return edit(value)
    form, (head, *rest) = json_form(value), path
    if is_dict(form) and head is not EACH:
        fields, key = with_text_keys(form), str(head)
        if key not in fields and rest:
            return value
        found = fields.get(key, ABSENT)
        new = edited(found, tuple(rest), edit) if rest else edit(found)
        if new is ABSENT:
            return {name: item for name, item in fields.items() if name != key}
        return {**fields, key: new}
    if is_list(form) and (head is EACH or not isinstance(form, Unordered)):
        chosen = head is EACH or str(head)
        items = [
            edited(item, tuple(rest), edit) if chosen is True or chosen == str(i) else item
            for i, item in enumerate(form)
        ]
        return type(form)([item for item in items if item is not ABSENT])
    return value


def projected(value: object, paths: Sequence[Path]) -> Any:
    """Give what stands at the paths, in the containers that hold it; `ABSENT` where nothing does.

    A list that a path goes through item by item keeps its length; a value that decides for itself is kept as a whole.
    """
    form = json_form(value)
    if () in paths or decides(form):
        return value
    each = [path[1:] for path in paths if path[0] is EACH]
    if is_list(form) and each and form:
        items = [projected(item, [*each, *_after(paths, index)]) for index, item in enumerate(form)]
        return type(form)([{} if item is ABSENT else item for item in items])
    if is_list(form) and not isinstance(form, Unordered):
        form = {str(index): item for index, item in enumerate(form)}
    if not is_dict(form):
        return ABSENT
    fields = with_text_keys(form)
    kept = {key: projected(fields[key], after) for key in fields if (after := _after(paths, key))}
    return {key: item for key, item in kept.items() if item is not ABSENT} or ABSENT


def _after(paths: Sequence[Path], head: str | int) -> list[Path]:
    return [path[1:] for path in paths if path[0] is not EACH and str(path[0]) == str(head)]


def all_bags(value: object, budget: Budget) -> Any:
    """Give a copy in which the order of no list counts.

    Raises:
        ValueError: It has too many values.
        RecursionError: It is nested too deep, or holds itself.
    """
    budget.spend()
    form = json_form(value)
    if is_dict(form):
        return {key: all_bags(item, budget) for key, item in form.items()}
    if is_list(form):
        bag = type(form) if isinstance(form, Unordered) else Bag
        return bag([all_bags(item, budget) for item in form])
    return value
