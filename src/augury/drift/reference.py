"""Statistics of the training rows that new rows are compared with."""

from dataclasses import dataclass

from augury.foreign import Json
from augury.json_fields import fields_to_json, from_json

LABELS, NUMBERS, DATE, DROPPED = "labels", "numbers", "date", "dropped"
# States of a column that follow its labels or intervals, see `ColumnReference`.
N_FURTHER_STATES = 3
# Buckets of labels. They do not depend on the rows, as the choice of frequent labels does.
N_BUCKETS = 64
# Groups of classes in naive Bayes: each class, or groups of buckets if there are more classes.
N_GROUPS = 16


@dataclass(frozen=True)
class ColumnReference:
    """Statistics of one column.

    The states of a column of labels are its most frequent labels, all other labels, unseen labels
    and missing values. The states of numbers are the numbers below the training range, the
    intervals, the numbers above the range, and missing values. Training labels that one row has
    count as unseen, and the only smallest and the only largest number count as out of the range:
    a row is to be judged without itself.

    Parameters
    ----------
    name : name of the column
    treatment : "labels", "numbers", "date" (days since 1970) or "dropped" (not read by the model)
    format : how its texts are read, see `TidyColumns.formats_`
    n_gaps : number of rows without a value, or with a value that cannot be read
    n_unread : number of rows with a value that cannot be read
    low, high : smallest and largest number
    edges : upper ends of the intervals of numbers, without the last interval
    labels : labels of a column of labels, the most frequent first
    label_counts : number of rows of each of them
    n_unlisted : number of rows whose labels are not listed, because there are too many labels
    bucket_counts : number of rows of each bucket of labels, if not all labels are listed; the
        bucket of a label is a hash of it
    state_counts : number of the sampled rows of each state and class
    predictor_counts : the same of the rows that predictions are made from, see `Reference`
    """

    name: str
    treatment: str
    format: str = ""
    n_gaps: int = 0
    n_unread: int = 0
    low: float | None = None
    high: float | None = None
    edges: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    label_counts: tuple[int, ...] = ()
    n_unlisted: int = 0
    bucket_counts: tuple[int, ...] = ()
    state_counts: tuple[tuple[int, ...], ...] = ()
    predictor_counts: tuple[tuple[int, ...], ...] = ()

    @property
    def n_bins(self) -> int:
        """Number of the states that are labels or intervals."""
        return len(self.state_counts) - N_FURTHER_STATES


@dataclass(frozen=True)
class Reference:
    """Statistics of the training rows; the rows are not saved.

    Parameters
    ----------
    n_rows : number of training rows
    n_sampled : number of rows from which states, classes and log p(x) were counted
    columns : the columns of the table, in its order
    classes : the column of the classes; its name is empty if it is not known
    group_counts : number of the sampled rows of each class, in the order of the labels of
        `classes`; if there are more than 16 classes, of each of 16 groups of buckets
    predicted_counts : number of the predicted rows that naive Bayes predicts as each of these
    n_right : number of the predicted rows that naive Bayes predicts correctly
    log_p_levels : levels of the quantiles of log p(x)
    log_p_quantiles : the quantiles of log p(x) of the sampled rows
    rare_log_p : log p(x) below which a row is rare: the quantile of the level 0.001
    n_rare : number of the sampled rows that are rare
    predictor_counts : as `group_counts`, of the rows that predictions are made from; empty in
        files of earlier versions, whose rows were all predicted by the counts without the row

    Notes
    -----
    p(x) is that of naive Bayes over the states of all columns. The log p(x) of each sampled row is
    computed by the counts without that row.

    Classes are predicted from the counts of a random half of the sampled rows. The rows of the
    other half are the predicted rows: given the counts, their predictions are distributed as those
    of new rows if there is no drift. Predictions without the row itself are not: without a row of
    one class the other class may be the more frequent one, so that all rows are predicted wrongly
    of a table in which the columns say nothing about two equally frequent classes.
    """

    n_rows: int
    n_sampled: int
    columns: tuple[ColumnReference, ...]
    classes: ColumnReference
    group_counts: tuple[int, ...]
    predicted_counts: tuple[int, ...]
    n_right: int
    log_p_levels: tuple[float, ...]
    log_p_quantiles: tuple[float, ...]
    rare_log_p: float
    n_rare: int
    predictor_counts: tuple[int, ...] = ()

    @property
    def n_predicted(self) -> int:
        """Number of the sampled rows that were predicted."""
        return self.n_sampled - sum(self.predictor_counts)

    def to_json(self) -> dict[str, Json]:
        """Return the statistics as a JSON object."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, content: object) -> "Reference":
        """Return the statistics of a JSON object.

        Raises
        ------
        ValueError
            If a field is absent or has another type, or fields do not fit each other.
        """
        made = from_json(cls, content, "reference")
        made.check_counts()
        return made

    def check_counts(self) -> None:
        """Raise `ValueError` unless the fields fit each other."""
        _require(self.n_rows >= self.n_sampled >= 1, "n_rows and n_sampled must be rows")
        _require(len(self.columns) >= 1, "columns must not be empty")
        names = [column.name for column in self.columns]
        _require(len(set(names)) == len(names), "columns must have distinct names")
        _check_labels(self.classes, self.n_rows)
        n_classes = len(self.classes.labels)
        n_groups = min(n_classes, N_GROUPS)
        _require(
            1 <= n_groups == len(self.group_counts),
            "group_counts must have a number for each class or group",
        )
        _check_counts("group_counts", self.group_counts, self.n_sampled)
        _require(
            len(self.predictor_counts) in (0, n_groups)
            and all(
                0 <= n <= m for n, m in zip(self.predictor_counts, self.group_counts, strict=False)
            ),
            "predictor_counts must be numbers of rows of group_counts",
        )
        _check_counts("predicted_counts", self.predicted_counts, self.n_predicted)
        _require(len(self.predicted_counts) == n_groups, "predicted_counts must fit the classes")
        _require(
            0 <= self.n_right <= self.n_predicted, "n_right must be a number of predicted rows"
        )
        _require(0 <= self.n_rare <= self.n_sampled, "n_rare must be a number of sampled rows")
        _require(
            len(self.log_p_levels) == len(self.log_p_quantiles),
            "log_p_quantiles must have a number for each level",
        )
        for column in self.columns:
            _check_column(column, self)


def _check_column(column: ColumnReference, reference: Reference) -> None:
    name = f"column {column.name!r:.60}"
    kinds = (LABELS, NUMBERS, DATE, DROPPED)
    _require(column.treatment in kinds, f"{name}: treatment must be one of {', '.join(kinds)}")
    if column.treatment == DROPPED:
        return
    _require(
        0 <= column.n_unread <= column.n_gaps <= reference.n_rows,
        f"{name}: n_gaps must be a number of rows",
    )
    _require(column.n_bins >= 0, f"{name}: state_counts must have at least 3 states")
    if column.treatment == LABELS:
        _check_labels(column, reference.n_rows)
        _require(column.n_bins <= len(column.labels), f"{name}: there are too few labels")
    else:
        _require(column.n_bins == len(column.edges) + 1, f"{name}: edges must fit the states")
        _require(
            all(a < b for a, b in zip(column.edges, column.edges[1:], strict=False)),
            f"{name}: edges must be sorted",
        )
        known = column.low is not None and column.high is not None and column.low <= column.high
        _require(known or column.low is column.high is None, f"{name}: low must be at most high")
    n_groups = len(reference.group_counts)
    _require(
        all(len(counts) == n_groups for counts in column.state_counts),
        f"{name}: state_counts must have a number for each class",
    )
    cells = [count for counts in column.state_counts for count in counts]
    _check_counts(f"{name}: state_counts", cells, reference.n_sampled)
    if reference.predictor_counts:
        predictor = [count for counts in column.predictor_counts for count in counts]
        _require(
            len(column.predictor_counts) == len(column.state_counts)
            and all(len(counts) == n_groups for counts in column.predictor_counts)
            and all(n <= m for n, m in zip(predictor, cells, strict=True)),
            f"{name}: predictor_counts must be numbers of rows of state_counts",
        )
        _check_counts(f"{name}: predictor_counts", predictor, sum(reference.predictor_counts))


def _check_labels(column: ColumnReference, n_rows: int) -> None:
    name = f"column {column.name!r:.60}"
    _require(
        len(column.labels) == len(set(column.labels)) == len(column.label_counts),
        f"{name}: label_counts must have a number for each label",
    )
    n_known = n_rows - column.n_gaps
    _require(column.n_unlisted >= 0, f"{name}: n_unlisted must be a number of rows")
    _check_counts(f"{name}: label_counts", column.label_counts, n_known - column.n_unlisted)
    if column.n_unlisted:
        n_buckets = len(column.bucket_counts)
        _require(n_buckets == N_BUCKETS, f"{name}: there must be {N_BUCKETS} buckets")
        _check_counts(f"{name}: bucket_counts", column.bucket_counts, n_known)


def _check_counts(name: str, counts: "tuple[int, ...] | list[int]", total: int) -> None:
    fits = sum(counts) == total and min(counts, default=0) >= 0
    _require(fits, f"{name} must be numbers of rows that sum to {total}")


def _require(fits: bool, message: str) -> None:
    if not fits:
        raise ValueError(message)


__all__ = [
    "DATE",
    "DROPPED",
    "LABELS",
    "NUMBERS",
    "N_BUCKETS",
    "N_GROUPS",
    "ColumnReference",
    "Reference",
]
