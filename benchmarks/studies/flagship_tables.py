"""The tables of docs/results/flagship.md, from the folds that the study keeps."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median
from typing import Any

import numpy as np
import pandas as pd

from augury.evaluate import corrected_t_test, friedman_test, wilcoxon_signed_rank
from benchmarks.studies.flagship_folds import Row

Folds = dict[tuple[str, str], dict[tuple[int, int], Row]]  # by model and set, by run and fold

OURS = "augury"
# Models that ran on some sets or on few folds: they are compared in pairs only.
PAIRS_ONLY = ("autogluon", "augury, best")
# The folds of three runs. A model with fewer on some set gets a table of its own.
ALL_FOLDS = 30
SCORES = ("accuracy", "log_loss", "brier", "auc")


def print_tables(rows: Iterable[Row], development: Sequence[str]) -> None:
    """Print all tables."""
    folds: Folds = defaultdict(dict)
    for row in rows:
        folds[row["model"], row["dataset"]][row["run"], row["fold"]] = row
    models = list(dict.fromkeys(model for model, _ in folds))
    sets = sorted({dataset for _, dataset in folds})
    ranked = [m for m in models if m not in PAIRS_ONLY and not m.endswith("tuned")]
    ranked = [m for m in ranked if all((m, dataset) in folds for dataset in sets)]
    slow = [m for m in ranked if min(len(folds[m, dataset]) for dataset in sets) < ALL_FOLDS]
    ranked = [m for m in ranked if m not in slow]
    if len(ranked) < 2:
        print("Fewer than two models have all folds of each set: there is nothing to rank.")
        return
    halves = {
        f"All {len(sets)} sets": sets,
        "Confirmation sets": [name for name in sets if name not in development],
        "Development sets": [name for name in sets if name in development],
    }
    for title, names in halves.items():
        print(f"## {title} ({len(names)})\n")
        print("\n".join(mean_table(folds, ranked, names)), end="\n\n")
        for model in slow:
            print(f"With {model}, on the folds that it has:\n")
            print("\n".join(mean_table(folds, [*ranked, model], names)), end="\n\n")
        if (OURS, names[0]) in folds:
            print("\n".join(pair_table(folds, models, names)), end="\n\n")
    print("## Seconds\n\n" + "\n".join(time_table(folds, models, sets)), end="\n\n")
    print("## Each set\n\n" + "\n".join(set_table(folds, ranked, sets)))


def shared_folds(folds: Folds, models: Sequence[str], dataset: str) -> list[tuple[int, int]]:
    """Return the folds of a set that all these models have."""
    return sorted(set.intersection(*(set(folds[model, dataset]) for model in models)))


def scores_of(folds: Folds, model: str, dataset: str, keys: Sequence[tuple[int, int]]) -> Row:
    """Return the means of the measures over these folds, and the ECE of all their rows."""
    rows = [folds[model, dataset][key] for key in keys]
    found = {name: fmean(row[name] for row in rows if row[name] is not None) for name in SCORES}
    bins = rows[0]["bins"]
    for row in rows[1:]:
        bins += row["bins"]
    found["ece"] = bins.expected_calibration_error
    return found


def mean_table(folds: Folds, models: Sequence[str], sets: Sequence[str]) -> Iterable[str]:
    """Yield the means over the sets and the mean ranks, on the folds that all models have."""
    cells = []
    for dataset in sets:
        keys = shared_folds(folds, models, dataset)
        for model in models:
            scores = scores_of(folds, model, dataset, keys)
            cells.append({"model": model, "dataset": dataset, **scores})
    frame = pd.DataFrame(cells)
    means = frame.groupby("model")[[*SCORES, "ece"]].mean()
    ranks = {}
    for score, lower in (("accuracy", False), ("log_loss", True), ("brier", True)):
        wide = frame.pivot(index="dataset", columns="model", values=score)
        test = friedman_test({name: wide[name] for name in wide}, lower_is_better=lower)
        ranks[score] = dict(zip(test.models, test.mean_ranks, strict=True))
    yield "| | accuracy | log loss | Brier | ECE | AUC | ranks: accuracy | log loss | Brier |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for model in sorted(models, key=lambda name: means.log_loss[name]):
        m = means.loc[model]
        places = " | ".join(f"{ranks[score][model]:.2f}" for score in ranks)
        yield (
            f"| {model} | {100 * m.accuracy:.2f} | {m.log_loss:.4f} | {m.brier:.4f} | "
            f"{100 * m.ece:.2f} | {100 * m.auc:.2f} | {places} |"
        )


def pair_table(folds: Folds, models: Sequence[str], sets: Sequence[str]) -> Iterable[str]:
    """Yield augury against each opponent, on the sets and folds that both have."""
    yield (
        "| opponent | sets, folds | accuracy, augury's | W/T/L | p | log loss, augury's | W/T/L "
        "| p | less log loss |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for model in models:
        if model != OURS and (line := pair_line(folds, model, sets)) is not None:
            yield line


def pair_line(folds: Folds, model: str, sets: Sequence[str]) -> str | None:
    means: dict[str, list[tuple[float, float]]] = {"accuracy": [], "log_loss": []}
    marks = {"accuracy": [0, 0, 0], "log_loss": [0, 0, 0]}
    n_folds = 0
    for dataset in sets:
        if (model, dataset) not in folds or (OURS, dataset) not in folds:
            continue
        keys = shared_folds(folds, [model, OURS], dataset)
        n_folds += len(keys)
        ours, theirs = ([folds[name, dataset][key] for key in keys] for name in (OURS, model))
        sizes = {name: [row[name] for row in ours] for name in ("n_train", "n_test")}
        for score, sign in (("accuracy", 1), ("log_loss", -1)):
            a, b = ([row[score] for row in rows] for rows in (ours, theirs))
            means[score].append((fmean(a), fmean(b)))
            if len(keys) > 1:
                test = corrected_t_test(a, b, **sizes)
                marks[score][1 if test.p > 0.05 else 0 if sign * test.difference > 0 else 2] += 1
    if not n_folds:
        return None
    a, b = np.array(means["accuracy"]).T
    u, v = np.array(means["log_loss"]).T
    return (
        f"| {model} | {len(a)}, {n_folds} | {100 * b.mean():.2f}, {100 * a.mean():.2f} | "
        f"{'/'.join(map(str, marks['accuracy']))} | {p_value(a, b)} | "
        f"{v.mean():.4f}, {u.mean():.4f} | {'/'.join(map(str, marks['log_loss']))} | "
        f"{p_value(u, v)} | {100 * (1 - u.mean() / v.mean()):.1f} % |"
    )


def p_value(a: Any, b: Any) -> str:
    p = wilcoxon_signed_rank(a, b).p
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def time_table(folds: Folds, models: Sequence[str], sets: Sequence[str]) -> Iterable[str]:
    """Yield processor seconds of fit and prediction: median and maximum over the sets."""
    yield "| | sets | median fit | longest fit | median predict, ms |"
    yield "|---|---|---|---|---|"
    lines = []
    for model in models:
        own = [folds[model, dataset].values() for dataset in sets if (model, dataset) in folds]
        fit = [min(row["fit_seconds"] for row in rows) for rows in own]
        predict = [min(row["predict_seconds"] for row in rows) for rows in own]
        text = f"| {model} | {len(own)} | {median(fit):.3f} | {max(fit):.2f} | "
        lines.append((median(fit), text + f"{1000 * median(predict):.1f} |"))
    yield from (line for _, line in sorted(lines))


def set_table(folds: Folds, models: Sequence[str], sets: Sequence[str]) -> Iterable[str]:
    """Yield accuracy / log loss of each model on each set, on the folds that all have."""
    yield "| set | folds | " + " | ".join(models) + " |"
    yield "|---|---|" + "---|" * len(models)
    for dataset in sets:
        keys = shared_folds(folds, models, dataset)
        found = [scores_of(folds, model, dataset, keys) for model in models]
        cells = [f"{100 * s['accuracy']:.1f} / {s['log_loss']:.3f}" for s in found]
        yield f"| {dataset} | {len(keys)} | " + " | ".join(cells) + " |"


__all__ = ["print_tables"]
