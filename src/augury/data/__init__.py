"""Files and names become frames with declared categories.

- `read_table`: an ARFF, CSV, TSV or Parquet file → `Dataset`
- `load_dataset`: a name in the catalogue → `Dataset`; `list_datasets` lists them
- `Dataset`: features `X`, target `y`, and where they came from
- `write_arff`: a frame → ARFF, with all declared labels
- `synthetic`: data sets that are defined by formulas, and rows of given networks
- `DataError`: a file that cannot be used, with file, line and column;
  `DataWarning`, `IdentifierWarning` and `StrayTextWarning`: one that is probably not what was
  meant

Declared labels matter: Laplace smoothing counts every label that a column
*may* have. So ARFF's nominal attributes become pandas categories with all
their labels, the empty ones included, and nothing is ever dropped, filled or
converted without a word.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from augury.data.dataset import Dataset
from augury.data.errors import DataError, DataWarning, IdentifierWarning, StrayTextWarning
from augury.data.formats.arff_writer import write_arff
from augury.data.load import list_datasets, load_dataset
from augury.data.table import read_table

if TYPE_CHECKING:
    from augury.data import synthetic
else:
    # Imported when first used: its checks come with scikit-learn, of which a list of the
    # data sets has no need. Type checkers do not see it, or they would accept any name.
    def __getattr__(name: str) -> ModuleType:
        if name == "synthetic":
            return importlib.import_module("augury.data.synthetic")
        raise AttributeError(f"module 'augury.data' has no attribute {name!r}")


__all__ = [
    "DataError",
    "DataWarning",
    "Dataset",
    "IdentifierWarning",
    "StrayTextWarning",
    "list_datasets",
    "load_dataset",
    "read_table",
    "synthetic",
    "write_arff",
]
