"""The statistics of runs that pass or fail."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, fsum, sqrt
from typing import NamedTuple

from trajmatch.errors import OptionError

__all__ = ["PassHat", "pass_hat", "wilson"]


def wilson(passed: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Give the Wilson score interval of a pass rate; 0 to 1 where there are no runs.

    With p = passed / runs, n = runs and z the quantile of the normal distribution at (1 + confidence) / 2, the ends are
    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), without continuity correction.
    See E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, Journal of the American
    Statistical Association 22 (1927), and L. D. Brown, T. T. Cai, A. DasGupta, Interval Estimation for a Binomial
    Proportion, Statistical Science 16 (2001), who advise it for small numbers of runs, too.

    Raises:
        OptionError: A confidence that is not between 0 and 1.

    >>> from trajmatch.batch._rates import wilson
    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    from statistics import NormalDist

    if not isinstance(confidence, float) or not 0 < confidence < 1:
        text = f"confidence: a number between 0 and 1, like 0.95, got {confidence!r}"
        raise OptionError(text, option="confidence", value=confidence)
    if runs == 0:
        return 0.0, 1.0
    z, rate = NormalDist().inv_cdf((1 + confidence) / 2), passed / runs
    middle = rate + z * z / (2 * runs)
    half = z * sqrt(rate * (1 - rate) / runs + z * z / (4 * runs * runs))
    whole = 1 + z * z / runs
    # where none or all pass, an end is 0 or 1, which the floats miss
    return (middle - half) / whole if passed else 0.0, (middle + half) / whole if passed < runs else 1.0


class PassHat(NamedTuple):
    """The chance that all of k runs of a task pass, a mean over tasks.

    Attributes:
        k: How many runs.
        rate: The mean over the groups that have as many runs; `None` where there is none.
        groups: How many groups these are.
        left_out: How many groups have fewer runs.
    """

    k: int
    rate: float | None
    groups: int
    left_out: int


def pass_hat(k: int, counts: Iterable[tuple[int, int]]) -> PassHat:
    """Give pass^k of groups, each as how many of its runs passed, and how many there are.

    It is the mean of C(passed, k) / C(runs, k), an estimate without bias of the chance that k runs of one task all
    pass. See S. Yao, N. Shinn, P. Razavi, K. Narasimhan, τ-bench: A Benchmark for Tool-Agent-User Interaction in
    Real-World Domains (2024).

    Raises:
        OptionError: A k that is no integer from 1 on.

    >>> from trajmatch.batch._rates import pass_hat
    >>> pass_hat(2, [(3, 4), (1, 1)])
    PassHat(k=2, rate=0.5, groups=1, left_out=1)
    """
    if type(k) is not int or k < 1:
        raise OptionError(f"k: a number of runs from 1 on, got {k!r}", option="k", value=k)
    chances: list[float] = []
    left_out = 0
    for passed, runs in counts:
        if runs < k:
            left_out += 1
        else:
            chances.append(comb(passed, k) / comb(runs, k))
    rate = fsum(chances) / len(chances) if chances else None  # an exact sum, which no order changes
    return PassHat(k, rate, len(chances), left_out)
