"""Concepts over categorical columns: the class is a formula of the other columns."""

from math import prod

import numpy as np

from augury.arrays import BoolArray, IntegerArray
from augury.data.dataset import Dataset
from augury.data.synthetic.arguments import (
    RandomState,
    check_random_state,
    check_share,
    describe_call,
)
from augury.data.synthetic.labels import label_codes, number_labels
from augury.validation import check_integer

_BITS = number_labels(2)
# Limit on the number of all combinations.
_MAX_ROWS = 1 << 22


def make_corral(n_samples: int | None = None, *, random_state: RandomState = None) -> Dataset:
    """Generate corral: (A0 and A1) or (B0 and B1), and a column that misleads greedy learners.

    The columns are six bits. `Irrelevant` is independent of the class. `Correlated` equals the
    class in three rows of four: alone it predicts better than each of A0, A1, B0 and B1, but
    given these four it adds no information.

    Parameters
    ----------
    n_samples : int or None
        None: the 128 rows of the published table, in its order. Each of the 32
        combinations of the other five bits occurs four times; `Correlated` is
        wrong in the last of the four. An integer: this number of independent rows, in
        which the other bits are uniform and `Correlated` is wrong with probability 1/4.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Columns `A0`, `A1`, `B0`, `B1`, `Irrelevant`, `Correlated`, and the class, all
        with the labels `0` and `1`.

    Notes
    -----
    The table is the test set of MLC++, which many papers cross-validate on as "corral,
    128 rows". John, Kohavi and Pfleger learned from another 32 rows, selected by hand so
    that decision trees split on `Correlated` first; they follow no formula.

    References
    ----------
    G. H. John, R. Kohavi and K. Pfleger, Irrelevant Features and the Subset Selection
    Problem, ICML 1994. The table: corral.names of MLC++.

    Examples
    --------
    >>> corral = make_corral()
    >>> corral
    Dataset(name='corral', 128 rows x 6 columns, target='class' with 2 classes)
    >>> int((corral.X["Correlated"] == corral.y).sum())
    96
    """
    owner = "make_corral"
    rng = check_random_state(owner, random_state)
    if n_samples is None:
        bits = np.repeat(_every_combination([2] * 5), 4, axis=0)
        wrong = np.tile([0, 0, 0, 1], 32)
    else:
        n = check_integer(owner, "n_samples", n_samples, at_least=1)
        bits = rng.integers(2, size=(n, 5))
        wrong = (rng.random(n) < 0.25).astype(np.int64)
    a0, a1, b0, b1, _ = bits.T
    y = (a0 & a1) | (b0 & b1)
    names = ["A0", "A1", "B0", "B1", "Irrelevant", "Correlated"]
    codes = [*bits.T, y ^ wrong]
    return label_codes(
        ((name, column, _BITS) for name, column in zip(names, codes, strict=True)),
        y,
        _BITS,
        name="corral",
        source=describe_call(owner, n_samples=n_samples, random_state=random_state),
    )


def make_m_of_n(
    m: int = 3,
    n: int = 7,
    n_attributes: int = 10,
    n_samples: int | None = None,
    *,
    random_state: RandomState = None,
) -> Dataset:
    """Generate m-of-n: the class is 1 if at least m of n relevant bits are one.

    The defaults give mofn-3-7-10. It is linearly separable, but naive Bayes does not find the
    threshold: it predicts 84 % of the rows of the complete table correctly.

    Parameters
    ----------
    m, n : int
        At least m of the n relevant bits must be one.
    n_attributes : int
        Number of all bits; the others are irrelevant.
    n_samples : int or None
        None: every combination of all bits once (1024 rows by default); the first bit
        changes slowest. An integer: this number of independent uniform rows; MLC++ learned
        mofn-3-7-10 from 300.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Columns `Bit-0`, `Bit-1` … and the class, all with the labels `0` and `1`.

    Notes
    -----
    The relevant bits are in the middle. If the number of irrelevant bits is odd, one more
    of them comes before the relevant bits than after. For 3-7-10 the relevant bits are
    Bit-2 to Bit-8, which are correlated with the class in the published file (the copy in
    PMLB). Its 300 training rows were drawn with an unknown seed.

    References
    ----------
    R. Kohavi, D. Sommerfield and J. Dougherty, Data mining using MLC++, ICTAI 1996.

    Examples
    --------
    >>> table = make_m_of_n()
    >>> table
    Dataset(name='mofn-3-7-10', 1024 rows x 10 columns, target='class' with 2 classes)
    >>> int((table.y == "0").sum())  # (1 + 7 + 21) · 2³
    232
    """
    owner = "make_m_of_n"
    m = check_integer(owner, "m", m, at_least=1)
    n = check_integer(owner, "n", n, at_least=1)
    n_attributes = check_integer(owner, "n_attributes", n_attributes, at_least=1)
    if m > n:
        raise ValueError(f"{owner}: m must be at most n = {n}, got {m}")
    if n > n_attributes:
        raise ValueError(f"{owner}: n must be at most n_attributes = {n_attributes}, got {n}")
    rng = check_random_state(owner, random_state)
    if n_samples is None:
        if 2**n_attributes > _MAX_ROWS:
            raise ValueError(
                f"{owner}: n_samples must be an integer for {n_attributes} attributes, "
                f"got None: all combinations would be 2**{n_attributes} rows"
            )
        bits = _every_combination([2] * n_attributes)
    else:
        rows = check_integer(owner, "n_samples", n_samples, at_least=1)
        bits = rng.integers(2, size=(rows, n_attributes), dtype=np.int8)
    first = (n_attributes - n + 1) // 2
    y = (bits[:, first : first + n].sum(axis=1) >= m).astype(np.int8)
    return label_codes(
        ((f"Bit-{j}", column, _BITS) for j, column in enumerate(bits.T)),
        y,
        _BITS,
        name=f"mofn-{m}-{n}-{n_attributes}",
        source=describe_call(
            owner,
            m=m,
            n=n,
            n_attributes=n_attributes,
            n_samples=n_samples,
            random_state=random_state,
        ),
    )


_MONKS_STATES = (3, 3, 2, 3, 4, 2)


def make_monks(
    problem: int = 1,
    n_samples: int | None = None,
    *,
    noise: float = 0.0,
    random_state: RandomState = None,
) -> Dataset:
    """Generate one of the three MONK's problems about robots.

    Robots have six attributes a1 … a6 with 3, 3, 2, 3, 4 and 2 values: head shape, body
    shape, smiling, holding, jacket colour, tie. The class is 1 if

    1. a1 = a2 or a5 = 1,
    2. exactly two of the six attributes have the value 1,
    3. (a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3).

    Parameters
    ----------
    problem : 1, 2 or 3
        Number of the problem.
    n_samples : int or None
        None: all 432 robots, as in the published test sets; a1 changes slowest. An
        integer: this number of different robots in random order.
    noise : float
        Share of the rows with the wrong class, rounded to a whole number of rows.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Columns `a1` … `a6` with the labels `1`, `2` …; classes `0` and `1`.

    Notes
    -----
    The published training sets are 124, 169 and 122 different robots, the last with 5 %
    noise: `make_monks(3, 122, noise=0.05)` generates a similar set. They were drawn with an
    unknown seed.

    References
    ----------
    S. B. Thrun et al., The MONK's Problems: A Performance Comparison of Different
    Learning Algorithms, CMU-CS-91-197, 1991.

    Examples
    --------
    >>> [int((make_monks(problem).y == "1").sum()) for problem in (1, 2, 3)]
    [216, 142, 228]
    """
    owner = "make_monks"
    problem = check_integer(owner, "problem", problem, at_least=1)
    if problem > 3:
        raise ValueError(f"{owner}: problem must be 1, 2 or 3, got {problem}")
    share = check_share(owner, "noise", noise)
    rng = check_random_state(owner, random_state)
    robots = _every_combination(_MONKS_STATES)
    if n_samples is not None:
        n = check_integer(owner, "n_samples", n_samples, at_least=1)
        if n > len(robots):
            raise ValueError(
                f"{owner}: n_samples must be at most {len(robots)}, the number of different "
                f"robots, got {n}"
            )
        robots = robots[rng.permutation(len(robots))[:n]]
    y = _satisfies(problem, robots + 1).astype(np.int8)
    y[rng.permutation(len(y))[: round(share * len(y))]] ^= 1
    return label_codes(
        (
            (f"a{j + 1}", robots[:, j], number_labels(n_states, start=1))
            for j, n_states in enumerate(_MONKS_STATES)
        ),
        y,
        _BITS,
        name=f"monks-{problem}",
        source=describe_call(
            owner, problem=problem, n_samples=n_samples, noise=noise, random_state=random_state
        ),
    )


def _satisfies(problem: int, robots: IntegerArray) -> BoolArray:
    a1, a2, _, a4, a5, _ = robots.T
    truth: BoolArray
    if problem == 1:
        truth = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        truth = (robots == 1).sum(axis=1) == 2
    else:
        truth = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    return truth


def _every_combination(n_states: list[int] | tuple[int, ...]) -> IntegerArray:
    """Return one row for each combination of codes; the first column changes slowest."""
    grid = np.indices(n_states, dtype=np.int8)
    return grid.reshape(len(n_states), prod(n_states)).T
