"""Rows drawn from a given Bayesian network classifier, and random networks."""

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from math import prod
from operator import index
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray, IntegerArray
from augury.data.dataset import Dataset
from augury.data.errors import first_repeated
from augury.data.synthetic.arguments import RandomState, check_random_state, describe_call
from augury.data.synthetic.labels import TARGET, label_codes, number_labels
from augury.validation import check_distribution, check_integer, check_number

Parents = tuple[tuple[int, ...], ...]

# A table of this many probabilities takes a gigabyte.
_MAX_CELLS = 1 << 27


class NetworkTables(NamedTuple):
    """Structure and probabilities of a Bayesian network classifier; arguments of `sample_network`.

    Attributes
    ----------
    parents : for each column a tuple of the indices of its parents
    tables : for each column an array of shape (states of its parents …, its states, classes)
    prior : array of shape (n_classes,)
    """

    parents: Parents
    tables: tuple[FloatArray, ...]
    prior: FloatArray


def sample_network(
    n_samples: int,
    parents: Sequence[Sequence[int]],
    tables: Sequence[ArrayLike],
    prior: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    random_state: RandomState = None,
) -> Dataset:
    """Draw independent rows from a Bayesian network classifier.

    p(c, x) = p(c) · Π_i p(x_i | parents of x_i, c). The class is drawn first, then each column
    after its parents.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    parents : for each column a sequence of the indices of its parents
        As in `augury.structure.Structure.parents`: the class is a parent of all columns and
        is not listed.
    tables : for each column an array of shape (states of its parents …, its states, classes)
        p(state | states of the parents, class). The last axis but one, the states of the
        column itself, sums to one. The axes of the parents are in the order of `parents`.
    prior : array of shape (n_classes,)
        Probabilities of the classes.
    names : sequence of str or None
        Names of the columns; by default `x0`, `x1` …
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Columns and class with the labels `0`, `1` …. All states are declared, including
        those that no row has.

    Examples
    --------
    The two classes are equally probable; x0 equals the class; x1 equals x0 in class 0 and
    differs from it in class 1.

    >>> import numpy as np
    >>> x0 = np.eye(2)  # [state, class]
    >>> x1 = np.stack([np.eye(2), 1 - np.eye(2)], axis=-1)  # [x0, state, class]
    >>> rows = sample_network(1000, [(), (0,)], [x0, x1], [0.5, 0.5], random_state=0)
    >>> bool((rows.X["x0"] == rows.y).all()), rows.X["x1"].unique().tolist()
    (True, ['0'])
    """
    owner = "sample_network"
    n = check_integer(owner, "n_samples", n_samples, at_least=1)
    n_classes = len(prior) if isinstance(prior, Sequence) else np.size(prior)
    prior = check_distribution(owner, "prior", prior, n_classes)
    order, above = _check_parents(owner, parents)
    arrays = _check_tables(owner, above, tables, n_classes)
    names = _check_names(owner, names, len(above))
    rng = check_random_state(owner, random_state)
    y = _draw(rng, prior[None, :], np.zeros(n, dtype=np.intp))
    codes: dict[int, IntegerArray] = {}
    for i in order:
        family = np.zeros(n, dtype=np.intp)
        for j in above[i]:
            family *= arrays[j].shape[-2]
            family += codes[j]
        family = family * n_classes + y
        by_family = np.moveaxis(arrays[i], -2, -1).reshape(-1, arrays[i].shape[-2])
        codes[i] = _draw(rng, by_family, family).astype(np.min_scalar_type(by_family.shape[1]))
    return label_codes(
        ((names[i], codes[i], number_labels(table.shape[-2])) for i, table in enumerate(arrays)),
        y,
        number_labels(n_classes),
        name="network",
        source=describe_call(owner, n_samples=n_samples, random_state=random_state),
    )


def make_random_network(
    n_features: int,
    n_states: int | Sequence[int] = 3,
    n_classes: int = 2,
    max_parents: int = 1,
    *,
    concentration: float = 1.0,
    random_state: RandomState = None,
) -> NetworkTables:
    """Generate a Bayesian network classifier with random dependences.

    The columns get a random order. Each column gets `max_parents` random parents among the
    columns before it, or all of them if there are fewer. The probabilities of its states, for
    each combination of the states of its parents and each class, are drawn from a symmetric
    Dirichlet distribution. The classes are equally probable.

    Parameters
    ----------
    n_features : int
        Number of columns.
    n_states : int or sequence of int
        Number of states of all columns, or of each column.
    n_classes : int
        Number of classes.
    max_parents : int
        Maximum number of parents of each column, besides the class. 0 is naive Bayes, 1 a tree.
    concentration : float
        Parameter of the Dirichlet distribution, above 0. A small value gives nearly
        deterministic columns, strong dependences and classes that are easy to predict. A
        large value gives nearly uniform columns.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    NetworkTables
        The named tuple (parents, tables, prior).

    Examples
    --------
    >>> network = make_random_network(4, n_states=[2, 3, 2, 2], max_parents=2, random_state=0)
    >>> sorted(len(above) for above in network.parents)
    [0, 1, 2, 2]
    >>> sample_network(500, *network, random_state=1)
    Dataset(name='network', 500 rows x 4 columns, target='class' with 2 classes)
    """
    owner = "make_random_network"
    n_features = check_integer(owner, "n_features", n_features, at_least=1)
    states = _check_states(owner, n_states, n_features)
    n_classes = check_integer(owner, "n_classes", n_classes, at_least=1)
    max_parents = check_integer(owner, "max_parents", max_parents, at_least=0)
    alpha = check_number(owner, "concentration", concentration, above=0.0)
    rng = check_random_state(owner, random_state)
    order = rng.permutation(n_features).tolist()
    parents: list[tuple[int, ...]] = [()] * n_features
    for place, i in enumerate(order):
        chosen = rng.permutation(order[:place])[:max_parents]
        parents[i] = tuple(sorted(chosen.tolist()))
    tables = []
    for i, above in enumerate(parents):
        shape = (*(states[j] for j in above), n_classes)
        if prod(shape) * states[i] > _MAX_CELLS:
            raise ValueError(
                f"{owner}: column {i} with {len(above)} parents would have "
                f"{'×'.join(map(str, (*shape, states[i])))} probabilities, too many: lower "
                "max_parents"
            )
        tables.append(np.moveaxis(rng.dirichlet([alpha] * states[i], size=shape), -1, -2))
    return NetworkTables(tuple(parents), tuple(tables), np.full(n_classes, 1.0 / n_classes))


def _draw(rng: np.random.Generator, probabilities: FloatArray, rows: IntegerArray) -> IntegerArray:
    """Draw one state for each of `rows`, with the probabilities of that row.

    The state is the number of cumulative probabilities that do not exceed a uniform random
    number. It is found by bisection for all rows at once.
    """
    n_rows, n_states = probabilities.shape
    n_steps = (n_states - 1).bit_length()
    cumulative = np.ones((n_rows, 1 << n_steps))
    cumulative[:, :n_states] = np.cumsum(probabilities, axis=1)
    # The division makes the cumulative probability exactly one from the last possible state
    # on, so that rounding never leads to an impossible state.
    cumulative[:, :n_states] /= cumulative[:, n_states - 1 : n_states]
    flat, start = cumulative.ravel(), rows << n_steps
    uniform = rng.random(len(rows))
    state: IntegerArray = start.copy()
    for step in (1 << k for k in reversed(range(n_steps))):
        state += step * (uniform >= flat[state + (step - 1)])
    state -= start
    return state


def _check_parents(owner: str, parents: Sequence[Sequence[int]]) -> tuple[list[int], Parents]:
    """Return the columns in an order in which parents come first, and the parents of each."""
    try:
        above = tuple(tuple(index(j) for j in columns) for columns in parents)
    except TypeError:
        raise TypeError(
            f"{owner}: parents must be a sequence of column indices for each column, "
            f"got {parents!r}"
        ) from None
    if not above:
        raise ValueError(f"{owner}: parents must have at least one column, got none")
    for i, columns in enumerate(above):
        if any(not 0 <= j < len(above) or j == i for j in columns):
            raise ValueError(
                f"{owner}: parents of column {i} must be other columns below {len(above)}, "
                f"got {columns}"
            )
        if len(set(columns)) != len(columns):
            raise ValueError(f"{owner}: parents of column {i} must be distinct, got {columns}")
    try:
        order = list(TopologicalSorter(dict(enumerate(above))).static_order())
    except CycleError as error:
        cycle = " → ".join(map(str, error.args[1]))
        raise ValueError(f"{owner}: parents must have no cycle, got {cycle}") from None
    return order, above


def _check_tables(
    owner: str, parents: Parents, tables: Sequence[ArrayLike], n_classes: int
) -> list[FloatArray]:
    if len(tables) != len(parents):
        raise ValueError(
            f"{owner}: tables must be {len(parents)}, one for each column, got {len(tables)}"
        )
    arrays = []
    for i, table in enumerate(tables):
        try:
            array = np.asarray(table, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                f"{owner}: tables[{i}] must be an array of numbers, got {table!r}"
            ) from None
        if array.ndim != len(parents[i]) + 2:
            raise ValueError(
                f"{owner}: tables[{i}] must have {len(parents[i]) + 2} axes (its parents "
                f"{parents[i]}, its own states, the classes), got shape {array.shape}"
            )
        arrays.append(array)
    for i, array in enumerate(arrays):
        own = array.shape[-2]
        expected = (*(arrays[j].shape[-2] for j in parents[i]), max(own, 1), n_classes)
        if array.shape != expected:
            raise ValueError(
                f"{owner}: tables[{i}] must have shape {expected} (the states of its parents "
                f"{parents[i]}, its own, the classes), got {array.shape}"
            )
        _check_probabilities(f"{owner}: tables[{i}]", array)
    return arrays


def _check_probabilities(place: str, table: FloatArray) -> None:
    wrong = table[~(table >= 0.0)]  # or NaN
    if wrong.size:
        raise ValueError(f"{place} must have probabilities >= 0, got {wrong[0].item()}")
    sums = table.sum(axis=-2)
    if not np.allclose(sums, 1.0):
        *states, c = np.unravel_index(np.argmax(np.abs(sums - 1.0)), sums.shape)
        given = f"parents in the states {tuple(map(int, states))}, " if states else ""
        raise ValueError(
            f"{place} must sum to 1 over its own states (axis {table.ndim - 2}), got "
            f"{sums[(*states, c)].item():g} for {given}class {c}"
        )


def _check_names(owner: str, names: Sequence[str] | None, n_features: int) -> list[str]:
    if names is None:
        return [f"x{i}" for i in range(n_features)]
    texts = [str(name) for name in names]
    if len(texts) != n_features:
        raise ValueError(
            f"{owner}: names must be {n_features}, one for each column, got {len(texts)}"
        )
    if (twice := first_repeated([*texts, TARGET])) is not None:
        raise ValueError(
            f"{owner}: names must be different, from one another and from the target, "
            f"got {twice!r} more than once"
        )
    return texts


def _check_states(owner: str, n_states: int | Sequence[int], n_features: int) -> list[int]:
    if not isinstance(n_states, Sequence | np.ndarray):
        return [check_integer(owner, "n_states", n_states, at_least=1)] * n_features
    if len(n_states) != n_features:
        raise ValueError(
            f"{owner}: n_states must be {n_features}, one for each column, got {len(n_states)}"
        )
    return [check_integer(owner, "n_states", states, at_least=1) for states in n_states]
