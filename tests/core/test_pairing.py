import sys
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch._pairing import bits, earliest_matching, longest, longest_pairs, maximum, transpose


@st.composite
def relations(draw):
    """Rows and width of a relation, a part of it that weighs more, and an order to settle that part in."""
    height, width = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    masks = st.lists(st.integers(0, (1 << width) - 1), min_size=height, max_size=height)
    rows = draw(masks)
    equal = [row & mask for row, mask in zip(rows, draw(masks), strict=True)]
    first = draw(st.permutations([(i, j) for i, row in enumerate(equal) for j in bits(row)]))
    return rows, width, equal, first


def related(rows, width):
    return [(i, j) for i, j in product(range(len(rows)), range(width)) if rows[i] >> j & 1]


def matchings(pairs):
    """All matchings among the pairs."""
    if not pairs:
        return [[]]
    (i, j), rest = pairs[0], pairs[1:]
    return matchings(rest) + [[(i, j), *more] for more in matchings([(a, b) for a, b in rest if a != i and b != j])]


def chains(pairs):
    """All common subsequences among the pairs."""
    if not pairs:
        return [[]]
    (i, j), rest = pairs[0], pairs[1:]
    return chains(rest) + [[(i, j), *more] for more in chains([(a, b) for a, b in rest if a > i and b > j])]


def largest(choices):
    size = max(map(len, choices))
    return [choice for choice in choices if len(choice) == size]


def earliest(choices, width):
    def rows_by_column(choice):
        row_of = {j: i for i, j in choice}
        return [row_of.get(j, sys.maxsize) for j in range(width)]

    return sorted(min(choices, key=rows_by_column))


def best_matching(rows, width, first):
    choices = largest(matchings(related(rows, width)))
    for pair in first:
        choices = [choice for choice in choices if pair in choice] or choices
    return earliest(choices, width)


def best_chain(rows, width, equal):
    choices = largest(chains(related(rows, width)))
    weights = [sum(equal[i] >> j & 1 for i, j in choice) for choice in choices]
    return earliest([c for c, weight in zip(choices, weights, strict=True) if weight == max(weights)], width)


@given(relations())
def test_maximum_is_a_largest_matching(case):
    rows, width, _, _ = case
    size, column_of = maximum(rows)
    pairs = [(i, j) for i, j in enumerate(column_of) if j >= 0]
    assert size == len(pairs) == len({j for _, j in pairs}) == len(best_matching(rows, width, []))
    assert set(pairs) <= set(related(rows, width))


@given(relations())
def test_matching_takes_given_pairs_first_then_the_earliest(case):
    rows, width, _, first = case
    assert earliest_matching(rows, width, first) == best_matching(rows, width, first)


@given(relations())
def test_matching_takes_the_earliest(case):
    rows, width, _, _ = case
    assert earliest_matching(rows, width, []) == best_matching(rows, width, [])


def test_a_pair_that_is_taken_first_moves_the_others():
    assert earliest_matching([0b11, 0b11], 2, [(1, 0)]) == [(0, 1), (1, 0)]


@given(relations())
def test_longest_is_the_length_of_a_longest_common_subsequence(case):
    rows, width, _, _ = case
    assert longest(rows, width) == len(largest(chains(related(rows, width)))[0])


@given(relations())
def test_longest_pairs_prefers_equal_pairs_then_the_earliest(case):
    rows, width, equal, _ = case
    assert longest_pairs(rows, width, equal) == best_chain(rows, width, equal)


def test_an_equal_pair_does_not_shorten_the_subsequence():
    assert longest_pairs([0b010, 0b101], 3, [0b000, 0b001]) == [(0, 1), (1, 2)]


@given(relations())
def test_longest_pairs_takes_the_earliest_where_all_or_none_are_equal(case):
    rows, width, _, _ = case
    none = [0] * len(rows)
    assert longest_pairs(rows, width, none) == longest_pairs(rows, width, rows) == best_chain(rows, width, none)


@given(relations())
def test_transposing_twice_gives_the_relation_back(case):
    rows, width, _, _ = case
    columns = transpose(rows, width)
    assert [(i, j) for j, column in enumerate(columns) for i in bits(column)] == [
        (i, j) for j in range(width) for i in range(len(rows)) if rows[i] >> j & 1
    ]
    assert transpose(columns, len(rows)) == rows


@given(st.integers(0, 2**70))
def test_bits_are_the_positions_that_are_set(mask):
    assert sum(1 << position for position in bits(mask)) == mask
    assert list(bits(mask)) == sorted(bits(mask))


SIZE = 1_500


def shapes():
    rng = Random(7)
    every = (1 << SIZE) - 1
    names = [[rng.randrange(12) for _ in range(SIZE)] for _ in range(2)]
    columns = [sum(1 << j for j, name in enumerate(names[1]) if name == k) for k in range(12)]
    yield "all", [every] * SIZE
    yield "none", [0] * SIZE
    yield "diagonal", [1 << i for i in range(SIZE)]
    yield "reversed", [1 << (SIZE - 1 - i) for i in range(SIZE)]
    yield "chain", [1 << i | 1 << min(i + 1, SIZE - 1) for i in range(SIZE)]
    yield "chain, reversed", [1 << i | 1 << max(i - 1, 0) for i in reversed(range(SIZE))]
    yield "triangle", [(2 << i) - 1 for i in range(SIZE)]
    yield "triangle, reversed", [(1 << (SIZE - i)) - 1 for i in range(SIZE)]
    yield "one column", [1] * SIZE
    yield "sparse", [sum(1 << rng.randrange(SIZE) for _ in range(3)) & every for _ in range(SIZE)]
    yield "half", [rng.getrandbits(SIZE) for _ in range(SIZE)]
    yield "names", [columns[name] for name in names[0]]


LARGE = dict(shapes())
FULL = {"all", "diagonal", "reversed", "chain", "chain, reversed", "triangle", "triangle, reversed", "half"}


@pytest.mark.parametrize("rows", LARGE.values(), ids=LARGE)
def test_large_matchings_agree_and_do_not_recurse(rows):
    limit = sys.getrecursionlimit()
    pairs = earliest_matching(rows, SIZE, [])
    assert len(pairs) == maximum(rows)[0] == maximum(transpose(rows, SIZE))[0]
    assert all(rows[i] >> j & 1 for i, j in pairs)
    assert len(dict(pairs)) == len({j for _, j in pairs}) == len(pairs)
    assert sys.getrecursionlimit() == limit < SIZE


@pytest.mark.parametrize("name", sorted(FULL))
def test_large_matchings_are_perfect_where_they_can_be(name):
    assert maximum(LARGE[name])[0] == SIZE


@pytest.mark.parametrize("rows", LARGE.values(), ids=LARGE)
def test_large_subsequences_agree(rows):
    pairs = longest_pairs(rows, SIZE, [0] * SIZE)
    assert len(pairs) == longest(rows, SIZE)
    assert all(rows[i] >> j & 1 for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


@pytest.mark.parametrize("name", ["triangle", "sparse", "names"])
def test_equal_pairs_do_not_shorten_a_large_subsequence(name):
    rows = [row & ((1 << 300) - 1) for row in LARGE[name][:300]]
    equal = [row & 0x5555 << i for i, row in enumerate(rows)]
    assert len(longest_pairs(rows, 300, equal)) == longest(rows, 300)
