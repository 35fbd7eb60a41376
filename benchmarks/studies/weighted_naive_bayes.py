"""Weighted naive Bayes, and its place between naive Bayes and logistic regression.

`python -m benchmarks weighted_naive_bayes` prints the tables of
docs/results/weighted-naive-bayes.md and draws its figures: CFW by the published protocol beside
the printed cells, all models by the honest protocol on the 36 UCI sets (one run of WEKA's ten
folds), and learning curves.
"""

import csv
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

import pandas as pd

from augury.data import load_dataset
from augury.discriminative import LogisticRegression
from augury.evaluate import (
    GrowingSamples,
    WekaFolds,
    critical_difference,
    cross_validate,
    friedman_test,
    mean_scores,
    wilcoxon_signed_rank,
    win_tie_loss,
)
from augury.generative import (
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
    NaiveBayes,
)
from augury.hybrid import AugmentedClassifier, DiscriminativelyWeightedNaiveBayes
from benchmarks.studies.learning_curves import (
    FIGURES,
    N_REPEATS,
    TEST_SHARE,
    as_frame,
    doubled_sizes,
    draw,
    table,
)

PRINTED = Path(__file__).parents[2] / "tests" / "conformance" / "cfw-printed-accuracy.csv"
CURVES = "kr-vs-kp mushroom splice waveform-5000 segment credit-g".split()
DRAWN = ("kr-vs-kp", "splice")

PUBLISHED, OURS, BINS = "WANBIA", "WANBIA, leave-one-out", "LR, intervals"
PAIRS = (
    ("CFW", "NB"),
    ("CFW", "CFW, Laplace"),
    (PUBLISHED, "NB"),
    (PUBLISHED, "CFW"),
    (OURS, PUBLISHED),
    (OURS, "WANBIA, Laplace, leave-one-out"),
    ("WANBIA, squared error", PUBLISHED),
    ("WANBIA, no bound", PUBLISHED),
    (OURS, BINS),
    (OURS, "HNB"),
    (OURS, "NB-LR"),
    (BINS, "NB"),
)


def weighted(**parameters):
    return DiscriminativelyWeightedNaiveBayes(**{"leave_one_out": False} | parameters)


def models():
    """Return the models by name; all but the last two read the same intervals and labels."""
    return {
        "NB": NaiveBayes(),
        "CFW": CorrelationWeightedNaiveBayes(),
        "CFW, Laplace": CorrelationWeightedNaiveBayes(alpha=1.0),
        PUBLISHED: weighted(),
        OURS: weighted(leave_one_out=True),
        "WANBIA, Laplace, leave-one-out": weighted(alpha=1.0, leave_one_out=True),
        "WANBIA, squared error": weighted(objective="mse"),
        "WANBIA, no bound": weighted(max_weight=None),
        BINS: LogisticRegression(continuous="discretize"),
        "HNB": HiddenNaiveBayes(),
        "LR": LogisticRegression(),
        "NB-LR": AugmentedClassifier(),
    }


def printed_accuracy() -> dict[str, float]:
    """Return the accuracy of CFW that the paper prints, in percent, by data set."""
    with PRINTED.open(encoding="utf-8", newline="") as lines:
        return {row["dataset"]: float(row["accuracy"]) for row in csv.DictReader(lines)}


def published_table(printed) -> list[str]:
    """Return the lines of the table of CFW beside the printed cells."""
    chosen = {"NB": NaiveBayes(), "CFW": CorrelationWeightedNaiveBayes()}
    lines = ["| set | printed | CFW | NB |", "|---|---:|---:|---:|"]
    found = []
    for name, cell in printed.items():
        folds = WekaFolds(n_repeats=10)
        rows = list(cross_validate([load_dataset(name)], chosen, folds, protocol="published"))
        ours = {
            model: round(100 * fmean(row.accuracy for row in rows if row.model == model), 2)
            for model in chosen
        }
        found.append((cell, ours["CFW"], ours["NB"]))
        lines.append(f"| {name} | {cell:.2f} | {ours['CFW']:.2f} | {ours['NB']:.2f} |")
    lines.append(
        "| mean | "
        + " | ".join(f"{fmean(column):.2f}" for column in zip(*found, strict=True))
        + " |"
    )
    equal = sum(cell == ours for cell, ours, _ in found)
    return [*lines, "", f"{equal} of {len(found)} cells are equal to the printed digit."]


def score_table(results) -> list[str]:
    """Return the lines of the table of means and mean ranks."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")
    frame = pd.DataFrame([asdict(row) for row in results])
    seconds = frame.groupby("model")["fit_seconds"].mean()
    ranks = {
        "accuracy": friedman_test(accuracy),
        "log loss": friedman_test(nats, lower_is_better=True),
    }
    lines = [
        "| model | accuracy | log loss | rank of accuracy | rank of log loss | fit, times NB's |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in models():
        own = [test.mean_ranks[test.models.index(name)] for test in ranks.values()]
        lines.append(
            f"| {name} | {100 * fmean(accuracy[name]):.2f} | {fmean(nats[name]):.3f} | "
            f"{own[0]:.2f} | {own[1]:.2f} | {seconds[name] / seconds['NB']:.1f} |"
        )
    n_sets = len(next(iter(accuracy.values())))
    lines.append("")
    for measure, test in ranks.items():
        lines.append(f"Iman and Davenport's test of {measure}: p = {test.f_p:.2g}.")
    difference = critical_difference(len(models()), n_sets)
    lines.append(f"Nemenyi's critical difference of two mean ranks: {difference:.2f}.")
    return lines


def pair_table(results) -> list[str]:
    """Return the lines of the table of tests."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")
    lines = ["| | against | accuracy | W/T/L | p | log loss | p |", "|---|---|---|---|---|---|---|"]
    for name, other in PAIRS:
        pair = [row for row in results if row.model in (name, other)]
        (count,) = (each for each in win_tie_loss(pair, other) if each.model == name)
        cells = [
            f"{100 * (fmean(accuracy[name]) - fmean(accuracy[other])):+.2f}",
            f"{count.wins}/{count.ties}/{count.losses}",
            f"{wilcoxon_signed_rank(accuracy[name], accuracy[other]).p:.2g}",
            f"{fmean(nats[name]) - fmean(nats[other]):+.3f}",
            f"{wilcoxon_signed_rank(nats[name], nats[other]).p:.2g}",
        ]
        lines.append(f"| {name} | {other} | " + " | ".join(cells) + " |")
    return lines


def set_table(results) -> list[str]:
    """Return accuracy and log loss of some models on each data set."""
    frame = pd.DataFrame([asdict(row) for row in results])
    means = frame.groupby(["dataset", "model"], sort=False)[["accuracy", "log_loss"]].mean()
    chosen = ("NB", "CFW", OURS, BINS, "HNB")
    lines = ["| set | " + " | ".join(chosen) + " |", "|---|" + "---|" * len(chosen)]
    for name in dict.fromkeys(frame["dataset"]):
        cells = [means.loc[(name, model)] for model in chosen]
        shown = (f"{100 * cell['accuracy']:.2f} / {cell['log_loss']:.3f}" for cell in cells)
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return lines


def run_curves(name: str) -> pd.DataFrame:
    """Return error and log loss of the models of the curves at each size."""
    dataset, named = load_dataset(name), models()
    chosen = {model: named[model] for model in ("NB", "CFW", OURS, BINS)}
    splitter = GrowingSamples(
        doubled_sizes(len(dataset.X)), n_repeats=N_REPEATS, test_share=TEST_SHARE
    )
    return as_frame(cross_validate([dataset], chosen, splitter))


def main() -> None:
    printed = printed_accuracy()
    sets = sorted(printed, key=lambda name: load_dataset(name).X.size)
    results = list(cross_validate(map(load_dataset, sets), models(), WekaFolds(n_repeats=1)))
    for lines in (score_table(results), pair_table(results), set_table(results)):
        print("\n".join(lines), end="\n\n", flush=True)
    for name in CURVES:
        frame = run_curves(name)
        print(table(name, frame), end="\n\n", flush=True)
        if name in DRAWN:
            path = FIGURES / f"weighted-{name}-error.svg"
            path.write_text(draw(name, frame, "error") + "\n", encoding="utf-8")
    print("\n".join(published_table(printed)))


if __name__ == "__main__":
    main()
