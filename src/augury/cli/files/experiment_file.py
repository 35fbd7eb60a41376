"""The experiment of a TOML file and of options that replace its keys."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home, split_names

if TYPE_CHECKING:
    from augury.experiments.experiment import Experiment


def read_experiment(file: str | None, options: dict[str, Any]) -> "Experiment":
    """Return the experiment of a file, with the options that are not None instead of its keys."""
    from dataclasses import replace

    from augury.experiments.experiment import Experiment

    given = _read_options(options)
    if file is None:
        missing = [name for name in ("datasets", "models") if name not in given]
        if missing:
            raise UserError(f"give an EXPERIMENT file, or --{missing[0]}")
        _check_curve_options(given, ())
        return Experiment(**given)
    # Files in options are relative to the current folder, not to the experiment.
    if "datasets" in given:
        given["folder"] = Path()
    read = Experiment.read(expand_home(file))
    _check_curve_options(given, read.train_sizes)
    return replace(read, **given)


def _read_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are given, as fields of an experiment."""
    given = {name: value for name, value in options.items() if value is not None}
    if not given["strict"]:
        del given["strict"]  # the experiment may ask for it
    if "datasets" in given:
        given["datasets"] = tuple(split_names(given["datasets"]) or ())
    if "models" in given:
        given["models"] = {name: {} for name in split_names(given["models"]) or ()}
    if "train_sizes" in given:
        given["train_sizes"] = read_sizes(given["train_sizes"])
    if "data" in given:
        given["data"] = expand_home(given["data"])
    return given


def read_sizes(text: str) -> tuple[float, ...]:
    """Return numbers of rows as int, and shares as float.

    >>> read_sizes("30, 100, 0.5")
    (30, 100, 0.5)
    """
    try:
        sizes = [int(part) if part.isdecimal() else float(part) for part in split_names(text) or ()]
    except ValueError:
        sizes = []
    if not sizes:
        raise UserError(f"--train-sizes must be numbers such as 30,100,0.5, got {text!r}")
    return tuple(sizes)


def _check_curve_options(given: dict[str, Any], sizes_of_file: tuple[float, ...]) -> None:
    """Refuse options of folds with training sizes, and options of training sizes without them."""
    has_sizes = bool(given.get("train_sizes") or sizes_of_file)
    if has_sizes and "folds" in given:
        raise UserError("--folds and training sizes exclude each other")
    if not has_sizes and "test_share" in given:
        raise UserError("--test-share is for training sizes; give --train-sizes")


__all__ = ["read_experiment", "read_sizes"]
