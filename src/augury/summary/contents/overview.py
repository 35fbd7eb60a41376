"""Types of what was compared: experiment, models, data sets, measures, failures."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from augury.foreign import Json


@dataclass(frozen=True, slots=True)
class ExperimentOverview:
    """Settings of an experiment; None for what is unknown.

    Attributes
    ----------
    protocol : str or None
        "honest" or "published".
    folds, repeats, seed : int or None
        Number of folds of a run, number of runs, random seed.
    reference : str or None
        Name of the model that the others are compared with.
    """

    protocol: str | None = None
    folds: int | None = None
    repeats: int | None = None
    seed: int | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class ModelOverview:
    """A model: its class, its parameters and the steps before it.

    For a model inside a Pipeline or another wrapper, `class_`, `parameters` and `family` are
    those of the innermost model; `steps_before` describes the rest.
    """

    name: str
    class_: str | None = None
    parameters: Mapping[str, Json] = field(default_factory=dict)
    steps_before: tuple[Mapping[str, Json], ...] = ()
    family: str = "other"
    has_probabilities: bool = True


@dataclass(frozen=True, slots=True)
class DatasetOverview:
    """A data set: its size, its classes and its source; None for what is unknown."""

    name: str
    n_rows: int | None = None
    n_columns: int | None = None
    n_numeric: int | None = None
    n_missing: int | None = None
    target: str | None = None
    dropped: tuple[str, ...] = ()
    source: str = ""
    checksum: str = ""
    classes: tuple[bool | int | float | str, ...] = ()
    class_counts: tuple[int, ...] = ()
    splitter: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure by which models are compared.

    Attributes
    ----------
    key : str
        Name of the field of `FoldResult`.
    title, unit : str
        Words for a reader.
    decimals : int
        Number of decimals to show.
    higher_is_better : bool
        Whether the best model has the highest value.
    """

    key: str
    title: str
    unit: str
    decimals: int
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class FailedFold:
    """A fold that raised an error, with the last line of the traceback."""

    dataset: str
    model: str
    run: int
    fold: int
    error: str
    traceback: str = ""


__all__ = ["DatasetOverview", "ExperimentOverview", "FailedFold", "Measure", "ModelOverview"]
