"""Limits of a survey: what is kept exactly, and what is sampled beyond that."""

from __future__ import annotations

from dataclasses import dataclass, replace

# What a survey holds over all columns: numbers of sampled rows (128 MB), and labels (about 1 GB).
_MAX_SAMPLED_NUMBERS, _MIN_SAMPLE = 1 << 24, 1 << 12
_MAX_LABELS, _MIN_LABELS = 1 << 22, 1 << 16


@dataclass(frozen=True)
class SurveySettings:
    """Limits of a survey. All surveys that are added have the same.

    Parameters
    ----------
    as_labels : names of columns of numbers that are read as labels
    max_labels : labels of a column that are kept exactly
    max_values : distinct numbers of a column that are kept exactly
    max_sample : rows in the sample from which cut points of other columns are chosen
    max_hashes : distinct labels or integers in a sample by hash
    min_level : the sample of rows has at most a share of 2^-min_level of the rows
    """

    as_labels: frozenset[str] = frozenset()
    max_labels: int = 1 << 20
    max_values: int = 1 << 16
    max_sample: int = 1 << 16
    max_hashes: int = 1 << 12
    min_level: int = 0

    def for_rows(self, n_rows: int, n_columns: int) -> SurveySettings:
        """Return settings for a table of about this size.

        Many columns have fewer labels and sampled rows each, so that the size of a survey is
        bounded. The number of rows need not be exact: if it is
        too large, the sample is smaller than it could be. If it is right, the sample has more
        than half of `max_sample` rows, and a block contributes few rows, which is faster.

        >>> SurveySettings().for_rows(50_000_000, n_columns=20).min_level
        10
        """
        largest_sample = max(_MAX_SAMPLED_NUMBERS // max(n_columns, 1), _MIN_SAMPLE)
        most_labels = max(_MAX_LABELS // max(n_columns, 1), _MIN_LABELS)
        max_sample = min(self.max_sample, largest_sample)
        # The number of sampled rows varies: a sample slightly above the limit would be halved.
        level = max(0, (int(n_rows * 1.03) // max_sample).bit_length())
        return replace(
            self,
            max_labels=min(self.max_labels, most_labels),
            max_sample=max_sample,
            min_level=level,
        )


__all__ = ["SurveySettings"]
