"""The table of modes: how calls may be paired, and what may be left over."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["ALL_MODES", "MODES", "Mode", "ModeName"]

ModeName = Literal["exact", "strict", "unordered", "subset", "superset", "in_order", "any_order"]
"""How two runs are matched.

- `exact`: the same calls in the same order;
- `strict`: the same messages, with the calls of one batch in any order;
- `unordered`: the same calls in any order;
- `subset`: actual within expected, no call is extra;
- `superset`: actual contains expected, no call is missing;
- `in_order`: graded by how many calls pair in order;
- `any_order`: graded by how many calls pair.
"""


class Mode(NamedTuple):
    """One mode.

    Attributes:
        ordered: Pairs keep the order (longest common subsequence), or not (maximum matching).
        by_message: Messages are paired, not calls.
        graded: The score is F1 and passes from a threshold on; otherwise it is 1 or 0.
        extra: Extra calls may be left over.
        missing: Missing calls may be left over.
        looser: The modes that are tried, in turn, to say what comes closest.
    """

    ordered: bool
    by_message: bool = False
    graded: bool = False
    extra: bool = False
    missing: bool = False
    looser: tuple[ModeName, ...] = ()


MODES: dict[str, Mode] = {
    "exact": Mode(ordered=True, looser=("unordered", "superset", "in_order", "any_order")),
    "strict": Mode(ordered=True, by_message=True, looser=("exact", "unordered", "superset", "in_order", "any_order")),
    "unordered": Mode(ordered=False, looser=("superset", "any_order")),
    "subset": Mode(ordered=False, missing=True),
    "superset": Mode(ordered=False, extra=True),
    "in_order": Mode(ordered=True, graded=True, looser=("any_order",)),
    "any_order": Mode(ordered=False, graded=True),
}
"""Those that an option may name."""

ALL_MODES = {**MODES, "structure": Mode(ordered=True, graded=True)}
"""With the way in which a structure is matched, which carries its own order."""
