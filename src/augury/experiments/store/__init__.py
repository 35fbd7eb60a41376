"""Results of folds in an SQLite file: `ResultStore` writes them, `StoredResults` reads them."""

from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import Failure, StoredResults

__all__ = ["Failure", "ResultStore", "StoredResults"]
