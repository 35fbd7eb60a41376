"""Types of the summary of one table: verdict, columns, and the recommended model in detail."""

from dataclasses import dataclass, field

from augury.explain.additive_contents import AdditiveModel
from augury.explain.summary_contents import ColumnInfluence, ModelSummary
from augury.foreign import Json
from augury.json_fields import fields_to_json, from_json
from augury.summary.contents.overview import ModelOverview
from augury.summary.contents.verdict import Verdict

TABLE_FORMAT = 1


@dataclass(frozen=True, slots=True)
class ColumnTreatment:
    """What was done with a column, and why. See `augury.encode.ColumnDecision`."""

    name: str
    treatment: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClassScores:
    """Predictions of one class; None for a division by zero.

    Attributes
    ----------
    label : str
    n_rows : int
        Rows of the class.
    recall, precision : float or None
        Share of its rows that are predicted as it, and share of the rows predicted as it that are
        of the class.
    """

    label: str
    n_rows: int
    recall: float | None
    precision: float | None


@dataclass(frozen=True, slots=True)
class ReferenceCurves:
    """Curves of the reference model on the same test rows.

    Attributes
    ----------
    model : str
    false_positive_rate, true_positive_rate, recall, precision : [point]
    auc, average_precision : float
    found : float or None
        Share of the class that the reference finds with the precision that the opened model has at
        its chosen point; None if that model predicts no row as the class.
    """

    model: str
    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]
    recall: tuple[float, ...]
    precision: tuple[float, ...]
    auc: float
    average_precision: float
    found: float | None


@dataclass(frozen=True, slots=True)
class ClassCurves:
    """ROC and precision-recall curve of one class against the other classes.

    Attributes
    ----------
    label : str
    share : float
        Share of the rows that are of the class: the precision of guesses.
    false_positive_rate, true_positive_rate : [point]
    recall, precision : [point]
    auc, average_precision : float
        Areas, computed from all points; the curves have fewer.
    threshold : float or None
        Probability from which a row is predicted as the class; None with more than two classes,
        where the most probable class is predicted.
    chosen : (false positive rate, true positive rate, precision)
        Point of the predictions; the precision is None if no row is predicted as the class.
    reference : ReferenceCurves or None
        Naive Bayes, if it was compared and is not the opened model.
    """

    label: str
    share: float
    false_positive_rate: tuple[float, ...]
    true_positive_rate: tuple[float, ...]
    recall: tuple[float, ...]
    precision: tuple[float, ...]
    auc: float
    average_precision: float
    threshold: float | None
    chosen: tuple[float, float, float | None]
    reference: ReferenceCurves | None = None


@dataclass(frozen=True, slots=True)
class MergedBin:
    """Rows of similar probability, enough of them to estimate a share.

    Attributes
    ----------
    n : int
        Number of rows.
    probability, share : float
        Mean predicted probability, and share of the rows for which the event occurs.
    low, high : float
        95 % interval of the share (Wilson).
    """

    n: int
    probability: float
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CalibrationOfModel:
    """Predicted probabilities and observed shares.

    Attributes
    ----------
    label : str
        The rarer of two classes, whose probability is meant; empty with more classes: then it is
        the probability of the predicted class, and the event is that the prediction is correct.
    bins : tuple of MergedBin
    ece : float
        Expected calibration error of these bins: the mean distance of probability and share.
    """

    label: str
    bins: tuple[MergedBin, ...]
    ece: float


@dataclass(frozen=True, slots=True)
class ConditionalColumn:
    """Shares of the values of a column in each class.

    Attributes
    ----------
    name : str
    treatment : {"labels", "numbers", "date"}
    labels : tuple of str
        Labels, or "missing"; empty for numbers.
    edges : tuple of float
        Edges of the bins of numbers; values beyond the first and last are in the outer bins.
    shares : [class][label or bin]
        They sum to 1 in each class, with `missing`.
    missing : [class]
        Share of missing values; zeros for labels, among which missing is one.
    """

    name: str
    treatment: str
    labels: tuple[str, ...]
    edges: tuple[float, ...]
    shares: tuple[tuple[float, ...], ...]
    missing: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LearningOfModel:
    """A measure on test rows for growing numbers of training rows.

    Attributes
    ----------
    measure : str
        Its title.
    is_share : bool
        Whether it is a share, which is shown in percent.
    sizes : [size]
    mean, error : [size]
        Mean over the runs and its standard error; the error is None with one run.
    n_runs : int
    answer : str
        Whether more rows would help, in words.
    """

    measure: str
    is_share: bool
    sizes: tuple[int, ...]
    mean: tuple[float, ...]
    error: tuple[float | None, ...]
    n_runs: int
    answer: str


@dataclass(frozen=True, slots=True)
class ExplainedValue:
    """A column, its value in a row as text, and its contribution to the log odds."""

    column: str
    value: str
    contribution: float


@dataclass(frozen=True, slots=True)
class HardRow:
    """A row whose class the model misses with a high probability.

    Attributes
    ----------
    row : int
        Number of the row in the table, from 1, without rows that lack a class.
    true, predicted : str
        Classes; the prediction is of a fold that does not train on the row.
    probability : float
        Probability of the predicted class, mean over the runs that predict it.
    log_odds : float or None
        Log odds of the predicted class against the true one, by the model fitted to all rows;
        None if they were not computed.
    prior : float
        Log odds without any column.
    values : tuple of ExplainedValue
        The largest contributions first. With those of `n_others` columns and the prior they sum to
        the log odds.
    others : float
        Sum of the contributions of the columns that are not listed.
    n_others : int
    """

    row: int
    true: str
    predicted: str
    probability: float
    log_odds: float | None = None
    prior: float = 0.0
    values: tuple[ExplainedValue, ...] = ()
    others: float = 0.0
    n_others: int = 0


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """The recommended model in detail; empty parts are unknown.

    Attributes
    ----------
    model : str
        Its name.
    n_tested : int
        Number of predictions of test rows.
    n_runs : int
        Number of runs that they are from.
    confusion : [true][predicted]
        Mean number of rows in a run.
    classes : [class]
    curves : tuple of ClassCurves
        One for two classes, that of the second class or of the rarer one.
    calibration : CalibrationOfModel or None
    influence : tuple of ColumnInfluence
        By descending influence.
    influence_unit : str
    conditionals : tuple of ConditionalColumn
        Of the columns with the largest influence.
    learning : LearningOfModel or None
    hardest : tuple of HardRow
    structure : ModelSummary or None
        Drawing and text of a network or tree; None for other models.
    notes : tuple of str
        What was sampled or left out, and why.
    """

    model: str
    n_tested: int = 0
    n_runs: int = 0
    confusion: tuple[tuple[float, ...], ...] = ()
    classes: tuple[ClassScores, ...] = ()
    curves: tuple[ClassCurves, ...] = ()
    calibration: CalibrationOfModel | None = None
    influence: tuple[ColumnInfluence, ...] = ()
    influence_unit: str = ""
    conditionals: tuple[ConditionalColumn, ...] = ()
    learning: LearningOfModel | None = None
    hardest: tuple[HardRow, ...] = ()
    structure: ModelSummary | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """A row that the reader may choose, in the values of the compact form."""

    title: str
    values: tuple[int | float | None, ...]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """An additive model that the page computes.

    Attributes
    ----------
    model : str
        Its name.
    reason : str
        Why it is this model; empty if it is the recommended one.
    form : AdditiveModel
    treatments : [column of the form]
        "labels", "numbers" or "date".
    typical : [column of the form]
        Values of the row with which the page starts: the most frequent label, the median.
    rows : tuple of WhatIfRow
    """

    model: str
    reason: str
    form: AdditiveModel
    treatments: tuple[str, ...]
    typical: tuple[int | float | None, ...]
    rows: tuple[WhatIfRow, ...]


@dataclass(frozen=True, slots=True)
class TableSummary:
    """All that the page of one table shows.

    Attributes
    ----------
    source : str
        File or name of the table.
    created : str
        ISO time.
    augury : str
        Version.
    verdict : Verdict
    classes : tuple of str
    class_counts : [class]
    n_columns : int
        Columns besides the target.
    columns : tuple of ColumnTreatment
    failures : tuple of str
        Sentences about models that failed.
    models : tuple of ModelOverview
        The compared models, in the order of the leaderboard.
    opened : OpenedModel or None
    what_if : WhatIf or None
    """

    source: str
    created: str
    augury: str
    verdict: Verdict
    classes: tuple[str, ...]
    class_counts: tuple[int, ...]
    n_columns: int
    columns: tuple[ColumnTreatment, ...]
    failures: tuple[str, ...] = ()
    models: tuple[ModelOverview, ...] = ()
    opened: OpenedModel | None = None
    what_if: WhatIf | None = None
    format: int = field(default=TABLE_FORMAT)

    def to_json(self) -> dict[str, Json]:
        """Return the summary as plain JSON."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, content: object) -> "TableSummary":
        """Return the summary that JSON describes.

        Raises
        ------
        JsonFieldError
            If a value has another type than its field.
        """
        return from_json(cls, content, "table summary")


__all__ = [
    "TABLE_FORMAT",
    "CalibrationOfModel",
    "ClassCurves",
    "ClassScores",
    "ColumnTreatment",
    "ConditionalColumn",
    "ExplainedValue",
    "HardRow",
    "LearningOfModel",
    "MergedBin",
    "OpenedModel",
    "ReferenceCurves",
    "TableSummary",
    "WhatIf",
    "WhatIfRow",
]
