"""The waveform data of Breiman et al.: noisy mixtures of two of three waves."""

import numpy as np
import pandas as pd

from augury.data.dataset import Dataset
from augury.data.synthetic.arguments import RandomState, check_random_state, describe_call
from augury.data.synthetic.labels import TARGET, label, number_labels
from augury.validation import check_integer

_N_POINTS = 21
# The two waves that each class mixes.
_MIXED = np.array([[0, 1], [0, 2], [1, 2]])


def make_waveform(
    n_samples: int = 5000, *, n_noise: int = 0, random_state: RandomState = None
) -> Dataset:
    r"""Generate waveform-21: three classes of noisy waves, each a mixture of two of three waves.

    The waves are triangles over the points i = 1 … 21 with peaks at 7, 15 and 11,

    .. math:: h_1(i) = \max(6 - |i - 7|, 0), \quad h_2(i) = h_1(i - 8), \quad
              h_3(i) = h_1(i - 4)

    A row is u·a + (1 - u)·b + noise, with u uniform on [0, 1] for each row and normal noise of
    variance 1 for each point. The waves a and b are 1 and 2 in class 0, 1 and 3 in class 1,
    and 2 and 3 in class 2. The classes are equally probable.

    Parameters
    ----------
    n_samples : int
        Number of rows. UCI's file has 5000; Breiman et al. learned from 300.
    n_noise : int
        Number of added columns of standard normal noise; 19 gives waveform-40.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Numeric columns `x1`, `x2` …; classes `0`, `1`, `2`.

    Notes
    -----
    The Bayes classifier is correct in about 86 % of the rows. UCI's files have two decimals;
    these rows are not rounded. The waves and classes are numbered as in UCI's files, as their
    class means show. Texts that call the wave in the middle h_1 have the same three classes in
    another order.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and
    Regression Trees, Wadsworth, 1984, pages 49-55.

    Examples
    --------
    >>> make_waveform(300, n_noise=19, random_state=0)
    Dataset(name='waveform-40', 300 rows x 40 columns, target='class' with 3 classes)
    """
    owner = "make_waveform"
    n = check_integer(owner, "n_samples", n_samples, at_least=1)
    n_noise = check_integer(owner, "n_noise", n_noise, at_least=0)
    rng = check_random_state(owner, random_state)
    i = np.arange(1, _N_POINTS + 1)
    waves = np.maximum(6.0 - np.abs(i - np.array([[7], [15], [11]])), 0.0)
    y = rng.integers(3, size=n)
    first, second = waves[_MIXED[y]].swapaxes(0, 1)
    u = rng.random((n, 1))
    values = rng.standard_normal((n, _N_POINTS + n_noise))
    values[:, :_N_POINTS] += u * first + (1.0 - u) * second
    return Dataset(
        pd.DataFrame(values, columns=[f"x{j + 1}" for j in range(values.shape[1])]),
        pd.Series(label(y, number_labels(3)), name=TARGET),
        f"waveform-{values.shape[1]}",
        TARGET,
        describe_call(owner, n_samples=n_samples, n_noise=n_noise, random_state=random_state),
    )
