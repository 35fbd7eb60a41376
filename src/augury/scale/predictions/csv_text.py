"""Rows of predictions as CSV, with the text that pandas writes."""

import csv
import io
import os
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from augury.arrays import Array, FloatArray

# Rows that are joined at once.
_N_ROWS = 1 << 17
# From this number to 1, pyarrow and Python write the same text: the shortest that is read as the
# same number, without an exponent.
_SMALLEST_PLAIN = 1e-4
# Text with one of these is written in quotes.
_SPECIAL = re.compile(r'[,"\r\n]')


def csv_text(rows: "pd.DataFrame", *, header: bool = True) -> str:
    r"""Return rows as `DataFrame.to_csv` writes them, without the index.

    Timestamps are always written with their time, since the rows may be a part of a table. Equal
    labels are converted once, and pyarrow writes numbers if it is installed.

    Examples
    --------
    >>> import pandas as pd
    >>> csv_text(pd.DataFrame({"predicted": ["a", "b,c"], "p(a)": [0.75, 1e-5]}))
    'predicted,p(a)\na,0.75\n"b,c",1e-05\n'
    """
    rows = _with_times_as_text(rows)
    if (
        find_spec("pyarrow") is None
        or rows.shape[1] < 2  # a missing value alone in its line is written in quotes
        or not all(_is_common(column.dtype) for _, column in rows.items())
    ):
        text: str = rows.to_csv(index=False, header=header)
        return text
    import pyarrow as pa
    from pyarrow import compute

    comma = pa.scalar(",", pa.large_string())
    pieces = [rows.iloc[:0].to_csv(index=False)] if header else []
    for start in range(0, len(rows), _N_ROWS):
        fields = [_fields(column) for _, column in rows.iloc[start : start + _N_ROWS].items()]
        lines = compute.binary_join_element_wise(*fields, comma).to_pylist()
        pieces += [os.linesep.join(lines), os.linesep]
    return "".join(pieces)


def _with_times_as_text(rows: "pd.DataFrame") -> "pd.DataFrame":
    """Return rows in which timestamps are text; missing ones stay missing."""
    times = [j for j, dtype in enumerate(rows.dtypes) if dtype.kind == "M"]
    if not times:
        return rows
    import pandas as pd

    columns = [column for _, column in rows.items()]
    for j in times:
        column = columns[j]
        texts = [None if pd.isna(time) else str(time) for time in column]
        columns[j] = pd.Series(texts, index=rows.index, name=column.name, dtype=object)
    return pd.concat(columns, axis="columns")


def _is_common(dtype: Any) -> bool:
    """Return whether `_fields` writes a column of this type as pandas does."""
    import numpy as np
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype):
        return _is_common(dtype.categories.dtype)
    if isinstance(dtype, pd.StringDtype):
        return True
    return isinstance(dtype, np.dtype) and (dtype.kind in "Oiub" or dtype == np.float64)


def _fields(column: "pd.Series") -> Any:
    """Return the values of a column as fields of lines, in an Arrow array."""
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from pyarrow import compute

    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu":
        return compute.cast(pa.array(column.to_numpy()), pa.large_string())
    if column.dtype == np.float64:
        return _numbers(column.to_numpy())
    codes, labels = pd.factorize(_distinguishable(column), use_na_sentinel=False)
    fields = [_field(label) for label in labels.tolist()]
    return pa.array(fields, pa.large_string()).take(pa.array(codes))


def _distinguishable(column: "pd.Series") -> "pd.Series | Array":
    """Return values that are equal only if their texts are; 1, 1.0 and True are equal."""
    import pandas as pd

    if column.dtype != object or pd.api.types.infer_dtype(column, skipna=True) == "string":
        return column
    missing = column.isna().to_numpy()
    texts = column.map(str).to_numpy(dtype=object)
    texts[missing] = None
    return texts


def _field(label: Any) -> str:
    """Return a value as a field of several, in quotes if it needs them."""
    if label is None or label != label:
        return ""
    text = str(label)
    if _SPECIAL.search(text) is None:
        return text
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=os.linesep).writerow([text, ""])
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


__all__ = ["csv_text"]
