"""The solver of partial orders on masks, beside everything that there is to choose from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch._line import in_line
from trajmatch._pairing import bits
from trajmatch._poset import Leaves, heaviest
from trajmatch._work import Exhausted, Work

NOWHERE = 99


@st.composite
def problems(draw):
    """Leaves in an order that is closed, in any written order, with all else that the solver takes."""
    size, places = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    before, order = [0] * size, draw(st.permutations(range(size)))
    for at, leaf in enumerate(order):
        for earlier in order[:at]:
            if draw(st.booleans()):
                before[leaf] |= 1 << earlier | before[earlier]
    kinds = draw(st.lists(st.integers(0, (1 << places) - 1), min_size=1, max_size=3))
    columns = draw(st.lists(st.sampled_from(kinds), min_size=size, max_size=size))
    weights = draw(st.lists(st.sampled_from([1, 1, 2, 3, 7]), min_size=size, max_size=size))
    bonuses = draw(st.lists(st.sampled_from([0, 0, 5]), min_size=places, max_size=places))
    groups = draw(st.lists(st.sampled_from([-1, -1, 0, 1]), min_size=size, max_size=size))
    batches = sorted(draw(st.lists(st.integers(0, 2), min_size=places, max_size=places)))
    return Leaves(before, groups), columns, weights, bonuses, batches


def fits(leaves, batches, one, other):
    """Whether two pairs of leaf and place may stand beside each other."""
    (x, p), (y, q) = one, other
    ordered = (not leaves.before[x] >> y & 1 or q < p) and (not leaves.before[y] >> x & 1 or p < q)
    grouped = leaves.group[x] < 0 or leaves.group[x] != leaves.group[y] or batches[p] == batches[q]
    return p != q and ordered and grouped


def pairings(leaves, columns, batches, leaf=0):
    """All pairings of the leaves from one on, as pairs of leaf and place."""
    if leaf == len(columns):
        return [[]]
    rest = pairings(leaves, columns, batches, leaf + 1)
    more = [
        [(leaf, place), *chosen]
        for place in bits(columns[leaf])
        for chosen in rest
        if all(fits(leaves, batches, (leaf, place), pair) for pair in chosen)
    ]
    return rest + more


def rank(pairs, columns, weights, bonuses):
    """What makes a pairing better: more weight, then earlier places for earlier leaves."""
    place_of = dict(pairs)
    weight = sum(weights[leaf] + bonuses[place] for leaf, place in pairs)
    return -weight, [place_of.get(leaf, NOWHERE) for leaf in range(len(columns))]


@given(problems())
def test_the_heaviest_pairing_is_found_and_of_several_the_earliest(problem):
    leaves, columns, weights, bonuses, batches = problem
    found = heaviest(leaves, columns, weights, bonuses, batches, Work(10**7))
    every = pairings(leaves, columns, batches)
    ranks = [rank(pairs, columns, weights, bonuses) for pairs in every]
    assert rank([(leaf, place) for place, leaf in found], columns, weights, bonuses) == min(ranks)
    assert found == sorted(found)


@given(problems())
def test_a_line_is_solved_like_any_order(problem):
    _, columns, weights, bonuses, batches = problem
    line = Leaves([(1 << leaf) - 1 for leaf in range(len(columns))], [-1] * len(columns))
    found = in_line(columns, weights, bonuses, Work(10**7))
    ranks = [rank(pairs, columns, weights, bonuses) for pairs in pairings(line, columns, batches)]
    assert rank([(leaf, place) for place, leaf in found], columns, weights, bonuses) == min(ranks)


def solved(before, columns, *, groups=None, batches=None, work=10**7):
    size, places = len(columns), max((column.bit_length() for column in columns), default=0)
    leaves = Leaves(before, groups or [-1] * size)
    return heaviest(leaves, columns, [1] * size, [0] * places, batches or [0] * places, Work(work))


CASES = {
    "nothing": ([], [], {}, []),
    "no place": ([0], [0], {}, []),
    "in order": ([0, 0b1], [0b10, 0b01], {}, [(1, 0)]),
    "in any order": ([0, 0], [0b10, 0b01], {}, [(0, 1), (1, 0)]),
    "one place for two": ([0, 0b100, 0], [0b001, 0b001, 0b100], {}, [(0, 0), (2, 2)]),
    "twins": ([0, 0, 0], [0b11, 0b11, 0b11], {}, [(0, 0), (1, 1)]),
    "two batches": ([0, 0], [0b01, 0b10], {"groups": [0, 0], "batches": [0, 1]}, [(0, 0)]),
    "one batch": ([0, 0], [0b01, 0b10], {"groups": [0, 0], "batches": [1, 1]}, [(0, 0), (1, 1)]),
    "the batch of more": ([0, 0], [0b011, 0b100], {"groups": [0, 0], "batches": [0, 1, 1]}, [(1, 0), (2, 1)]),
}


@pytest.mark.parametrize(("before", "columns", "more", "pairs"), CASES.values(), ids=CASES)
def test_pairs(before, columns, more, pairs):
    assert solved(before, columns, **more) == pairs


def test_a_long_line_and_long_lines_beside_each_other_are_no_hard_problem():
    size = 120
    every = (1 << 2 * size) - 1
    even = sum(1 << place for place in range(0, 2 * size, 2))
    columns = [even, every ^ even] * size
    before = [sum(1 << other for other in range(leaf % 2, leaf, 2)) for leaf in range(2 * size)]
    assert solved(before, columns) == [(place, place) for place in range(2 * size)]


HARD = {
    "many pairs": ([0, 0b1] * 300, [(1 << 600) - 1] * 600, {}),
    "a long line": ([(1 << leaf) - 1 for leaf in range(3_000)], [1] * 2_999 + [1 << 2_999], {}),
    "a dense order": ([(1 << leaf) - 1 for leaf in range(3_000)], [0] * 3_000, {"groups": [0] * 3_000}),
    "many ways": ([0, 1, 0, 4, 0, 16, 0, 64, 0, 256], [(1 << 40) - 1] * 10, {}),
}


@pytest.mark.parametrize(("before", "columns", "more"), HARD.values(), ids=HARD)
def test_too_much_work_is_given_up(before, columns, more):
    with pytest.raises(Exhausted):
        solved(before, columns, work=100_000, **more)


def test_work_is_counted_to_its_end():
    work = Work(3)
    work.spend(3)
    assert work.left == 0
    with pytest.raises(Exhausted):
        work.spend(1)
