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
    train_sizes : tuple of int or float
        Training sizes of learning curves; empty for an experiment with folds.
    test_share : float or None
        Share of the rows for testing, with learning curves.
    """

    protocol: str | None = None
    folds: int | None = None
    repeats: int | None = None
    seed: int | None = None
    reference: str | None = None
    train_sizes: tuple[int | float, ...] = ()
    test_share: float | None = None


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
    """A data set: its size, its classes and its source; None for what is unknown.

    `table_size` is the training size of the folds in tables and tests, for a data set with learning
    curves: the largest that all models have completed.
    """

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
    table_size: int | None = None

    @property
    def has_curves(self) -> bool:
        """Whether the folds are the training sizes of learning curves."""
        return is_growing(self.splitter)


def is_growing(splitter: Mapping[str, Json]) -> bool:
    """Return whether the description of a splitter is that of `GrowingSamples`."""
    return str(splitter.get("class", "")).endswith(".GrowingSamples")


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
