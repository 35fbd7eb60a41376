"""The options --costs and --class-weight of `augury fit`."""

import csv
import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

Command = TypeVar("Command", bound=Callable[..., object])


def decision_options(command: Command) -> Command:
    """Add the options to a command."""
    costs = click.option(
        "--costs",
        metavar="JSON|FILE",
        help="Cost of each wrong prediction; the class of the least expected cost is predicted. "
        'JSON: \'{"PREDICTED": {"TRUE": COST}}\', a file with it, or a CSV file whose rows are '
        "predicted and whose columns are true classes.",
    )
    weight = click.option(
        "--class-weight",
        metavar="balanced|JSON",
        help="Weight of each class in the fit: balanced, or such as '{\"yes\": 10}'.",
    )
    return costs(weight(command))


def add_decision(model: "Pipeline", costs: str | None, class_weight: str | None) -> "Pipeline":
    """Return the unfitted model with class weights, and with decisions by costs, as asked for."""
    if class_weight is not None:
        weights = _read_class_weight(class_weight)
        try:
            model.set_params(model__class_weight=weights)
        except ValueError as error:
            raise UserError(f"--class-weight: {error}") from error
    if costs is not None:
        from augury.decide import CostClassifier

        decider = CostClassifier(model["model"], _read_costs(costs), estimate=True)
        model.set_params(model=decider)
    return model


def name_classes(model: "Pipeline", classes: Sequence[Hashable]) -> None:
    """Replace the text of class labels in class weights by the labels of the table."""
    last = model["model"]
    holder = getattr(last, "estimator", last) if hasattr(last, "costs") else last
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
    last = model["model"]
    mean = getattr(last, "mean_cost_", None)
    if mean is None:
        return [], {}
    sentence = (
        f"Mean cost of held-out rows: {mean:.4g}; always predicting the cheapest class costs "
        f"{last.constant_cost_:.4g}"
    )
    return [sentence], {"mean_cost": mean, "baseline_cost": last.constant_cost_}


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


def _read_costs(text: str) -> Any:
    if text.lstrip().startswith("{"):
        return _read_json("--costs", text)
    file = expand_home(text)
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
    except json.JSONDecodeError as error:
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


__all__ = ["add_decision", "decision_options", "describe_decision", "name_classes"]
