"""Columns of a new table that belong to the columns of the training rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
import pandas as pd

from augury.drift.column_states import ColumnStates, merge_to_bins
from augury.drift.column_values import ColumnReading, read_values
from augury.drift.reference import DROPPED, LABELS, ColumnReference, Reference
from augury.drift.two_samples import homogeneity_test

_SIMILAR = 0.8
# A column with another name has the values of a missing one, if these shares are known to it.
_KNOWN_SHARE = 0.95
_FEWEST_ROWS, _FEWEST_BINS, _LEAST_P = 50, 3, 0.05


@dataclass(frozen=True)
class ColumnMatch:
    """Which column of the new table belongs to each column of the training rows.

    Attributes
    ----------
    found : dict from the name of a training column to the name in the new table
    missing : columns of the training rows that the new table lacks
    renamed : dict from missing columns to columns that probably are the same; they are in `found`
    extra : columns that the training rows lack
    """

    found: Mapping[str, str]
    missing: tuple[str, ...]
    renamed: Mapping[str, str]
    extra: tuple[str, ...]


def match_columns(
    reference: Reference, head: pd.DataFrame, *, ignore: Sequence[str] = (), named: bool = True
) -> ColumnMatch:
    """Match the columns of a new table, of which `head` has the first rows.

    Parameters
    ----------
    reference : statistics of the training rows
    head : first rows of the new table
    ignore : columns that are left out
    named : whether the columns of the training rows have names; otherwise their order counts
    """
    there = [name for name in head.columns if name != reference.classes.name]
    wanted = [column.name for column in reference.columns]
    if not named and len(there) == len(wanted):
        return ColumnMatch(dict(zip(wanted, there, strict=True)), (), {}, ())
    found = {name: name for name in wanted if name in there and name not in ignore}
    lacking = [
        column
        for column in reference.columns
        if column.name not in there and column.name not in ignore
    ]
    extra = [name for name in there if name not in wanted and name not in ignore]
    renamed = _match_names([column.name for column in lacking], extra)
    rest = [column for column in lacking if column.name not in renamed]
    free = [name for name in extra if name not in renamed.values()]
    renamed |= _match_values(rest, head[free])
    return ColumnMatch(
        found | renamed,
        tuple(column.name for column in lacking if column.name not in renamed),
        renamed,
        tuple(name for name in extra if name not in renamed.values()),
    )


def _match_names(missing: Sequence[str], extra: Sequence[str]) -> dict[str, str]:
    """Return pairs of similar names, the most similar first."""
    pairs = sorted(
        ((_similarity(old, new), old, new) for old in missing for new in extra), reverse=True
    )
    matched: dict[str, str] = {}
    for similarity, old, new in pairs:
        if similarity >= _SIMILAR and old not in matched and new not in matched.values():
            matched[old] = new
    return matched


def _similarity(old: str, new: str) -> float:
    """Return 1 for names that differ only in case and marks.

    >>> _similarity("Bill length (mm)", "bill_length_mm"), _similarity("sky", "wind") < 0.5
    (1.0, True)
    """
    one, other = (
        "".join(each for each in name.casefold() if each.isalnum()) for name in (old, new)
    )
    return SequenceMatcher(None, one, other).ratio()


def _match_values(missing: Sequence[ColumnReference], extra: pd.DataFrame) -> dict[str, str]:
    """Return pairs of a missing column and the only other column that has such values."""
    fitting = {
        column.name: [name for name in extra.columns if _has_values_of(column, extra[name])]
        for column in missing
    }
    wanted = [name for names in fitting.values() for name in names]
    return {
        old: names[0]
        for old, names in fitting.items()
        if len(names) == 1 and wanted.count(names[0]) == 1
    }


def _has_values_of(column: ColumnReference, values: pd.Series) -> bool:
    if column.treatment == DROPPED or column.n_bins < _FEWEST_BINS:
        return False
    read = read_values(values, ColumnReading.of(column))
    n_known = len(values) - read.n_gaps
    if n_known < _FEWEST_ROWS or read.n_unread > (1 - _KNOWN_SHARE) * n_known:
        return False
    states = ColumnStates.of(column)
    counts = np.bincount(states.encode(read), minlength=states.n_states)
    strange = counts[-2] if column.treatment == LABELS else counts[0] + counts[-2]
    if strange > (1 - _KNOWN_SHARE) * n_known:
        return False
    old = [sum(each) for each in column.state_counts]
    is_labels = column.treatment == LABELS
    tested = homogeneity_test(
        merge_to_bins(old, is_labels),
        merge_to_bins(counts.tolist(), is_labels),
        is_ordered=not is_labels,
    )
    return tested.p_value is not None and tested.p_value >= _LEAST_P


__all__ = ["ColumnMatch", "match_columns"]
