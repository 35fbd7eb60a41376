"""Measures of predictions whose classes are known, as text and as JSON."""

import math
from typing import TYPE_CHECKING, Any

from augury.text_table import align_columns, count_text, shorten_text

if TYPE_CHECKING:
    from augury.scale.predictions.score_sums import ScoreSums

# Classes that are listed in the text.
_MOST_CLASSES = 20
_LABEL_WIDTH = 40


def describe_scores(sums: "ScoreSums", model: Any) -> dict[str, object]:
    """Return the measures as values of JSON, each with that of the baseline."""
    classes = {}
    for code, label in enumerate(sums.classes):
        recall, precision = sums.class_measures(code)
        classes[str(label)] = {
            "rows": int(sums.class_rows[code]),
            "recall": recall.value,
            "precision": precision.value,
        }
    content: dict[str, object] = {
        "measures": {each.measure.key: each.value for each in sums.measures()},
        "baseline": {each.measure.key: each.baseline for each in sums.measures()},
        "classes": classes,
    }
    costs = _costs_of(model)
    if costs is not None:
        mean, cheapest = sums.mean_cost(costs)
        content["mean_cost"], content["baseline_cost"] = mean, cheapest
    return content


def render_scores(sums: "ScoreSums", model: Any) -> str:
    """Return tables of the measures and of the classes."""
    guess = shorten_text(str(sums.classes[sums.most_common]), _LABEL_WIDTH)
    rows = []
    for each in sums.measures():
        unit = f" ({each.measure.unit})" if each.measure.unit else ""
        number = each.measure.number
        rows.append([each.measure.title + unit, number(each.value), number(each.baseline)])
    costs = _costs_of(model)
    if costs is not None:
        mean, cheapest = sums.mean_cost(costs)
        rows.append(["Mean cost", _cost(mean), _cost(cheapest)])
    parts = [align_columns(["measure", "model", "baseline"], rows)]
    parts.append(
        f"Baseline: always {guess}; for measures of probabilities the shares of the classes"
        + ("; for the cost the cheapest class." if costs is not None else ".")
    )
    parts.append(_render_classes(sums))
    unknown = int(sums.class_rows[-1])
    if unknown:
        rows_have = count_text(unknown, "row has", "rows have")
        parts.append(f"Note: {rows_have} a class that the model does not know.")
    return "\n".join(parts)


def _render_classes(sums: "ScoreSums") -> str:
    order = sorted(range(len(sums.classes)), key=lambda code: -sums.class_rows[code])
    rows = []
    for code in order[:_MOST_CLASSES]:
        recall, precision = sums.class_measures(code)
        rows.append(
            [
                shorten_text(str(sums.classes[code]), _LABEL_WIDTH),
                str(int(sums.class_rows[code])),
                recall.measure.number(recall.value),
                precision.measure.number(precision.value),
            ]
        )
    text = align_columns(["class", "rows", "recall %", "precision %"], rows)
    left = len(order) - len(rows)
    return f"{text}\n{left} classes with fewer rows are not shown." if left else text


def _cost(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4g}"


def _costs_of(model: Any) -> Any:
    """Return the costs of a `CostClassifier`, also behind the steps of a Pipeline, or None."""
    steps = getattr(model, "steps", None)
    return getattr(steps[-1][1] if steps else model, "costs_", None)


__all__ = ["describe_scores", "render_scores"]
