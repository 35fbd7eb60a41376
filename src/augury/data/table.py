"""Table files of any format, recognised by the ending of the name."""

import os
from pathlib import Path

from augury.data.dataset import Dataset, RawTable, make_dataset
from augury.data.errors import DataError, suggest
from augury.data.formats.arff import read_arff
from augury.data.formats.delimited import read_delimited
from augury.data.formats.parquet import read_parquet
from augury.data.formats.text import is_packed, require_file

_ENDINGS = frozenset(".arff .csv .txt .tsv .tab .parquet .pq".split())
# Other endings of files, which no data set in the catalogue has.
_OTHER_ENDINGS = frozenset(
    ".gz .zip .bz2 .xz .zst .7z .xls .xlsx .ods .json .data .dat .feather .sav .xml .html .pkl "
    ".augury .toml".split()
)


def read_table(
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    missing_target: str = "drop",
    header: bool | None = None,
    max_size: float | None = None,
) -> Dataset:
    r"""Read a table from an ARFF, CSV, TSV or Parquet file.

    Parameters
    ----------
    path : str or path-like
        The file: `.arff`, `.csv`, `.tsv`, `.tab` or `.txt`, each also with
        `.gz`; `.parquet` or `.pq`.
    target : str or None
        The column to predict. None takes the column named class (case does not
        matter), or else the last column.
    missing_target : {"drop", "error"}
        Treatment of rows without a class: "drop" leaves them out with a warning,
        "error" raises a DataError.
    header : bool or None
        Whether the first line of a CSV or TSV file holds the column names.
        False names the columns column1, column2, …. None reads the line as names,
        and warns if it looks like a row.
    max_size : float or None
        Maximum number of bytes of text, or of the columns of a Parquet file;
        `math.inf` allows any. With None, a plain file may have any size. A
        compressed file may grow to 100 times its size, or to 32 MiB if that is
        more, but to at most 1 GiB. The columns of a Parquet file may take 1 GiB.

    Returns
    -------
    Dataset
        The columns of the file in their order, and the target.

    Warns
    -----
    IdentifierWarning
        If nearly every row has its own value in a column of text or
        categories, or a column counts the rows. The column is kept.
    DataWarning
        If rows without a class are left out, a column of numbers contains a
        text, the first line looks like a row, or more than half of the rows
        have a class of their own.

    Raises
    ------
    DataError
        If the file does not follow its format (the message names file, line
        and column); if the target does not exist, has no value, or is
        continuous; or if the file is larger than allowed.

    Notes
    -----
    Types in ARFF: nominal attributes have dtype category with all declared
    labels in the declared order, numbers float64, strings str, dates
    datetime64. A bare `?` is missing and a quoted one is a label. Sparse rows
    are filled with 0 or the first label. Weights at the end of rows become
    `Dataset.sample_weight`.

    Types in CSV and TSV: numbers or text, see `read_delimited`.

    Types in Parquet: as stored. Dictionary columns are categories, and a named
    index becomes an ordinary column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "weather.csv")
    ...     _ = path.write_text("outlook,humidity,play\nsunny,85,no\nrainy,?,yes\n")
    ...     weather = read_table(path)
    >>> weather
    Dataset(name='weather', 2 rows x 2 columns, target='play' with 2 classes)
    >>> weather.X["humidity"].tolist()
    [85.0, nan]
    """
    path = Path(path)
    table = read_raw(path, header=header, max_size=max_size)
    return make_dataset(
        table,
        name=table.relation or _stem(path),
        source=str(path),
        target=target,
        missing_target=missing_target,
        stacklevel=3,
    )


def read_raw(path: Path, *, header: bool | None = None, max_size: float | None = None) -> RawTable:
    """Read a file with the reader of its ending."""
    if not path.exists():
        raise FileNotFoundError(absent(path))
    ending = Path(path.stem).suffix if is_packed(path) else path.suffix
    match ending.lower():
        case ".arff":
            return read_arff(path, max_size)
        case ".csv" | ".txt":
            return read_delimited(path, header=header, max_size=max_size)
        case ".tsv" | ".tab":
            return read_delimited(path, "\t", header=header, max_size=max_size)
        case ".parquet" | ".pq" if not is_packed(path):
            return read_parquet(path, max_size)
    require_file(path)
    hint = "; save the sheet as CSV" if ending.lower() in (".xls", ".xlsx", ".ods") else ""
    raise DataError(
        f"{path}: unknown ending {path.suffix!r}; augury reads .arff, .csv, .tsv, .tab and .txt, "
        f"each also with .gz, and .parquet{hint}"
    )


def is_path(source: str) -> bool:
    """Return whether a text is a path: it has a separator or the ending of a file.

    Examples
    --------
    >>> is_path("mine.csv"), is_path("./mine"), is_path("anneal.ORIG")
    (True, True, False)
    """
    separators = {"/", os.sep, os.altsep or os.sep}
    has_separator = any(mark in source for mark in separators)
    return has_separator or Path(source).suffix.lower() in _ENDINGS | _OTHER_ENDINGS


def absent(path: Path) -> str:
    """Return the message for a file that does not exist."""
    near, folder = "", path.parent
    if folder.is_dir():
        near = suggest(path.name, (each.name for each in folder.iterdir()), cutoff=0.8)
    elif path.parent != Path():
        near = f" (nor is there a folder {folder})"
    return f"{path}: there is no such file{near} (the current folder is {Path.cwd()})"


def _stem(path: Path) -> str:
    return Path(path.stem).stem if is_packed(path) else path.stem
