"""Experiments: data sets, models and a protocol, read from TOML files."""

import tomllib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from augury.data import Dataset
from augury.data.errors import suggest
from augury.errors import ExperimentError
from augury.evaluate import PROTOCOLS, GrowingSamples, WekaFolds
from augury.experiments.job import Job
from augury.experiments.training_sizes import check_train_sizes, fit_sizes
from augury.foreign import Classifier, Json
from augury.instance_weights import warn_of_unweighted
from augury.models.build import build_model
from augury.tables.open_table import open_table_with_numbers

_KEYS = {
    "datasets": list,
    "models": dict,
    "protocol": str,
    "folds": int,
    "repeats": int,
    "train_sizes": list,
    "test_share": float,
    "seed": int,
    "reference": str,
    "data": str,
    "strict": bool,
}


# Runs are planned before the first fold, and no result needs more: the corrected standard error of
# ten folds shrinks by no more than a quarter at any number of runs.
_MAX_REPEATS = 1_000
# Random states of scikit-learn's models are numbers of 32 bits.
_MAX_SEED = 2**32 - 1


class TrainingSizeWarning(UserWarning):
    """Training sizes that are left out for a data set, because it has too few rows."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Data sets, models and a protocol.

    Attributes
    ----------
    datasets : tuple
        Names of `augury datasets`, paths of files (relative to `folder`), or mappings with the
        key `file`, and perhaps `target`, `name` and `header` (see `augury.data.read_table`).
    models : mapping from name to description
        See `augury.models.catalogue.build_model`.
    protocol : {"honest", "published"}
        See `augury.evaluate.cross_validate`.
    folds, repeats : int
        Numbers of folds and runs of the cross-validation, see `WekaFolds`; at most 1,000 runs.
        With `train_sizes` there are no folds, and `repeats` is the number of times that samples
        are drawn.
    train_sizes : tuple of int or float
        Training sizes of learning curves instead of folds, see `GrowingSamples`: numbers of rows,
        or shares of the rows that are not for testing. Sizes that a data set has no room for are
        left out there, with a warning.
    test_share : float
        Share of the rows for testing, with `train_sizes`.
    seed : int
        The `random_state` of models that draw random numbers and have none; from 0 to 2^32 - 1.
    reference : str
        The model that others are compared with; by default the first.
    data : path or None
        Folder in which named data sets are searched first.
    folder : path
        Folder of the experiment's file.
    strict : bool
        Whether rows without a class are an error; by default they are left out.
    header, max_size
        See `augury.data.read_table`. The `header` of a data set has precedence.

    Examples
    --------
    >>> experiment = Experiment(("sklearn:iris",), {"nb": {}, "hnb": {}}, repeats=2)
    >>> [job] = experiment.jobs()
    >>> len(job.fold_keys()), list(job.models)
    (20, ['nb', 'hnb'])
    >>> curves = Experiment(("sklearn:iris",), {"nb": {}}, repeats=2, train_sizes=(15, 1.0))
    >>> curves.jobs()[0].fold_keys()
    [(1, 15), (1, 105), (2, 15), (2, 105)]
    """

    datasets: tuple[str | Mapping[str, Any], ...]
    models: Mapping[str, Mapping[str, Any]]
    protocol: str = "honest"
    folds: int = 10
    repeats: int = 10
    seed: int = 0
    reference: str = ""
    data: Path | None = None
    folder: Path = field(default_factory=Path)
    strict: bool = False
    header: bool | None = None
    max_size: float | None = None
    train_sizes: tuple[float, ...] = ()
    test_share: float = 0.3

    def __post_init__(self) -> None:
        if not self.datasets:
            raise ExperimentError("datasets must have at least one data set")
        if not self.models:
            raise ExperimentError("models must have at least one model")
        if self.protocol not in PROTOCOLS:
            raise ExperimentError(
                f"protocol must be one of {', '.join(PROTOCOLS)}, got {self.protocol!r}"
            )
        if self.folds < 2:
            raise ExperimentError(f"folds must be at least 2, got {self.folds}")
        if not 1 <= self.repeats <= _MAX_REPEATS:
            raise ExperimentError(
                f"repeats must be from 1 to {_MAX_REPEATS:,}, got {_shown(self.repeats)}; 10 runs "
                "of ten folds are usual, and more hardly narrow the intervals"
            )
        if not 0 <= self.seed <= _MAX_SEED:
            raise ExperimentError(
                f"seed must be from 0 to {_MAX_SEED:,}, got {_shown(self.seed)}; choose any of them"
            )
        if self.train_sizes:
            check_train_sizes(self.train_sizes)
        if not 0.0 < self.test_share < 1.0:
            raise ExperimentError(
                f"test_share must be a number between 0 and 1, got {self.test_share!r}"
            )
        if self.reference and self.reference not in self.models:
            raise ExperimentError(
                f"reference must be one of the models ({', '.join(self.models)}), got "
                f"{self.reference!r}"
            )

    @classmethod
    def read(cls, file: Path) -> "Experiment":
        """Read a TOML file.

        Raises
        ------
        ExperimentError
            If the file is not valid TOML, or has an unknown key or a wrong value.
        """
        try:
            content = tomllib.loads(file.read_text(encoding="utf-8"))
        except RecursionError as error:
            raise ExperimentError(f"{file} is nested too deeply") from error
        except (OSError, ValueError) as error:  # ValueError: no UTF-8, no TOML, a number too long
            raise ExperimentError(f"{file} cannot be read as an experiment: {error}") from error
        for key, value in content.items():
            if key not in _KEYS:
                near = suggest(key, _KEYS) or "."
                raise ExperimentError(
                    f"{file}: there is no {key!r}{near} The keys are {', '.join(_KEYS)}"
                )
            if not isinstance(value, _KEYS[key]) or isinstance(value, bool) != (key == "strict"):
                raise ExperimentError(
                    f"{file}: {key} must be a {_KEYS[key].__name__}, got {value!r}"
                )
        for name, description in content.get("models", {}).items():
            if not isinstance(description, dict):
                raise ExperimentError(
                    f"{file}: models.{name} must be a table such as {{alpha = 0.5}}, got "
                    f"{description!r}"
                )
        _check_curve_keys(file, content)
        options = {key: value for key, value in content.items() if key != "datasets"}
        if "data" in options:
            options["data"] = file.parent / Path(options["data"]).expanduser()
        if "train_sizes" in options:
            options["train_sizes"] = check_train_sizes(options["train_sizes"])
        options.setdefault("models", {})
        return cls(tuple(content.get("datasets", ())), folder=file.parent, **options)

    @property
    def baseline(self) -> str:
        """Return the model that others are compared with."""
        return self.reference or next(iter(self.models))

    def build_models(self) -> dict[str, Classifier]:
        """Return the unfitted classifiers; each `random_state` that is None is set to the seed."""
        return {
            name: build_model(name, given, seed=self.seed, key=f"models.{name}")
            for name, given in self.models.items()
        }

    def load(self) -> list[Dataset]:
        """Load the data sets.

        Raises
        ------
        augury.data.DataError
            If a data set cannot be found or read.
        """
        return [self._load(given) for given in self.datasets]

    def _load(self, given: str | Mapping[str, Any]) -> Dataset:
        options: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {"file": given}
        keys = ("file", "target", "name", "header")
        file, target, name, header = (options.pop(key, None) for key in keys)
        if options or not isinstance(file, str):
            raise ExperimentError(
                f"a data set must be a name, a file, or a table of file, target, name and header, "
                f"got {given!r}"
            )
        dataset = open_table_with_numbers(
            file,
            target,
            data_dir=self.data,
            folder=self.folder,
            strict=self.strict,
            header=self.header if header is None else header,
            max_size=self.max_size,
        )
        if dataset.target_rule == "catalogue":
            return _renamed(dataset, name or file)
        return _renamed(dataset, name or Path(file).stem)

    def splitter(self, dataset: Dataset) -> WekaFolds | GrowingSamples:
        """Return the splitter of a data set."""
        if not self.train_sizes:
            return WekaFolds(n_splits=self.folds, n_repeats=self.repeats)
        sizes = fit_sizes(self.train_sizes, len(dataset.X), self.test_share)
        if not sizes.rows:
            raise ExperimentError(
                f"{dataset.name} has {sizes.n_pool} rows for training, and train_sizes has no "
                "size that fits; 1.0 stands for all of them"
            )
        if sizes.left_out:
            warnings.warn(TrainingSizeWarning(sizes.note(dataset.name)), stacklevel=3)
        return GrowingSamples(sizes.rows, self.repeats, test_share=self.test_share)

    def jobs(self) -> list[Job]:
        """Load all data sets, and return a job for each.

        A missing file or package is reported before the first fit.

        Warns
        -----
        augury.instance_weights.UnweightedFitWarning
            If a data set has instance weights and some of the models take none.
        TrainingSizeWarning
            If a data set has no room for some of the training sizes.
        """
        models, loaded = self.build_models(), self.load()
        names = [dataset.name for dataset in loaded]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ExperimentError(f"two data sets have the name {twice!r}; give one a name")
        for dataset in loaded:
            if dataset.sample_weight is not None:
                warn_of_unweighted(dataset.name, models)
        return [Job(each, models, self.splitter(each), self.protocol) for each in loaded]

    def describe(self) -> dict[str, Json]:
        """Return the settings for the page of the results."""
        curves: dict[str, Json] = {
            "train_sizes": list(self.train_sizes),
            "test_share": self.test_share,
        }
        return {
            "protocol": self.protocol,
            **(curves if self.train_sizes else {"folds": self.folds}),
            "repeats": self.repeats,
            "seed": self.seed,
            "reference": self.baseline,
        }


def _check_curve_keys(file: Path, content: Mapping[str, Any]) -> None:
    """Raise an error for keys of folds and of learning curves that exclude each other."""
    if "train_sizes" in content and "folds" in content:
        raise ExperimentError(
            f"{file}: folds and train_sizes exclude each other: an experiment has either folds or "
            "learning curves"
        )
    if "test_share" in content and "train_sizes" not in content:
        raise ExperimentError(f"{file}: test_share is for train_sizes, which is absent")


def _shown(number: int) -> str:
    """Return a number; a TOML file may have one of thousands of digits."""
    return f"{number:,}" if abs(number) < 10**30 else f"a number of {number.bit_length():,} bits"


def _renamed(dataset: Dataset, name: str) -> Dataset:
    return replace(dataset, name=name)


__all__ = ["Experiment", "TrainingSizeWarning"]
