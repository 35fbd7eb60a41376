"""The predictions of a model as CSV, with the text that pandas writes."""

import csv
import io
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from augury.arrays import FloatArray

# Rows that are joined at once.
_N_ROWS = 1 << 17
# From this number to 1, pyarrow and Python write the same text: the shortest that is read as the
# same number, without an exponent.
_SMALLEST_PLAIN = 1e-4


def predictions_csv(answers: "pd.DataFrame") -> str:
    r"""Return a column of classes and columns of probabilities as `DataFrame.to_csv` does.

    Each class is written once, and pyarrow writes the probabilities if it is installed.

    Examples
    --------
    >>> import pandas as pd
    >>> predictions_csv(pd.DataFrame({"predicted": ["a", "b,c"], "p(a)": [0.75, 1e-5]}))
    'predicted,p(a)\na,0.75\n"b,c",1e-05\n'
    """
    probabilities = answers.iloc[:, 1:]
    if (
        find_spec("pyarrow") is None
        or not probabilities.size
        or any(dtype.name != "float64" for dtype in probabilities.dtypes)
    ):
        text: str = answers.to_csv(index=False)
        return text
    import pandas as pd
    import pyarrow as pa
    from pyarrow import compute

    codes, labels = pd.factorize(answers["predicted"], use_na_sentinel=False)
    classes = pa.array([_field(label) for label in labels.tolist()], pa.large_string())
    comma = pa.scalar(",", pa.large_string())
    pieces = [answers.iloc[:0].to_csv(index=False)]
    for start in range(0, len(answers), _N_ROWS):
        rows = slice(start, start + _N_ROWS)
        fields = [classes.take(pa.array(codes[rows]))]
        fields += [_numbers(column.to_numpy()[rows]) for _, column in probabilities.items()]
        lines = compute.binary_join_element_wise(*fields, comma).to_pylist()
        pieces += [os.linesep.join(lines), os.linesep]
    return "".join(pieces)


def _field(label: Any) -> str:
    """Return a class as a field of several, in quotes if it needs them."""
    buffer = io.StringIO()
    is_missing = label is None or label != label
    csv.writer(buffer, lineterminator=os.linesep).writerow(["" if is_missing else label, ""])
    return buffer.getvalue().removesuffix(f",{os.linesep}")


def _numbers(values: "FloatArray") -> Any:
    """Return numbers as texts; those outside the range of pyarrow are written by Python."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import compute

    texts = compute.cast(pa.array(values), pa.large_string())
    others = ~((values >= _SMALLEST_PLAIN) & (values < 1))
    if others.any():
        # As integers: 0.0 and -0.0 have different texts.
        bits, places = np.unique(values[others].view(np.int64), return_inverse=True)
        different = bits.view(np.float64)
        written = np.array(["" if x != x else repr(x) for x in different.tolist()], dtype=object)
        texts = compute.replace_with_mask(
            texts, pa.array(others), pa.array(written[places], pa.large_string())
        )
    return texts


__all__ = ["predictions_csv"]
