"""Tables in which some columns have almost as many labels as there are rows."""

from collections.abc import Sequence

import numpy as np

from augury.arrays import IntegerArray
from augury.data.dataset import Dataset
from augury.data.synthetic.arguments import RandomState, check_random_state, describe_call
from augury.data.synthetic.labels import label_codes, number_labels
from augury.validation import check_integer

# Largest number of labels of an ordinary column.
_FEW = 8


def make_many_labels(
    n_samples: int = 540,
    *,
    n_columns: int = 39,
    n_labels: Sequence[int] | None = None,
    random_state: RandomState = None,
) -> Dataset:
    """Generate a table like UCI's cylinder-bands, in which a few columns have very many labels.

    Each wide column has as many labels as asked for, and each label occurs at least once. The
    other columns have between 2 and 8 labels. In every third column, wide or not, the
    distribution of the labels depends on the class; every third ordinary column copies the
    column before it in most of its rows.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    n_columns : int
        Number of columns, the wide ones included.
    n_labels : sequence of int or None
        Number of labels of each wide column, at most `n_samples`. None: those of
        cylinder-bands, scaled to the rows: 429, 297 and 72 for 540 rows.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Label columns, the wide ones first (`wide1`, `wide2` …, then `x1`, `x2` …); classes
        `band` and `noband`, of which the second has 58 % of the rows.

    Examples
    --------
    >>> table = make_many_labels(random_state=0)
    >>> table.X.shape, [table.X[name].nunique() for name in ("wide1", "wide2", "wide3")]
    ((540, 39), [429, 297, 72])
    """
    owner = "make_many_labels"
    n = check_integer(owner, "n_samples", n_samples, at_least=1)
    d = check_integer(owner, "n_columns", n_columns, at_least=1)
    rng = check_random_state(owner, random_state)
    if n_labels is None:
        wide = [-(-n * v // 540) for v in (429, 297, 72)][:d]
    else:
        wide = [check_integer(owner, "n_labels", v, at_least=1) for v in n_labels]
    if len(wide) > d:
        raise ValueError(f"{owner}: n_labels has {len(wide)} wide columns, and n_columns is {d}")
    if max(wide, default=0) > n:
        raise ValueError(f"{owner}: n_labels must be at most n_samples = {n}, got {max(wide)}")
    y = (rng.random(n) < 0.58).astype(np.int64)
    columns: list[tuple[str, IntegerArray, list[str]]] = []
    for j in range(d):
        is_wide = j < len(wide)
        v = wide[j] if is_wide else int(rng.integers(2, _FEW + 1))
        codes = _draw(rng, y, v, depends=j % 3 == 0)
        if is_wide:
            codes[rng.permutation(n)[:v]] = np.arange(v)  # each label occurs
        elif j % 3 == 2:
            copied = rng.random(n) < 0.8
            codes[copied] = columns[-1][1][copied] % v
        name = f"wide{j + 1}" if is_wide else f"x{j - len(wide) + 1}"
        columns.append((name, codes, number_labels(v)))
    source = describe_call(
        owner,
        n_samples=n_samples,
        n_columns=n_columns,
        n_labels=n_labels,
        random_state=random_state,
    )
    return label_codes(columns, y, ["band", "noband"], name="many-labels", source=source)


def _draw(
    rng: np.random.Generator, y: IntegerArray, n_labels: int, *, depends: bool
) -> IntegerArray:
    """Draw labels by random frequencies, which depend on the class or not."""
    codes = np.zeros(len(y), dtype=np.int64)
    shares = rng.gamma(1.0, size=(2, n_labels))
    for c in (0, 1):
        rows = np.flatnonzero(y == c)
        share = shares[c] + shares[1 - c] * (0.25 if depends else 1.0)
        codes[rows] = rng.choice(n_labels, size=len(rows), p=share / share.sum())
    return codes


__all__ = ["make_many_labels"]
