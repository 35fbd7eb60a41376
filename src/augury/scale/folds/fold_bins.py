"""Class × bin weights of the columns of numbers of each training set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from augury.encode import TidyColumns
from augury.encode.columns import read_numbers
from augury.scale.folds.fold_rows import FoldedReader
from augury.scale.folds.per_fold import PerFold
from augury.scale.folds.training_sets import FoldedTable, TrainingSet
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.bins import Bins
from augury.scale.summaries.column_survey import EMPTY, NUMBERS

# Numbers that a pass holds for all folds and columns: 128 MB. More columns take another pass.
_MAX_CELLS = 1 << 24

Column = tuple[int, str]  # the number of a way to read the columns, and the name of a column


@dataclass(frozen=True, eq=False)
class BinsOfColumns:
    """Class × bin weights of each fold; they add.

    Attributes
    ----------
    columns : dict from a column, as training sets read it, to its weights
    """

    columns: Mapping[Column, PerFold[BinCounts]]

    def __add__(self, other: BinsOfColumns) -> BinsOfColumns:
        return BinsOfColumns(
            {key: counts + other.columns[key] for key, counts in self.columns.items()}
        )


def count_training_bins(table: FoldedTable) -> None:
    """Count the classes in the bins of all columns of numbers of all training sets.

    A training set has bins between candidates of its own rows. The rows of a fold are counted
    once, in bins between the candidates of all training sets. A bin of one training set is a
    union of these. One pass counts all columns, unless their bins take more than 128 MB.
    """
    ways = _ways_to_read(table.training_sets)
    n_classes = len(table.classes)
    own: dict[Column, dict[int, Bins]] = {}
    for way, sets in enumerate(ways):
        for each in sets:
            for name, column in each.reading.survey.columns.items():
                if column.kind in (EMPTY, NUMBERS):
                    bins = each.reading.survey.bins(name, n_classes)
                    own.setdefault((way, name), {})[each.fold] = bins
    if not own:
        return
    united = {key: _united(list(bins.values())) for key, bins in own.items()}
    tidies = [sets[0].tidy for sets in ways]
    n_cells = table.reader.folds.n_folds * (n_classes + 2)
    for some in _in_portions(united, n_cells):
        work = partial(_count_part, reader=table.reader, tidies=tidies, bins=some)
        counts = table.engine.total(table.parts, work)
        assert counts is not None
        for (way, name), per_fold in counts.columns.items():
            of_training_sets = per_fold.of_training_sets()
            for fold, bins in own[way, name].items():
                fine = of_training_sets[fold]
                assert fine is not None
                table.training_sets[fold].reading.bins[name] = _joined(fine, bins)


def _in_portions(
    bins: Mapping[Column, Bins], n_cells: int, most: int = _MAX_CELLS
) -> Iterator[dict[Column, Bins]]:
    """Yield the columns in portions of at most `most` numbers, or of one column."""
    portion: dict[Column, Bins] = {}
    size = 0
    for key, each in bins.items():
        more = (len(each.edges) + 1) * n_cells
        if portion and size + more > most:
            yield portion
            portion, size = {}, 0
        portion[key] = each
        size += more
    if portion:
        yield portion


def _ways_to_read(training_sets: Sequence[TrainingSet]) -> list[list[TrainingSet]]:
    """Return the training sets in groups that read the columns in the same way."""
    groups: dict[object, list[TrainingSet]] = {}
    for each in training_sets:
        groups.setdefault(each.tidy_key, []).append(each)
    return list(groups.values())


def _united(bins: Sequence[Bins]) -> Bins:
    """Return bins that end wherever one of the given bins ends."""
    edges = reduce(np.union1d, (each.edges for each in bins))
    return Bins(edges, is_exact=all(each.is_exact for each in bins))


def _joined(fine: BinCounts, bins: Bins) -> BinCounts:
    """Return the weights in larger bins, which end where some of the small bins end."""
    # The last bin, which has no end, holds what is above all edges.
    n_small, n_large = len(fine.bins.edges) + 1, len(bins.edges) + 1
    if n_small == n_large:
        return BinCounts(bins, fine.weights, fine.ranges, fine.missing)
    ends = np.searchsorted(bins.edges, fine.bins.edges)
    starts = np.searchsorted(np.append(ends, n_large - 1), np.arange(n_large))
    # A large bin without a small bin would repeat the next one; each has one by construction.
    return BinCounts(
        bins,
        np.add.reduceat(fine.weights, starts, axis=0),
        np.column_stack(
            [
                np.minimum.reduceat(fine.ranges[:, 0], starts),
                np.maximum.reduceat(fine.ranges[:, 1], starts),
            ]
        ),
        fine.missing,
    )


def _count_part(
    part: NumberedPartition,
    reader: FoldedReader,
    tidies: Sequence[TidyColumns | None],
    bins: Mapping[Column, Bins],
) -> BinsOfColumns | None:
    """Count the rows of a partition, block by block into the same arrays."""
    counts: dict[tuple[Column, int], BinCounts] = {}
    n_folds, n_classes = reader.folds.n_folds, len(reader.classes)
    for block in reader(part):
        for way, tidy in enumerate(tidies):
            keys = [key for key in bins if key[0] == way]
            if not keys:
                continue
            X = block.X if tidy is None else tidy.read(block.X)[0]
            at = np.array([X.columns.get_loc(name) for _, name in keys], dtype=np.intp)
            for key, column in zip(keys, read_numbers(X, at).T, strict=True):
                for fold in range(n_folds):
                    rows = block.rows_of(fold)
                    values, y = column[rows], block.y[rows]
                    if (key, fold) in counts:
                        counts[key, fold].add_rows(values, y, None)
                    elif len(values):
                        counts[key, fold] = BinCounts.collect(values, y, None, n_classes, bins[key])
    if not counts:
        return None
    return BinsOfColumns(
        {key: PerFold(tuple(counts.get((key, fold)) for fold in range(n_folds))) for key in bins}
    )


__all__ = ["count_training_bins"]
