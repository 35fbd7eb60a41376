"""Statements of the 2022 paper about hybrids that split the columns, tested on its 36 sets.

Honest protocol. `python -m benchmarks split_study [DIR [N_JOBS]]` keeps every fold in DIR
(split-study-results by default), continues an interrupted run, and prints the tables of
docs/results/splits.md. It takes about 30 minutes on one core; 10 of them are HBayes-NB on letter.
"""

import sys
from itertools import product
from pathlib import Path
from statistics import fmean, median

import numpy as np

from augury.data import load_dataset
from augury.discriminative import LiblinearLogisticRegression, LogisticRegression
from augury.evaluate import (
    GrowingSamples,
    WekaFolds,
    friedman_test,
    mean_scores,
    wilcoxon_signed_rank,
    win_tie_loss,
)
from augury.experiments.job import Job
from augury.experiments.runner import FailedFoldsError, run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.hybrid import (
    AugmentedClassifier,
    BiasVarianceSplit,
    HBayesNB,
    IndependenceSplit,
    InformationSplit,
    NormalitySplit,
    SplitClassifier,
)
from augury.papers import find_paper

# Training rows of the learning curves; a set is tested at the sizes that it has rows for.
SIZES = (30, 100, 300)
N_REPEATS = 20
TEST_SHARE = 0.3
# Sets whose columns have at most 2⁹ splits: the greedy search is compared with all of them.
EXHAUSTIVE = ("iris", "balance-scale", "diabetes", "breast-cancer", "breast-w", "glass")

NUMBERS = LogisticRegression(continuous="standardize", tol=1e-7)
CATEGORIES = LiblinearLogisticRegression(encoding="onehot", scaling=None, tol=1e-6)


def splits():
    """Return the five hybrids that split the columns; two of them in a second form."""
    return {
        "HBayes-NB": HBayesNB(),
        "information": InformationSplit(),
        "bias-variance": BiasVarianceSplit(),
        "bias-variance, τ = 10": BiasVarianceSplit(rows_per_coefficient=10),
        "normality": NormalitySplit(),
        "normality, numbers": NormalitySplit(discriminative=NUMBERS),
        "independence": IndependenceSplit(),
    }


def models():
    """Return every model by name; a split has one of the three regressions for its part."""
    return {
        "NB": NaiveBayes(),
        "LR": LogisticRegression(tol=1e-7),
        "LR, categories": CATEGORIES,
        "LR, numbers": NUMBERS,
        "LDA": LinearDiscriminantAnalysis(),
        "NB-LR": AugmentedClassifier(),
        **splits(),
    }


# A model, and the model that it is compared with.
PAIRS = (
    ("HBayes-NB", "NB"),
    ("HBayes-NB", "LR, categories"),
    ("HBayes-NB", "NB-LR"),
    ("information", "NB"),
    ("information", "LR"),
    ("information", "NB-LR"),
    ("bias-variance", "NB"),
    ("bias-variance", "LR"),
    ("bias-variance", "NB-LR"),
    ("bias-variance, τ = 10", "NB"),
    ("bias-variance, τ = 10", "LR"),
    ("bias-variance, τ = 10", "information"),
    ("normality", "LR"),
    ("normality", "LDA"),
    ("normality", "NB-LR"),
    ("independence", "NB"),
    ("independence", "LR"),
    ("independence", "NB-LR"),
)
NUMERIC_PAIRS = (("normality, numbers", "LR, numbers"), ("normality, numbers", "LDA"))


def has_numbers_only(dataset):
    return len(dataset.X.select_dtypes("number").columns) == dataset.X.shape[1]


def sizes_for(dataset):
    """Return the sizes that leave enough rows for testing."""
    n_pool = len(dataset.X) - round(TEST_SHARE * len(dataset.X))
    return [size for size in SIZES if size <= n_pool]


def compute(jobs, folder, n_jobs):
    """Run the folds that the store lacks, and return the results."""
    with ResultStore(folder) as store:
        run_jobs(jobs, store, n_jobs=n_jobs)
        if failures := store.failures():
            raise FailedFoldsError(failures)
        return [row for row in store.results() if row.model in models()]


# ---- tables -------------------------------------------------------------------------------


def markdown(header, rows):
    """Yield the lines of a table."""
    yield "| " + " | ".join(header) + " |"
    yield "|---|" + "---:|" * (len(header) - 1)
    for cells in rows:
        yield "| " + " | ".join(map(str, cells)) + " |"


def summary_table(results):
    """Yield accuracy, log loss, mean ranks and training time of each model."""
    scores = {name: mean_scores(results, name) for name in ("accuracy", "log_loss", "fit_seconds")}
    tests = {
        name: friedman_test(scores[name], lower_is_better=name == "log_loss")
        for name in ("accuracy", "log_loss")
    }
    seconds = scores["fit_seconds"]
    rows = []
    for name in models():
        ratios = [ours / theirs for ours, theirs in zip(seconds[name], seconds["NB"], strict=True)]
        rows.append(
            (
                name,
                f"{100 * fmean(scores['accuracy'][name]):.2f}",
                f"{fmean(scores['log_loss'][name]):.3f}",
                f"{tests['accuracy'].rank_of(name):.2f}",
                f"{tests['log_loss'].rank_of(name):.2f}",
                f"{1000 * fmean(seconds[name]):.0f}",
                f"{median(ratios):.1f}",
                f"{max(ratios):.0f}",
            )
        )
    header = ("model", "accuracy", "log loss", "rank", "rank, log loss", "fit ms")
    yield from markdown((*header, "× NB, median", "largest"), rows)


def test_table(results, pairs):
    """Yield differences, wins by the corrected t-test, and p-values of the signed ranks."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")
    rows = []
    for name, reference in pairs:
        pair = [row for row in results if row.model in (name, reference)]
        (count,) = (each for each in win_tie_loss(pair, reference) if each.model == name)
        rows.append(
            (
                name,
                reference,
                f"{100 * (fmean(accuracy[name]) - fmean(accuracy[reference])):+.2f}",
                f"{count.wins}/{count.ties}/{count.losses}",
                p_value(accuracy[name], accuracy[reference]),
                f"{fmean(nats[name]) - fmean(nats[reference]):+.3f}",
                p_value(nats[name], nats[reference]),
            )
        )
    yield from markdown(("model", "against", "points", "W/T/L", "p", "log loss", "p"), rows)


def p_value(ours, theirs):
    if np.array_equal(ours, theirs):
        return "equal"
    p = wilcoxon_signed_rank(ours, theirs).p
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def curve_table(results):
    """Yield mean accuracy and log loss on samples of each size, over sets that have it."""
    rows = []
    for size in SIZES:
        here = [row for row in results if row.n_train == size]
        accuracy, nats = mean_scores(here, "accuracy"), mean_scores(here, "log_loss")
        n_datasets = len({row.dataset for row in here})
        for name, reference in NUMERIC_PAIRS:
            ahead, behind = count_signs(accuracy[name] - accuracy[reference])
            rows.append(
                (
                    size,
                    n_datasets,
                    reference,
                    f"{100 * fmean(accuracy[name]):.2f} / {fmean(nats[name]):.3f}",
                    f"{100 * fmean(accuracy[reference]):.2f} / {fmean(nats[reference]):.3f}",
                    f"{ahead}/{behind}",
                    p_value(accuracy[name], accuracy[reference]),
                    "{}/{}".format(*count_signs(nats[reference] - nats[name])),
                    p_value(nats[name], nats[reference]),
                )
            )
    header = ("rows", "sets", "against", "split", "other", "better/worse", "p")
    yield from markdown((*header, "better/worse, log loss", "p"), rows)


def count_signs(differences):
    """Return how many are above 0 and how many are below."""
    return int((differences > 1e-12).sum()), int((differences < -1e-12).sum())


def column_table(datasets):
    """Yield how many columns of each whole set are in the regression."""
    chosen = {name: model for name, model in splits().items() if "numbers" not in name}
    rows, shares = [], {name: [] for name in chosen}
    for dataset in datasets:
        n_columns = dataset.X.shape[1]
        cells = []
        for name, model in chosen.items():
            n_moved = len(model.fit(dataset.X, dataset.y).discriminative_columns_)
            shares[name].append(n_moved / n_columns)
            cells.append(n_moved)
        rows.append((dataset.name, len(dataset.X), n_columns, *cells))
    rows.append(
        ("mean share", "", "", *(f"{100 * fmean(share):.0f} %" for share in shares.values()))
    )
    yield from markdown(("set", "rows", "columns", *chosen), rows)


def greedy_table():
    """Yield training accuracies of the greedy search and of the best of all splits."""
    rows = []
    for name in EXHAUSTIVE:
        dataset = load_dataset(name)
        found = HBayesNB().fit(dataset.X, dataset.y)
        scores = []
        for in_d in product((False, True), repeat=dataset.X.shape[1]):
            model = SplitClassifier(list(in_d), NaiveBayes(), CATEGORIES)
            scores.append(model.fit(dataset.X, dataset.y).score(dataset.X, dataset.y))
        n_better = sum(score > found.accuracies_[-1] + 1e-9 for score in scores)
        rows.append(
            (
                name,
                dataset.X.shape[1],
                f"{100 * scores[0]:.2f}",
                f"{100 * found.accuracies_[-1]:.2f}",
                len(found.moved_),
                f"{100 * max(scores):.2f}",
                f"{n_better} of {len(scores)}",
            )
        )
    header = ("set", "columns", "NB", "greedy", "moved", "best split", "splits better than greedy")
    yield from markdown(header, rows)


def main() -> None:
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "split-study-results")
    n_jobs = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    datasets = [load_dataset(name) for name in find_paper("hybrid-2022").datasets]
    by_size = sorted(datasets, key=lambda dataset: dataset.X.size)  # errors appear early
    jobs = [Job(dataset, models(), WekaFolds(10, 1), "honest") for dataset in by_size]
    numeric = [dataset for dataset in by_size if has_numbers_only(dataset)]
    compared = {name: model for name, model in models().items() if name in sum(NUMERIC_PAIRS, ())}
    curves = [
        Job(dataset, compared, GrowingSamples(sizes, N_REPEATS, test_share=TEST_SHARE), "honest")
        for dataset in numeric
        if (sizes := sizes_for(dataset))
    ]
    results = compute(curves, folder / "curves", n_jobs), compute(jobs, folder / "folds", n_jobs)
    names = {dataset.name for dataset in numeric}
    own = [row for row in results[1] if row.dataset in names]
    n_tests = 2 * len(PAIRS + NUMERIC_PAIRS)
    for title, lines in {
        f"{len(datasets)} sets, one run of ten folds": summary_table(results[1]),
        f"Tests ({n_tests} p-values with the next table)": test_table(results[1], PAIRS),
        f"The {len(names)} sets with columns of numbers only": test_table(own, NUMERIC_PAIRS),
        f"Small training sets, {N_REPEATS} repetitions": curve_table(results[0]),
        "Columns in the regression, fitted to the whole set": column_table(datasets),
        "The greedy search and all splits, accuracy on the training rows": greedy_table(),
    }.items():
        print(f"## {title}\n\n" + "\n".join(lines), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
