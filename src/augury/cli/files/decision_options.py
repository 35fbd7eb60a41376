"""The options --costs, --threshold and --class-weight of `augury fit` and `augury compare`."""

import csv
import json
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from augury.data import Dataset

Command = TypeVar("Command", bound=Callable[..., object])


costs_option = click.option(
    "--costs",
    metavar="JSON|FILE",
    help="Cost of each wrong prediction; the class of the least expected cost is predicted. "
    'JSON: \'{"PREDICTED": {"TRUE": COST}}\', a file with it, or a CSV file whose rows are '
    "predicted and whose columns are true classes.",
)
threshold_option = click.option(
    "--threshold",
    metavar="auto|VALUE",
    help="Probability from which the rarer of two classes, or the class of --measure, is "
    "predicted; auto: the best one for held-out rows.",
)
class_weight_option = click.option(
    "--class-weight",
    metavar="balanced|JSON",
    help="Weight of each class in the fit: balanced, or such as '{\"yes\": 10}'.",
)


def decision_options(command: Command) -> Command:
    """Add the options of decisions to a command."""
    return costs_option(threshold_option(command))


def read_decision(costs: str | None, threshold: str | None) -> tuple[Any, float | str | None]:
    """Return the values of --costs and --threshold."""
    if costs is not None and threshold is not None:
        raise UserError("--costs and --threshold exclude each other")
    if costs is not None:
        return _read_costs(costs), None
    if threshold is None or threshold == "auto":
        return None, threshold
    try:
        value = float(threshold)
    except ValueError:
        value = math.nan
    if not 0.0 <= value <= 1.0:
        raise UserError(f"--threshold must be auto or a number from 0 to 1, got {threshold!r}")
    return None, value


def add_class_weight(model: "Pipeline", class_weight: str | None) -> "Pipeline":
    """Return the unfitted model with class weights, as asked for."""
    if class_weight is not None:
        weights = _read_class_weight(class_weight)
        try:
            model.set_params(model__class_weight=weights)
        except ValueError as error:
            raise UserError(f"--class-weight: {error}") from error
    return model


def add_decision(model: "Pipeline", costs: Any, threshold: float | str | None) -> "Pipeline":
    """Return the unfitted model with decisions by costs or by a threshold, as asked for."""
    from augury.decide import CostClassifier, ThresholdClassifier

    if costs is not None:
        return model.set_params(model=CostClassifier(model["model"], costs, estimate=True))
    if threshold is not None:
        given = None if isinstance(threshold, str) else threshold
        return model.set_params(model=ThresholdClassifier(model["model"], threshold=given))
    return model


def suit_decision(model: "Pipeline", dataset: "Dataset") -> None:
    """Choose the measure that a threshold is tuned for, and check that there are two classes."""
    from augury.decide import ThresholdClassifier
    from augury.decide.threshold_tuning import check_threshold, positive_class, tuned_measure
    from augury.evaluate import choose_measure

    decider = model["model"]
    if not isinstance(decider, ThresholdClassifier) or decider.positive is not None:
        return
    labels = [str(label) for label in dataset.classes]
    try:
        check_threshold("auto", len(labels))
    except ValueError as error:
        raise UserError(f"--{error}") from error
    counts = dataset.y.value_counts().reindex(dataset.classes, fill_value=0).to_numpy()
    key = choose_measure(counts, labels).measure.key
    positive = labels[positive_class(key, labels, counts)]
    decider.set_params(measure=tuned_measure(key), positive=positive)


def name_classes(model: "Pipeline", classes: Sequence[Hashable]) -> None:
    """Replace the text of class labels in class weights by the labels of the table."""
    from augury.decide.decision_classifier import DecisionClassifier

    last = model["model"]
    holder: Any = last.estimator if isinstance(last, DecisionClassifier) else last
    given = getattr(holder, "class_weight", None)
    if not isinstance(given, Mapping):
        return
    labels = {str(label): label for label in classes}
    unknown = [label for label in given if label not in labels]
    if unknown:
        raise UserError(
            f"--class-weight must be of the classes {', '.join(labels)}, got {unknown[0]!r}"
        )
    holder.set_params(class_weight={labels[label]: weight for label, weight in given.items()})


def describe_decision(model: "Pipeline") -> tuple[list[str], dict[str, object]]:
    """Return sentences and JSON content on the decisions of a fitted model."""
    from augury.decide import CostClassifier, ThresholdClassifier

    last = model["model"]
    if isinstance(last, CostClassifier) and last.mean_cost_ is not None:
        sentence = (
            f"Mean cost of held-out rows: {last.mean_cost_:.4g}; always predicting the cheapest "
            f"class costs {last.constant_cost_:.4g}"
        )
        return [sentence], {"mean_cost": last.mean_cost_, "baseline_cost": last.constant_cost_}
    if not isinstance(last, ThresholdClassifier):
        return [], {}
    label = str(last.classes_[last.positive_])
    is_never = last.threshold_ > 1
    threshold = None if is_never else last.threshold_
    sentence = (
        f"{label} is never predicted"
        if is_never
        else (f"{label} is predicted from a probability of {last.threshold_:.3g} on")
    )
    content: dict[str, object] = {"threshold": threshold, "positive": label}
    if last.value_ is None:
        return [sentence], content
    words = {"f1": f"F1 of {label}"}.get(last.measure, last.measure.replace("_", " "))
    best = "which is best" if is_never else "the best threshold"
    sentence += (
        f", {best} for the {words} of held-out rows: {last.value_:.3f}, against "
        f"{last.value_of_half_:.3f} with 0.5"
    )
    content |= {
        "tuned_for": last.measure,
        "value": last.value_,
        "value_of_half": last.value_of_half_,
    }
    return [sentence], content


def _read_class_weight(text: str) -> Any:
    if text == "balanced":
        return text
    content = _read_json("--class-weight", text)
    is_number = [
        isinstance(weight, int | float) and not isinstance(weight, bool)
        for weight in content.values()
    ]
    if not all(is_number):
        raise UserError(f"--class-weight must have a number for each class, got {text!r}")
    return content


def file_of_costs(text: str | None) -> Path | None:
    """Return the file that --costs names; None if it has JSON, or is not given."""
    return None if text is None or text.lstrip().startswith("{") else expand_home(text)


def _read_costs(text: str) -> Any:
    file = file_of_costs(text)
    if file is None:
        return _read_json("--costs", text)
    try:
        content = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"--costs is {text!r}, which is neither JSON nor a file that can be read: {error}"
        ) from error
    if content.lstrip().startswith("{"):
        return _read_json(f"--costs {file}", content)
    return _read_table(file, content)


def _read_json(option: str, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except RecursionError as error:
        raise UserError(f"{option}: {text[:60]!r} is nested too deeply") from error
    except ValueError as error:  # no JSON, or a number that is too long
        raise UserError(f"{option}: {text[:60]!r} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise UserError(f"{option} must be a JSON object, got {text[:60]!r}")
    return content


def _read_table(file: Path, content: str) -> dict[str, Any]:
    """Return the costs of a CSV table: predicted classes are rows, true classes are columns."""
    lines = [line for line in csv.reader(content.splitlines()) if line]
    if len(lines) < 2:
        raise UserError(f"--costs {file}: has no rows; the first line has the true classes")
    _, *true = (cell.strip() for cell in lines[0])
    costs: dict[str, Any] = {}
    for number, (predicted, *cells) in enumerate(lines[1:], 2):
        if len(cells) != len(true):
            raise UserError(
                f"--costs {file}: line {number} has {len(cells)} costs, the first line has "
                f"{len(true)} classes"
            )
        try:
            costs[predicted.strip()] = dict(zip(true, map(float, cells), strict=True))
        except ValueError as error:
            raise UserError(f"--costs {file}: line {number}: {error}") from error
    return costs


__all__ = [
    "add_class_weight",
    "add_decision",
    "class_weight_option",
    "decision_options",
    "describe_decision",
    "name_classes",
    "read_decision",
    "suit_decision",
]
