"""Rows with labels that a model has not seen."""

import numpy as np
import pandas as pd


def with_gaps(X, seed):
    """Return rows of which some have unseen labels, which are left out."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {name: X[name].astype(object).where(rng.random(len(X)) > 0.2, "new") for name in X}
    )
