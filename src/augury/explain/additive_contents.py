"""Types of the compact form of an additive model. Nothing heavy is imported here.

The form is plain JSON: `report/assets/table/additive_model.js` computes p(c | x) from it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from augury.foreign import Json
from augury.json_fields import fields_to_json, from_json

FORMAT = 1

# A state of a column of labels, a number, or a missing value. The number of the labels of a
# column stands for a label that is none of them.
CellValue = int | float | None


@dataclass(frozen=True, slots=True)
class AdditiveColumn:
    """Scores of the values of a column, one for each class.

    Attributes
    ----------
    name : str
    labels : tuple of str
        Labels of a column of labels; empty for numbers.
    scores : [label][class]
    edges : tuple of float
        Ascending ends of the pieces of a column of numbers. Piece k has the numbers above
        `edges[k - 1]`, up to `edges[k]`.
    origins : [piece]
    coefficients : [piece][power][class]
        The score of x is the sum of coefficient · (x - origin)^power.
    missing : [class]
    unseen : [class]
        Scores of a label that is none of the labels; zeros for numbers.
    low, high : float or None
        Range of the numbers in the training rows.
    """

    name: str
    labels: tuple[str, ...]
    scores: tuple[tuple[float, ...], ...]
    edges: tuple[float, ...]
    origins: tuple[float, ...]
    coefficients: tuple[tuple[tuple[float, ...], ...], ...]
    missing: tuple[float, ...]
    unseen: tuple[float, ...]
    low: float | None = None
    high: float | None = None

    @property
    def is_number(self) -> bool:
        """Whether the values of the column are numbers."""
        return bool(self.coefficients)

    def scores_of(self, value: CellValue) -> tuple[float, ...]:
        """Return the scores of one value, for each class."""
        if value is None:
            return self.missing
        if not self.is_number:
            return self.scores[int(value)] if value < len(self.labels) else self.unseen
        piece = bisect_left(self.edges, value)
        away = value - self.origins[piece]
        total = [0.0] * len(self.missing)
        for own in reversed(self.coefficients[piece]):
            total = [sum_ * away + part for sum_, part in zip(total, own, strict=True)]
        return tuple(total)


@dataclass(frozen=True, slots=True)
class AdditiveModel:
    """A model whose score of a class is a sum over the columns.

    log p(c | x) is `intercept[c]` plus the scores of the values of x, up to a constant.

    Attributes
    ----------
    classes : tuple of str
    is_known : [class]
        Whether the training rows have the class; otherwise its probability is 0.
    intercept : [class]
    columns : tuple of AdditiveColumn
    format : int
        Number of the form.
    """

    classes: tuple[str, ...]
    is_known: tuple[bool, ...]
    intercept: tuple[float, ...]
    columns: tuple[AdditiveColumn, ...]
    format: int = FORMAT

    def scores_of(self, values: Sequence[CellValue]) -> tuple[float, ...]:
        """Return log p(c | x) up to a constant, of a row that has a value for each column."""
        parts = [
            column.scores_of(value) for column, value in zip(self.columns, values, strict=True)
        ]
        return tuple(sum(own) for own in zip(self.intercept, *parts, strict=True))

    def probabilities_of(self, values: Sequence[CellValue]) -> tuple[float, ...]:
        """Return p(c | x) of a row that has a value for each column."""
        scores = self.scores_of(values)
        highest = max(score for score, known in zip(scores, self.is_known, strict=True) if known)
        shares = [
            exp(score - highest) if known else 0.0
            for score, known in zip(scores, self.is_known, strict=True)
        ]
        return tuple(share / sum(shares) for share in shares)

    def to_json(self) -> dict[str, Json]:
        """Return the model as plain JSON."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, content: object) -> "AdditiveModel":
        """Return the model that JSON describes.

        Raises
        ------
        JsonFieldError
            If a value has another type than its field.
        """
        return from_json(cls, content, "additive model")


__all__ = ["FORMAT", "AdditiveColumn", "AdditiveModel", "CellValue"]
