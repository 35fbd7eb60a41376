"""A summary in the words and drawings that the page's templates set: no template computes."""

from collections.abc import Mapping
from typing import Any

from augury.report.numbers import count, decimals, milliseconds, ratio
from augury.report.summary_figures import (
    bias_variance_ticks,
    draw_costs,
    draw_learning_curves,
    draw_ranks,
)

_PROTOCOLS = {
    "honest": (
        "The honest protocol: cut points, replacements of gaps and everything else are learned "
        "from the training rows of each fold only, as they would be from data that are still to "
        "come."
    ),
    "published": (
        "The published protocol: gaps are replaced and numbers are cut on the whole data set, "
        "test rows included, before it is split. It reproduces printed tables; what it says "
        "about data that are still to come is optimistic."
    ),
}
_DECOMPOSITIONS = {
    "webb": "Webb",
    "kohavi_wolpert": "Kohavi and Wolpert",
}
_CONTENTS = (
    ("leaderboard", "Leaderboard"),
    ("table", "Every data set"),
    ("significance", "Significance"),
    ("time", "Time"),
    ("bias-variance", "Bias and variance"),
    ("curves", "Calibration, learning"),
    ("datasets", "Data sets"),
    ("run", "What was run"),
)
_FIRST_WARNINGS, _MOST_FAILURES = 5, 100


def view_summary(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the templates show, and the layout that the script needs."""
    warnings = [str(warning) for warning in summary.get("warnings") or ()]
    failures = summary.get("failures") or []
    ticks = bias_variance_ticks(summary)
    return {
        "title": summary.get("title") or "Results",
        "version": summary.get("augury") or "",
        "created": str(summary.get("created") or "")[:10],
        "facts": _facts(summary),
        "warnings": warnings[:_FIRST_WARNINGS],
        "more_warnings": warnings[_FIRST_WARNINGS:],
        "contents": _CONTENTS,
        "measures": summary["measures"],
        "reference": summary["experiment"].get("reference"),
        "models": [_view_model(model) for model in summary["models"]],
        "datasets": [_view_dataset(dataset) for dataset in summary["datasets"]],
        "leaderboard": _view_leaderboard(summary),
        "ranks": draw_ranks(summary),
        "scatter": draw_costs(summary),
        "bias_variance": _view_bias_variance(summary) if ticks else None,
        "learning_curves": draw_learning_curves(summary),
        "run_facts": _run_facts(summary),
        "protocol": _PROTOCOLS.get(summary["experiment"].get("protocol") or "", ""),
        "environments": [_view_environment(found) for found in summary.get("environments") or ()],
        "failures": [_view_failure(failure) for failure in failures[:_MOST_FAILURES]],
        "failures_left_out": max(len(failures) - _MOST_FAILURES, 0),
        "counts": {
            "models": count(len(summary["models"]), "model"),
            "datasets": count(len(summary["datasets"]), "data set"),
            "failures": count(len(failures), "failed fold"),
        },
        "layout": {"bias_variance": ticks},
    }


def _facts(summary: Mapping[str, Any]) -> list[str]:
    experiment = summary["experiment"]
    facts = [
        count(len(summary["models"]), "model"),
        count(len(summary["datasets"]), "data set"),
    ]
    if experiment.get("folds") and experiment.get("repeats"):
        times = f"{experiment['repeats']} × " if experiment["repeats"] > 1 else ""
        facts.append(f"{times}{experiment['folds']}-fold cross-validation")
    if experiment.get("protocol"):
        facts.append(f"{experiment['protocol']} protocol")
    # The usual title says how many of each there are.
    return [fact for fact in facts if fact not in str(summary.get("title"))]


def _view_leaderboard(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that a model has numbers in, and the rows, best first."""
    measures, rows = summary["measures"], summary["leaderboard"]
    reference = summary["experiment"].get("reference")
    main = measures[0]
    columns = [_measure_column(main, main["key"]), _rank_column(main)]
    columns += [_measure_column(measure, measure["key"]) for measure in measures[1:]]
    columns += [
        ("fit_ms", "Training", "ascending", milliseconds, "Mean time to learn a fold"),
        (
            "fit_ratio_to_reference",
            "× reference",
            "ascending",
            ratio,
            f"Training time as a multiple of {reference}'s",
        ),
        ("predict_ms", "Prediction", "ascending", milliseconds, "Mean time to predict a fold"),
    ]
    if len({row.get("n_datasets") for row in rows}) > 1:
        explained = "Data sets with completed folds"
        columns.append(("n_datasets", "Data sets", "descending", str, explained))
    if any(row.get("n_failed") for row in rows):
        columns.append(("n_failed", "Failed", "ascending", str, "Folds that raised an error"))
    columns = [column for column in columns if any(row.get(column[0]) is not None for row in rows)]
    n_shared = len(summary.get("shared") or ())
    return {
        "lead": (
            f"Means over the {count(n_shared, 'data set')} that the models share, ordered by mean "
            f"rank in {main['title'].lower()} (1 is best). Times are those of the machine that "
            "computed; compare them within this page only."
        ),
        "columns": [
            {"title": "Model", "explained": "Name", "first": "ascending", "sorted": None},
            *(
                {
                    "title": title,
                    "explained": explained,
                    "first": first,
                    "sorted": "ascending" if key == f"{main['key']}_rank" else None,
                }
                for key, title, first, _, explained in columns
            ),
        ],
        "rows": [
            {
                "name": row["model"],
                "is_reference": row["model"] == reference,
                "cells": [_cell(row.get(key), write) for key, _, _, write, _ in columns],
            }
            for row in rows
        ],
    }


def _measure_column(measure: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    first = "descending" if measure["higher_is_better"] else "ascending"
    unit = f" ({measure['unit']})" if measure.get("unit") else ""
    words = "higher is better" if measure["higher_is_better"] else "lower is better"
    digits = measure["decimals"]
    return (
        key,
        measure["title"] + unit,
        first,
        lambda value: decimals(value, digits),
        f"Mean {measure['title'].lower()}; {words}",
    )


def _rank_column(measure: Mapping[str, Any]) -> tuple[Any, ...]:
    explained = f"Mean rank in {measure['title'].lower()}; 1 is best"
    return (
        f"{measure['key']}_rank",
        "Rank",
        "ascending",
        lambda value: decimals(value, 2),
        explained,
    )


def _cell(value: Any, write: Any) -> dict[str, Any]:
    if value is None:
        return {"value": "", "text": "–"}
    return {"value": repr(value), "text": write(value)}


def _view_model(model: Mapping[str, Any]) -> dict[str, Any]:
    described = {"class": model.get("class") or model["name"], **(model.get("parameters") or {})}
    steps = [*(model.get("steps_before") or ()), described]
    return {
        "name": model["name"],
        "family": model.get("family") or "",
        "call": " → ".join(map(_write_call, steps)),
    }


def _write_call(value: Any) -> str:
    """Return an estimator, and those within it, as Python would write them."""
    if isinstance(value, list):
        return f"[{', '.join(map(_write_call, value))}]"
    if not isinstance(value, Mapping):
        return repr(value)
    if "class" not in value:
        return f"{{{', '.join(f'{k!r}: {_write_call(part)}' for k, part in value.items())}}}"
    name = str(value["class"]).rpartition(".")[2]
    parts = [f"{k}={_write_call(part)}" for k, part in value.items() if k != "class"]
    return f"{name}({', '.join(parts)})"


def _view_dataset(dataset: Mapping[str, Any]) -> dict[str, Any]:
    def whole(name: str) -> str:
        value = dataset.get(name)
        return "–" if value is None else f"{value:,}"

    return {
        **{name: whole(name) for name in ("n_rows", "n_columns", "n_numeric", "n_missing")},
        "name": dataset["name"],
        "n_classes": str(len(dataset.get("classes") or ())),
        "target": dataset.get("target") or "",
        "dropped": ", ".join(map(str, dataset.get("dropped") or ())),
        "source": dataset.get("source") or "",
        "checksum": str(dataset.get("checksum") or "")[:16],
    }


def _view_bias_variance(summary: Mapping[str, Any]) -> dict[str, Any]:
    found = summary["bias_variance"]
    methods = [{"key": "webb", "title": _DECOMPOSITIONS["webb"]}]
    if found.get("kohavi_wolpert"):
        methods.append({"key": "kohavi_wolpert", "title": _DECOMPOSITIONS["kohavi_wolpert"]})
    return {
        "text": (
            f"The error split over {found.get('runs')} repetitions: what the learner misses on "
            "average (bias), and what it owes to the sample that it happened to see (variance). "
            "The scale stays the same for all choices, so that pictures can be compared."
        ),
        "methods": methods,
    }


def _run_facts(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    experiment = summary["experiment"]
    facts = [
        ("Protocol", experiment.get("protocol")),
        ("Folds", experiment.get("folds")),
        ("Repetitions", experiment.get("repeats")),
        ("Seed", experiment.get("seed")),
        ("Reference", experiment.get("reference")),
        ("augury", summary.get("augury")),
        ("Made", _write_time(str(summary.get("created") or ""))),
    ]
    return [(name, str(value)) for name, value in facts if value is not None and value != ""]


def _write_time(moment: str) -> str:
    """Return a moment to the minute, with its zone.

    >>> _write_time("2026-11-16T04:30:59+00:00")
    '2026-11-16 04:30 UTC'
    """
    zone = " UTC" if moment.endswith("+00:00") else ""
    return moment[:16].replace("T", " ") + zone


def _view_environment(environment: Mapping[str, Any]) -> dict[str, Any]:
    packages = environment.get("packages") or {}
    others = {name: value for name, value in environment.items() if name != "packages"}
    facts = [*others.items(), *packages.items()]
    system = environment.get("system") or environment.get("machine") or "another machine"
    return {
        "title": f"Versions: Python {environment.get('python', '?')} on {system}",
        "facts": [(str(name), str(value)) for name, value in facts if value is not None],
    }


def _view_failure(failure: Mapping[str, Any]) -> dict[str, str]:
    return {
        "title": (
            f"{failure['model']} on {failure['dataset']}, run {failure['run']}, "
            f"fold {failure['fold']}: {failure['error']}"
        ),
        "traceback": str(failure.get("traceback") or ""),
    }


__all__ = ["view_summary"]
