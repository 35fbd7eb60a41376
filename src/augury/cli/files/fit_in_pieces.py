"""Fits of `augury fit` to a table that is read in pieces."""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from augury.cli.files.table_in_pieces import open_in_pieces
from augury.cli.terminal.cluster import cluster
from augury.cli.terminal.output import TargetSummary
from augury.cli.terminal.row_progress import row_progress

if TYPE_CHECKING:
    import pandas as pd
    from sklearn.pipeline import Pipeline

    from augury.drift import Reference
    from augury.scale import ReadingReport, Source

# Rows that tell the types of the columns.
_HEAD = 1000


@dataclass(frozen=True, eq=False)
class TableInPieces:
    """A table that is read in pieces, and its target.

    Attributes
    ----------
    source : Source
    target : name of the column to predict
    target_rule : why it is the target, as in `augury.data.Dataset`
    first_rows : the first rows without the target
    """

    source: "Source"
    target: str
    target_rule: str
    first_rows: "pd.DataFrame"

    @classmethod
    def open(
        cls, table: str, target: str | None, header: bool | None, max_size: float | None
    ) -> "TableInPieces":
        """Open DATA, choose the target, and check its first values.

        Raises
        ------
        augury.data.DataError
            If there is no such column, or its values are not classes.
        """
        from augury.data import DataError, StrayTextWarning
        from augury.data.dataset import choose_target, require_classes, target_rule

        with warnings.catch_warnings():
            # `TidyColumns` decides about text in columns of numbers; its decisions are printed.
            warnings.simplefilter("ignore", StrayTextWarning)
            source = open_in_pieces(table, header, max_size)
        chosen = choose_target(list(source.columns), target, source.name)
        frames = (frame for part in source.partitions for frame in part.frames(max_rows=_HEAD))
        first = next((frame for frame in frames if len(frame)), None)
        if first is None:
            raise DataError(f"{source.name}: there are no rows")
        require_classes(first[chosen].dropna(), None, source.name)
        rule = target_rule(chosen, is_given=target is not None)
        return cls(source, chosen, rule, first.drop(columns=chosen))

    def fit(
        self, model: "Pipeline", *, strict: bool, scheduler: str | None
    ) -> "tuple[Pipeline, ReadingReport]":
        """Return the fitted model, and how the rows were read; progress is shown."""
        from augury.scale import fit_with_report

        with cluster(scheduler) as client, row_progress() as progress:
            return fit_with_report(
                model, self.source, self.target, client=client, strict=strict, progress=progress
            )

    def collect_reference(self, model: "Pipeline", *, scheduler: str | None) -> "Reference":
        """Return the statistics of the rows for `augury check`, in one more pass."""
        from augury.drift import collect_reference_from_source

        with cluster(scheduler) as client, row_progress() as progress:
            return collect_reference_from_source(
                model, self.source, self.target, client=client, progress=progress
            )

    def summarize(self, report: "ReadingReport") -> TargetSummary:
        """Return the target as the fit has found it, and warn of rows without a class."""
        from augury.data import DataWarning
        from augury.tables.review import review_classes

        if report.n_unlabelled:
            n_rows = report.n_rows + report.n_unlabelled
            warning = DataWarning(
                f"{self.source.name}: rows without a class are left out: the target "
                f"{self.target!r} is missing in {report.n_unlabelled} of {n_rows} rows",
                advice="{strict} refuses such a file",
            )
            warnings.warn(warning, stacklevel=2)
        return TargetSummary(
            self.target,
            self.target_rule,
            report.n_rows,
            report.n_unlabelled,
            sorted(report.class_weights, key=str),
            review_classes(self.target, report.class_weights),
        )


def describe_reading(report: "ReadingReport") -> list[str]:
    """Return sentences on what is exact in a model that was fitted to pieces."""
    sentences = []
    if report.bounded_cuts:
        share = max(report.bounded_cuts.values())
        sentences.append(
            f"Cut points of {_names(report.bounded_cuts)} are chosen among sampled numbers: a cut "
            f"point lies off the best place by at most {100 * share:.2g} % of the rows"
        )
    if report.grouped_labels:
        sentences.append(
            f"{_names(report.grouped_labels)} have more labels than are counted: the rarest share "
            "a state"
        )
    return sentences or ["All labels and cut points are exact, as in a fit to the whole table"]


def _names(names: "dict[str, float] | tuple[str, ...]") -> str:
    listed = list(names)
    rest = f" and {len(listed) - 8} more columns" if len(listed) > 8 else ""
    return ", ".join(listed[:8]) + rest


__all__ = ["TableInPieces", "describe_reading"]
