"""Random rows of results, for the properties."""

from hypothesis import strategies as st

from trajmatch.batch import ResultRow

CALLS = st.lists(st.sampled_from(["a:1", "a:2", "b:1"]), max_size=4).map(tuple)
SCORES = st.sampled_from([0.0, 1.0, 1 / 3, 2 / 3, 0.1]) | st.floats(0, 1)
PLACES = {"group": st.none() | st.sampled_from("xyz"), "line": st.none() | st.integers(1, 9)}
SCORED = st.builds(
    ResultRow,
    **PLACES,
    passed=st.booleans(),
    score=SCORES,
    signature=st.sampled_from(["s", "t"]),
    differences=st.lists(st.sampled_from(["missing b", "extra a"]), unique=True).map(tuple),
    calls=st.none() | CALLS,
)
BROKEN = st.builds(
    ResultRow,
    **PLACES,
    id=st.none() | st.sampled_from("12"),
    error=st.sampled_from(["ConversionError", "RuleError"]),
    reason=st.sampled_from("uvw"),
)
ROWS = st.lists(SCORED | BROKEN, max_size=12)
