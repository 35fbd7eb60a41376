"""Differences between the versions of pandas and scikit-learn that augury supports.

pyproject.toml states the lowest versions. `make test-lowest` runs the tests with them.
"""

from typing import Any

import numpy as np
import pandas as pd

_PANDAS_3 = int(pd.__version__.partition(".")[0]) > 2

# The dtype of texts that pandas infers, and that it means by "str": objects before pandas 3.
TEXT_DTYPE: Any = pd.StringDtype(na_value=np.nan) if _PANDAS_3 else np.dtype(object)

# Before pandas 3, `read_csv` rounds the last digit of some numbers by default.
EXACT_NUMBERS: dict[str, Any] = {} if _PANDAS_3 else {"float_precision": "round_trip"}


def are_texts(column: pd.Series) -> bool:
    """Return whether a column that pandas read from a file has texts and missing values only."""
    if isinstance(column.dtype, pd.StringDtype):
        return True
    if _PANDAS_3 or column.dtype != object:
        return False
    return bool(pd.api.types.infer_dtype(column, skipna=True) == "string")


def conversion_options(**options: Any) -> dict[str, Any]:
    """Return the argument of `pandas.read_parquet` for options of the conversion from Arrow.

    The options save memory. pandas before 3 does not take them.
    """
    return {"to_pandas_kwargs": options} if _PANDAS_3 else {}


__all__ = ["EXACT_NUMBERS", "TEXT_DTYPE", "are_texts", "conversion_options"]
