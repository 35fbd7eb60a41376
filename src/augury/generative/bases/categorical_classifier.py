"""Base class of the models of categorical columns."""

from typing import ClassVar

from augury.arrays import Array
from augury.counts import PairCounts
from augury.encode import CategoricalTable, TableEncoder
from augury.generative.bases.generative_classifier import GenerativeClassifier
from augury.generative.bases.statistics import S


class CategoricalClassifier(GenerativeClassifier[S]):
    """Base class of the models that read codes only: numbers are cut into intervals.

    A subclass writes the methods of `GenerativeClassifier`. `discretizer=None` is an error.

    Infrequent labels of a column with many labels share a state (`min_frequency="auto"` of
    `TableEncoder`): tables of pairs and families have too few rows for each of them, and an
    identifier becomes one state. Declared categories keep their states.
    docs/results/rare-labels.md has the effect on each model.
    """

    _min_frequency: ClassVar[str | None] = "auto"
    # Whether the model reads pair counts in which columns of many states are apart.
    _reads_wide_pairs = False

    def _make_encoder(self) -> TableEncoder:
        if self.discretizer is None:
            raise ValueError(
                f"{self._owner}: discretizer must be 'mdl', 'frequency', 'width' or a transformer "
                "with cut_points_, got None: this model cannot use numbers that are not cut"
            )
        encoder = super()._make_encoder()
        encoder.min_frequency = self._min_frequency
        return encoder

    def _count_pairs(
        self, table: CategoricalTable, y: Array, weight: Array | None, *, all_dense: bool = False
    ) -> PairCounts:
        """Return the pair counts of these rows, for `_collect`."""
        return PairCounts.collect(
            table.codes,
            table.n_states,
            y,
            len(self.classes_),
            weight,
            n_threads=self._n_threads(),
            all_dense=all_dense or not self._reads_wide_pairs,
        )
