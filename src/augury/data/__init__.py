"""Files and named data sets become frames with declared categories.

- `read_table`: reads an ARFF, CSV, TSV or Parquet file as a `Dataset`
- `load_dataset`: loads a data set of the catalogue; `list_datasets` lists them
- `Dataset`: features `X`, target `y`, and their source
- `write_arff`: writes a frame as ARFF, with all declared labels
- `synthetic`: data sets that are defined by formulas, and rows of given networks
- `DataError`: a file that cannot be used, with file, line and column
- `DataWarning`, `IdentifierWarning` and `StrayTextWarning`: data that are probably wrong

Declared labels matter: Laplace smoothing counts every label that a column *may* have. The
nominal attributes of ARFF therefore become pandas categories with all their labels, including
those that no row has. Nothing is dropped, filled or converted without a message.
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
    # Imported on first use, since its checks import scikit-learn, which is slow. Type checkers
    # do not see this function, or they would accept any name.
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
