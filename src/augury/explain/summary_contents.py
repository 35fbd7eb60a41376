"""Types of a model summary. Nothing heavy is imported here."""

from dataclasses import dataclass

from augury.foreign import Json
from augury.json_fields import fields_to_json, from_json


@dataclass(frozen=True, slots=True)
class ColumnInfluence:
    """Influence of one column on the predictions of a model.

    Attributes
    ----------
    feature : str
        Name of the column.
    value : float
        Influence, in the unit of the summary.
    moved : float or None
        Mean change of the class probabilities, in percentage points, when the column is taken
        from another row; None if it was not computed.
    detail : str or None
        The state with the largest contribution; None for numbers.
    """

    feature: str
    value: float
    moved: float | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """What a model learned from all rows of a data set.

    Attributes
    ----------
    model : str
        Name of the model.
    protocol : str or None
        Protocol by which the rows were prepared.
    n_rows : int or None
        Number of rows.
    svg, text : str or None
        Drawing of a network or tree; None for other models.
    influence : tuple of ColumnInfluence
        Columns by descending influence. The last columns of a wide table are left out.
    influence_unit : str or None
        Unit of the values.
    n_features : int
        Number of columns, including those that `influence` leaves out.
    notes : tuple of str
        Sentences about what is left out and why.
    error : str or None
        Traceback, if the summary could not be computed.
    """

    model: str
    protocol: str | None = None
    n_rows: int | None = None
    svg: str | None = None
    text: str | None = None
    influence: tuple[ColumnInfluence, ...] = ()
    influence_unit: str | None = None
    n_features: int = 0
    notes: tuple[str, ...] = ()
    error: str | None = None

    def to_json(self) -> dict[str, Json]:
        """Return the summary as plain JSON."""
        return fields_to_json(self)

    @classmethod
    def from_json(cls, content: object) -> "ModelSummary":
        """Return the summary that JSON describes, such as that of a store.

        Raises
        ------
        JsonFieldError
            If a value has another type than its field.
        """
        return from_json(cls, content, "model summary")


__all__ = ["ColumnInfluence", "ModelSummary"]
