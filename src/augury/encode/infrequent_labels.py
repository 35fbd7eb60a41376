"""Which labels of a column are infrequent, so that they share one state.

The rules "min_frequency" and "max_states" are those of scikit-learn's `OneHotEncoder`.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from augury.encode.column_summaries import LabelSummary
from augury.validation import check_integer, check_number

# "auto": in columns with at least this number of labels, and more than this share of the rows,
# labels of fewer rows are infrequent. docs/results/rare-labels.md has the reasons.
_MANY_LABELS, _MANY_FOR_THE_ROWS = 20, 0.1
_FEW_ROWS = 5


@dataclass(frozen=True)
class Grouping:
    """The rule that decides which labels are infrequent.

    Parameters
    ----------
    min_frequency : int, float, "auto" or None
    max_states : int or None

    Examples
    --------
    >>> summary = LabelSummary({"a": 4.0, "b": 1.0, "c": 2.0}, has_missing=False, declared=False)
    >>> Grouping(min_frequency=2).infrequent(summary)
    ['b']
    >>> Grouping(min_frequency=0.5).infrequent(summary)
    ['b', 'c']
    >>> Grouping(max_states=2).infrequent(summary)
    ['b', 'c']
    """

    min_frequency: float | str | None = None
    max_states: int | None = None

    @property
    def groups(self) -> bool:
        """Whether labels may share a state."""
        return self.min_frequency is not None or self.max_states is not None

    def needs_weights(self, n_labels: int) -> bool:
        """Return whether labels of a column with at most so many labels may share a state."""
        only_many = self.min_frequency == "auto" and self.max_states is None
        return self.groups and not (only_many and n_labels < _MANY_LABELS)

    def infrequent(self, summary: LabelSummary) -> list[Hashable]:
        """Return the infrequent labels of a column, in the order of its states."""
        states, weights = summary.states(), summary.weights
        least = self._least_weight(summary)
        chosen = {label for label in states if weights[label] < least}
        frequent = [label for label in states if label not in chosen]
        n_kept = len(frequent)
        if self.max_states is not None:
            n_kept = self.max_states - bool(chosen or summary.n_others)
            if len(frequent) > n_kept:
                n_kept = self.max_states - 1  # one state is shared
        if len(frequent) > n_kept:
            by_weight = sorted(frequent, key=weights.__getitem__, reverse=True)  # ties: the first
            chosen |= set(by_weight[n_kept:])
        return [label for label in states if label in chosen]

    def _least_weight(self, summary: LabelSummary) -> float:
        """Return the weight below which a label is infrequent."""
        total = sum(summary.weights.values()) + summary.others
        if self.min_frequency == "auto":
            n_labels = 0 if summary.declared else len(summary.weights) + summary.n_others
            has_many = n_labels >= _MANY_LABELS and n_labels > _MANY_FOR_THE_ROWS * total
            return _FEW_ROWS if has_many else 0.0
        if self.min_frequency is None or isinstance(self.min_frequency, str):
            return 0.0
        return self.min_frequency * (total if isinstance(self.min_frequency, float) else 1)


def check_grouping(owner: str, min_frequency: object, max_states: object) -> None:
    """Raise if a parameter is not allowed; `owner` is named in errors."""
    if isinstance(min_frequency, float):
        check_number(owner, "min_frequency", min_frequency, above=0)
        if min_frequency >= 1:
            raise ValueError(
                f"{owner}: min_frequency must be an integer >= 1, or a share above 0 and below 1, "
                f"got {min_frequency!r}"
            )
    elif min_frequency is not None and min_frequency != "auto":
        check_integer(owner, "min_frequency", min_frequency, at_least=1)
    if max_states is not None:
        check_integer(owner, "max_states", max_states, at_least=1)


__all__ = ["Grouping", "check_grouping"]
