"""Suggesting the word that somebody meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["choose", "did_you_mean"]


def did_you_mean(word: object, words: Iterable[str], *, after: str = "", cutoff: float = 0.5) -> str:
    """Give `; did you mean 'exact'?` for the nearest of the words, or nothing where none is near.

    What all of them begin with may be left out of account. The cutoff says how near, from 0 to 1.
    """
    from difflib import get_close_matches

    known = {known.lower().removeprefix(after): known for known in words}
    near: list[str] = []
    if isinstance(word, str):
        near = get_close_matches(word.lower().removeprefix(after), known, n=1, cutoff=cutoff)
    return f"; did you mean {known[near[0]]!r}?" if near else ""


def choose(words: Iterable[str]) -> str:
    """Give a list of words for an error."""
    return ", ".join(repr(word) for word in words)
