"""Summaries of columns become the plans by which rows are encoded."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from augury.arrays import FloatArray
from augury.encode.column_plan import (
    ColumnPlan,
    GapColumn,
    IntervalColumn,
    LabelColumn,
    OpenLabelColumn,
    free_name,
    interval_names,
)
from augury.encode.column_summaries import LabelSummary, NumberSummary
from augury.encode.infrequent_labels import Grouping
from augury.encode.table import INFREQUENT, MISSING
from augury.kernels import find_intervals


@dataclass(frozen=True)
class ColumnPlanner:
    """The rules of a `TableEncoder`, applied to the summaries of its columns.

    Parameters
    ----------
    names : names of the columns of the table
    missing : "state", "replace" or "ignore"
    grouping : the rule for infrequent labels

    Attributes
    ----------
    replacements : dict from the name of a column to the value that replaces a missing one
    cut_points : dict from the name of a column to its cut points
    """

    names: Sequence[str]
    missing: str
    grouping: Grouping
    replacements: dict[str, Any] = field(default_factory=dict, init=False)
    cut_points: dict[str, FloatArray] = field(default_factory=dict, init=False)

    def plan(self, columns: Sequence[LabelSummary | NumberSummary]) -> list[ColumnPlan]:
        """Return the plans of the columns of codes, in their order."""
        labels = [(j, c) for j, c in enumerate(columns) if isinstance(c, LabelSummary)]
        numbers = [(j, c) for j, c in enumerate(columns) if isinstance(c, NumberSummary)]
        plans: dict[int, ColumnPlan] = {
            j: self._plan_labels(self.names[j], source, summary)
            for source, (j, summary) in enumerate(labels)
        }
        if self.missing == "replace":
            for j, summary in numbers:
                self.replacements[self.names[j]] = summary.mean
        for source, (j, summary) in enumerate(numbers):
            if summary.cuts is not None:
                plans[j] = self._plan_intervals(self.names[j], source, summary, summary.cuts)
            elif summary.has_missing and self.missing == "state":
                # These columns are not the user's, so they follow all others.
                name = free_name(f"{self.names[j]} is missing", self.names)
                plans[len(self.names) + j] = GapColumn(name, source)
        return [plans[j] for j in sorted(plans)]

    def _plan_labels(self, name: str, source: int, summary: LabelSummary) -> LabelColumn:
        infrequent = self.grouping.infrequent(summary) if self.grouping.groups else []
        states = summary.states()
        if infrequent or summary.n_others:
            shared = set(infrequent)
            states = [*(label for label in states if label not in shared), INFREQUENT]
        missing_code = len(states)  # left out, unless the next state is MISSING
        if summary.has_missing and self.missing == "state":
            states.append(MISSING)
        elif self.missing == "replace" and states:
            mode = summary.mode()
            self.replacements[name] = mode
            missing_code = states.index(INFREQUENT if mode in infrequent else mode)
        if summary.n_others:
            return OpenLabelColumn(name, source, states, missing_code)
        return LabelColumn(name, source, states, missing_code, infrequent)

    def _plan_intervals(
        self, name: str, source: int, summary: NumberSummary, cuts: FloatArray
    ) -> IntervalColumn:
        self.cut_points[name] = cuts
        states: list[Hashable] = list(interval_names(cuts))
        missing_code = len(states)  # left out, unless the next state is MISSING
        if summary.has_missing and self.missing == "state":
            states.append(MISSING)
        elif self.missing == "replace":
            missing_code = int(find_intervals(np.array([summary.mean]), cuts)[0])
        return IntervalColumn(name, source, cuts, states, missing_code)


__all__ = ["ColumnPlanner"]
