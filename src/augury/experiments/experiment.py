"""Experiments: data sets, models and a protocol, read from TOML files."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from augury.data import Dataset
from augury.data.errors import suggest
from augury.errors import ExperimentError
from augury.evaluate import PROTOCOLS, WekaFolds
from augury.experiments.job import Job
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
    "seed": int,
    "reference": str,
    "data": str,
    "strict": bool,
}


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
        Numbers of folds and runs of the cross-validation, see `WekaFolds`.
    seed : int
        The `random_state` of models that draw random numbers and have none.
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

    def __post_init__(self) -> None:
        if not self.datasets:
            raise ExperimentError("datasets must have at least one data set")
        if not self.models:
            raise ExperimentError("models must have at least one model")
        if self.protocol not in PROTOCOLS:
            raise ExperimentError(
                f"protocol must be one of {', '.join(PROTOCOLS)}, got {self.protocol!r}"
            )
        for name, least in (("folds", 2), ("repeats", 1)):
            if getattr(self, name) < least:
                raise ExperimentError(f"{name} must be at least {least}, got {getattr(self, name)}")
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
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
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
        options = {key: value for key, value in content.items() if key != "datasets"}
        if "data" in options:
            options["data"] = file.parent / Path(options["data"]).expanduser()
        options.setdefault("models", {})
        return cls(tuple(content.get("datasets", ())), folder=file.parent, **options)

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

    def splitter(self) -> WekaFolds:
        """Return the splitter."""
        return WekaFolds(n_splits=self.folds, n_repeats=self.repeats)

    def jobs(self) -> list[Job]:
        """Load all data sets, and return a job for each.

        A missing file or package is reported before the first fit.

        Warns
        -----
        augury.instance_weights.UnweightedFitWarning
            If a data set has instance weights and some of the models take none.
        """
        models, loaded = self.build_models(), self.load()
        names = [dataset.name for dataset in loaded]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ExperimentError(f"two data sets have the name {twice!r}; give one a name")
        for dataset in loaded:
            if dataset.sample_weight is not None:
                warn_of_unweighted(dataset.name, models)
        return [Job(dataset, models, self.splitter(), self.protocol) for dataset in loaded]

    def describe(self) -> dict[str, Json]:
        """Return the settings for the page of the results."""
        return {
            "protocol": self.protocol,
            "folds": self.folds,
            "repeats": self.repeats,
            "seed": self.seed,
            "reference": self.reference or next(iter(self.models)),
        }


def _renamed(dataset: Dataset, name: str) -> Dataset:
    return replace(dataset, name=name)


__all__ = ["Experiment"]
