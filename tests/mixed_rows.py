"""A table with every kind of column and with missing values, for tests of all models."""

import numpy as np
import pandas as pd

MIXED = pd.DataFrame(
    {
        "label": ["red", "blue", None, "red", "blue", "red", "green", "blue"],
        "category": pd.Categorical(list("ababcbab"), categories=list("abcd")),
        "number": [1.0, 2.0, np.nan, 9.0, 8.0, 9.5, 0.0, 1.0],
        "whole": [3, 1, 2, 0, 5, 4, 2, 2],
        "flag": [True, False, True, True, False, False, True, False],
    }
)
Y = np.array(["p", "p", "p", "q", "q", "q", "r", "r"])
