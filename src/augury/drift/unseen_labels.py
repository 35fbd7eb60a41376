"""Columns of new rows whose labels were never seen in training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from augury.drift.column_values import ColumnReading, read_values
from augury.drift.reference import LABELS, Reference
from augury.foreign import Json
from augury.text_table import count_text

# A column with a larger share of unseen labels is reported.
_MOST_UNSEEN = 0.5
_MAX_EXAMPLES = 3


@dataclass(frozen=True)
class UnseenLabels:
    """Labels of a column of new rows.

    Attributes
    ----------
    n_known : number of rows that have a label
    n_unseen : number of rows whose label no training row has
    examples : some of these labels
    """

    n_known: int
    n_unseen: int
    examples: tuple[str, ...]

    def __add__(self, other: UnseenLabels) -> UnseenLabels:
        examples = tuple(dict.fromkeys(self.examples + other.examples))[:_MAX_EXAMPLES]
        return UnseenLabels(self.n_known + other.n_known, self.n_unseen + other.n_unseen, examples)


@dataclass(frozen=True)
class UnseenTally:
    """Labels of all columns of new rows, by the name of the column; tallies add."""

    columns: Mapping[str, UnseenLabels]

    def __add__(self, other: UnseenTally) -> UnseenTally:
        return UnseenTally({name: own + other.columns[name] for name, own in self.columns.items()})

    def mostly_unseen(self) -> dict[str, UnseenLabels]:
        """Return the columns in which more than half of the labels are unseen."""
        return {
            name: each
            for name, each in self.columns.items()
            if each.n_unseen > _MOST_UNSEEN * each.n_known
        }

    def sentences(self) -> list[str]:
        """Return a sentence for each of these columns."""
        return [
            f"column {name!r}: {each.n_unseen} of {count_text(each.n_known, 'label')} were not "
            f"seen in training, such as {', '.join(map(repr, each.examples))}"
            for name, each in self.mostly_unseen().items()
        ]

    def to_json(self) -> list[Json]:
        """Return these columns as plain JSON."""
        return [
            {
                "column": name,
                "rows": each.n_known,
                "unseen_rows": each.n_unseen,
                "labels": list(each.examples),
            }
            for name, each in self.mostly_unseen().items()
        ]


@dataclass(frozen=True, eq=False)
class UnseenCounter:
    """Counts unseen labels in columns of which all training labels are listed.

    >>> from augury.drift import collect_reference
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"]})
    >>> counter = UnseenCounter(collect_reference(None, X, list("aabb")))
    >>> counter.count(pd.DataFrame({"sky": ["Sun", "rain", "RAIN", None]})).sentences()
    ["column 'sky': 2 of 3 labels were not seen in training, such as 'Sun', 'RAIN'"]
    """

    reference: Reference

    def count(self, frame: pd.DataFrame) -> UnseenTally:
        """Count the labels of some rows."""
        found = {}
        for column in self.reference.columns:
            if column.treatment != LABELS or column.n_unlisted or column.name not in frame.columns:
                continue
            values = read_values(frame[column.name], ColumnReading.of(column))
            assert values.codes is not None
            seen = frozenset(column.labels)
            unseen = [k for k, label in enumerate(values.labels) if label not in seen]
            n_known = len(values.codes) - values.n_gaps
            n_unseen = int(np.isin(values.codes, unseen).sum()) if unseen else 0
            # The labels of a categorical may have no row.
            there = [values.labels[k] for k in unseen[:100] if (values.codes == k).any()]
            found[column.name] = UnseenLabels(n_known, n_unseen, tuple(there[:_MAX_EXAMPLES]))
        return UnseenTally(found)


__all__ = ["UnseenCounter", "UnseenLabels", "UnseenTally"]
