"""Optimal pairings over a relation held as bit masks.

`rows[i]` has bit `j` set where actual item `i` may stand for expected item `j`. Nothing here knows what the items are.
The length of the longest common subsequence is the bit-parallel algorithm of Hyyrö (2004); the maximum matching is
that of Hopcroft and Karp (1973). Both are iterative, so that no run is too long for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

__all__ = ["bits", "earliest_matching", "longest", "longest_pairs", "maximum", "transpose"]

Pairs = list[tuple[int, int]]

_SPARSE = 16
"""Up to so many bits a row are quicker to set one by one."""
_CARRIES = 256
"""So many rows, each of which may carry a bit beyond the width, before these bits are cut off."""
_TABLE = 1_000_000
"""The largest table of weights, in cells: some 0.5 s."""


def bits(mask: int) -> Iterator[int]:
    """Give the positions of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def transpose(rows: list[int], width: int) -> list[int]:
    """Give one mask over the rows for each of the `width` columns."""
    if sum(row.bit_count() for row in rows) <= _SPARSE * max(len(rows), width):
        columns = [0] * width
        for i, row in enumerate(rows):
            for j in bits(row):
                columns[j] |= 1 << i
        return columns
    lines = [f"{row:0{width}b}" for row in reversed(rows)]
    return [int("".join(column), 2) for column in zip(*lines, strict=True)][::-1]


def longest(rows: list[int], width: int) -> int:
    """Give the length of the longest common subsequence."""
    every = (1 << width) - 1
    state = every
    for start in range(0, len(rows), _CARRIES):
        for row in rows[start : start + _CARRIES]:
            hit = state & row
            state = (state + hit) | (state ^ hit)
        state &= every
    return width - state.bit_count()


def longest_pairs(rows: list[int], width: int, equal: list[int]) -> Pairs:
    """Give the pairs of a longest common subsequence.

    Among those of equal length: the one with most pairs in `equal`, unless the table for that is too large; then the
    one that gives the earliest columns the earliest rows.
    """
    live = [i for i, row in enumerate(rows) if row]
    rows, equal = [rows[i] for i in live], [equal[i] for i in live]
    mixed = len(rows) * width <= _TABLE and any(equal) and any(e != r for e, r in zip(equal, rows, strict=True))
    best, most = _weights(rows, width, equal) if mixed else _lengths(rows, width)
    return [(live[i], j) for i, j in _trace(rows, equal if mixed else rows, best, most)]


def _lengths(rows: list[int], width: int) -> tuple[Callable[[int, int], int], int]:
    """A function of (i, j): the length over `rows[i:]` and the columns from `j`; and the most that one pair adds."""
    every = (1 << width) - 1
    mirrored = {row: int(f"{row:0{width}b}"[::-1], 2) for row in set(rows)}
    state, steps = every, [0]
    for row in reversed(rows):
        hit = state & mirrored[row]
        state = ((state + hit) | (state - hit)) & every
        steps.append(every ^ state)
    steps.reverse()
    return lambda i, j: (steps[i] & ((1 << (width - j)) - 1)).bit_count(), 1


def _weights(rows: list[int], width: int, equal: list[int]) -> tuple[Callable[[int, int], int], int]:
    """Like `_lengths`, where a pair in `equal` weighs a little more than another."""
    one = min(len(rows), width) + 1
    table = [[0] * (width + 1)]
    for row, same in zip(reversed(rows), reversed(equal), strict=True):
        below, line = table[-1], [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            line[j] = max(below[j], line[j + 1])
            if row >> j & 1:
                line[j] = max(line[j], below[j + 1] + one + (same >> j & 1))
        table.append(line)
    table.reverse()
    return lambda i, j: table[i][j], one + 1


def _trace(rows: list[int], equal: list[int], best: Callable[[int, int], int], most: int) -> Iterator[tuple[int, int]]:
    plain = most - 1
    used = 0
    for row in rows:
        used |= row
    start, left = 0, best(0, 0)
    for j in bits(used):
        for i in range(start, len(rows)):
            rest = best(i + 1, j + 1)
            if rest + most < left:
                break
            if rows[i] >> j & 1 and rest + (most if equal[i] >> j & 1 else plain) == left:
                yield i, j
                start, left = i + 1, rest
                break


def maximum(rows: list[int]) -> tuple[int, list[int]]:
    """Give the size of a maximum matching and the column of each row (-1 where it has none)."""
    column_of, row_of = _first_fit(rows)
    while -1 in column_of:
        layers = _layers(rows, column_of, row_of)
        if not layers:
            break
        for row, column in enumerate(column_of):
            if column < 0:
                _augment(rows, layers, row, column_of, row_of)
    return len(row_of), column_of


def _first_fit(rows: list[int]) -> tuple[list[int], dict[int, int]]:
    taken, column_of = 0, [-1] * len(rows)
    row_of: dict[int, int] = {}
    for i, row in enumerate(rows):
        if free := row & ~taken:
            low = free & -free
            taken |= low
            column_of[i] = low.bit_length() - 1
            row_of[column_of[i]] = i
    return column_of, row_of


def _layers(rows: list[int], column_of: list[int], row_of: dict[int, int]) -> list[int]:
    """The columns by their distance from the rows without one, up to the first layer with a free column."""
    layers: list[int] = []
    seen = 0
    frontier = [i for i, column in enumerate(column_of) if column < 0]
    while frontier:
        layer = 0
        for i in frontier:
            layer |= rows[i]
        layer &= ~seen
        seen |= layer
        layers.append(layer)
        columns = list(bits(layer))
        frontier = [row_of[j] for j in columns if j in row_of]
        if len(frontier) < len(columns):
            return layers
    return []


def _augment(rows: list[int], layers: list[int], row: int, column_of: list[int], row_of: dict[int, int]) -> None:
    """Follow the layers from a row without a column to a free column, and shift the matching along that path."""
    path = [(row, -1)]
    while path:
        depth, (at, _) = len(path) - 1, path[-1]
        if not (found := rows[at] & layers[depth]):
            path.pop()
            continue
        low = found & -found
        layers[depth] ^= low
        column = low.bit_length() - 1
        path[-1] = (at, column)
        if column not in row_of:
            for i, j in path:
                column_of[i], row_of[j] = j, i
            return
        if depth + 1 < len(layers):
            path.append((row_of[column], -1))


def earliest_matching(rows: list[int], width: int, first: Iterable[tuple[int, int]]) -> Pairs:
    """Give the pairs of a maximum matching.

    Among those of equal size: the pairs `first` are taken, in turn, where they can be; then the earliest columns get
    the earliest rows.
    """
    matching = _Matching(rows, width)
    for i, j in first:
        if matching.rows_for(j) >> i & 1:
            matching.settle(i, j)
    for j in range(width):
        if (row := matching.earliest_for(j)) is not None:
            matching.settle(row, j)
    return sorted(matching.settled)


class _Matching:
    """A maximum matching whose pairs are settled one by one while it stays maximum."""

    def __init__(self, rows: list[int], width: int) -> None:
        _, column_of = maximum(rows)
        self.rows, self.columns = rows, transpose(rows, width)
        self.column_of = {i: j for i, j in enumerate(column_of) if j >= 0}
        self.row_of = {j: i for i, j in self.column_of.items()}
        self.open_rows, self.open_columns = (1 << len(rows)) - 1, (1 << width) - 1
        self.settled: Pairs = []

    def rows_for(self, column: int) -> int:
        """The open rows that an open column may get without making the matching smaller."""
        if not self.open_columns >> column & 1:
            return 0
        wanted = self.columns[column] & self.open_rows
        own = self.row_of.get(column)
        return wanted if own is None else wanted & self._spared(column, own)

    def earliest_for(self, column: int) -> int | None:
        """The first of `rows_for`, found at once where the column has it already."""
        wanted = self.columns[column] & self.open_rows
        own = self.row_of.get(column)
        if own is not None and wanted & -wanted == 1 << own:
            return own
        return next(bits(self.rows_for(column)), None)

    def _spared(self, column: int, own: int) -> int:
        """The rows that are not needed elsewhere once the column has let go of its own."""
        fresh = [own, *(i for i in bits(self.open_rows) if i not in self.column_of)]
        spared = sum(1 << i for i in fresh)
        unseen = self.open_columns & ~(1 << column)
        while fresh:
            reached = self.rows[fresh.pop()] & unseen
            unseen ^= reached
            for j in bits(reached):
                if j not in self.row_of:
                    return self.open_rows
                spared |= 1 << self.row_of[j]
                fresh.append(self.row_of[j])
        return spared

    def settle(self, row: int, column: int) -> None:
        """Give the row to the column for good."""
        old_row, old_column = self.row_of.pop(column, None), self.column_of.pop(row, None)
        self.open_rows ^= 1 << row
        self.open_columns ^= 1 << column
        self.settled.append((row, column))
        if old_row is not None and old_row != row:
            del self.column_of[old_row]
        if old_column is not None and old_column != column:
            del self.row_of[old_column]
            if old_row is not None:
                self._grow()

    def _grow(self) -> None:
        """Make the matching of what is open larger by one pair, which `rows_for` has made sure is possible."""
        fresh = [i for i in bits(self.open_rows) if i not in self.column_of]
        unseen, came_from = self.open_columns, dict[int, int]()
        while True:
            i = fresh.pop()
            reached = self.rows[i] & unseen
            unseen ^= reached
            for j in bits(reached):
                came_from[j] = i
                if j not in self.row_of:
                    return self._shift(j, came_from)
                fresh.append(self.row_of[j])

    def _shift(self, column: int, came_from: dict[int, int]) -> None:
        while True:
            row = came_from[column]
            self.row_of[column] = row
            before, self.column_of[row] = self.column_of.get(row), column
            if before is None:
                return
            column = before
