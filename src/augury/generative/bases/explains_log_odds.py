"""Base class of the models whose log p(c, x) is a sum over the columns."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from augury.arrays import Array, IntegerArray
from augury.bases.explained_classifier import ExplainedClassifier
from augury.encode import TableEncoder
from augury.foreign import Table
from augury.generative.bases.training_rows import ReadRows


class ExplainsLogOdds(ExplainedClassifier, ABC):
    """Mixin of the models whose log p(c, x) is a sum over the prior and the features.

    A subclass writes `_log_terms`; `explain` returns these terms. The other base of the subclass
    is a `GenerativeClassifier`, or it has one as `model_`.
    """

    # An attribute and a method of `GenerativeClassifier`.
    encoder_: Any
    _read: Callable[[Table], ReadRows]

    @abstractmethod
    def _log_terms(self, rows: ReadRows) -> tuple[list[str], Array]:
        """Return names and terms of shape (n_samples, n_terms, n_classes).

        The first term is the prior; the terms of a row and class sum to log p(c, x). The other
        names are those of columns of codes or numbers of the encoder, each once.
        """

    def _score_terms(self, X: Table) -> Array:
        names, terms = self._log_terms(self._read(X))
        source = self._source_columns(names[1:])
        n_columns = X.shape[1]
        if np.array_equal(source, np.arange(n_columns)):
            return terms
        # A column may have several terms: its number, and whether it is missing.
        whole = np.zeros((len(terms), 1 + n_columns, terms.shape[2]))
        whole[:, 0] = terms[:, 0]
        for k, j in enumerate(source.tolist()):
            whole[:, 1 + j] += terms[:, 1 + k]
        return whole

    def _source_columns(self, names: list[str]) -> IntegerArray:
        """Return the index of the column of X that each term belongs to."""
        # A hybrid that consists of one generative model, `model_`, has its encoder.
        encoder: TableEncoder = getattr(self, "model_", self).encoder_
        of_codes, of_numbers = encoder.source_columns()
        source = dict(zip(encoder.table_names_, of_codes.tolist(), strict=True))
        source |= dict(zip(encoder.number_names_, of_numbers.tolist(), strict=True))
        return np.array([source[name] for name in names], dtype=np.intp)


def look_up_terms(codes: Array, log_table: Array, offsets: Array) -> Array:
    """Return the log factors of each row and column, looked up by its code."""
    slots = codes.astype(np.int64) + offsets[:-1]
    terms: Array = log_table[slots]
    return terms
