"""Tables of docs/results/kernel-densities.md from the folds of examples/kernel-densities.toml.

`python -m benchmarks.studies.density_tables DIR` reads the folder that `augury run` wrote.
"""

import sys
from pathlib import Path
from statistics import fmean, median

from augury.evaluate import friedman_test, mean_scores, wilcoxon_signed_rank, win_tie_loss
from augury.experiments.store.result_store import ResultStore

MODELS = ("mdl", "gaussian", "interval", "kernel", "kernel-weka", "lr", "gam")
# Sets without a column of numbers: all models of naive Bayes are the same there.
LABELS_ONLY = (
    *("audiology", "breast-cancer", "kr-vs-kp", "mushroom", "primary-tumor", "soybean"),
    *("splice", "vote"),
)


def summary_table(results, reference):
    """Yield the lines of the means, ranks and tests of each model against the reference."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")
    seconds = mean_scores(results, "fit_seconds")
    ranks = friedman_test(accuracy)
    log_ranks = friedman_test(nats, lower_is_better=True)
    counts = {each.model: each for each in win_tie_loss(results, reference)}
    yield (
        "| model | accuracy | rank | W/T/L | p | log loss | rank | median | p | fit, ms |\n"
        "|---|---:|---:|---|---|---:|---:|---:|---|---:|"
    )
    for name in accuracy:
        tests = ["", "", ""]
        if name != reference:
            count = counts[name]
            tests = [
                f"{count.wins}/{count.ties}/{count.losses}",
                p_value(accuracy[name], accuracy[reference]),
                p_value(nats[name], nats[reference]),
            ]
        cells = [
            name,
            f"{100 * fmean(accuracy[name]):.2f}",
            f"{ranks.rank_of(name):.2f}",
            tests[0],
            tests[1],
            f"{fmean(nats[name]):.3f}",
            f"{log_ranks.rank_of(name):.2f}",
            f"{median(nats[name]):.3f}",
            tests[2],
            f"{1000 * fmean(seconds[name]):.1f}",
        ]
        yield "| " + " | ".join(cells) + " |"


def p_value(ours, theirs):
    p = wilcoxon_signed_rank(ours, theirs).p
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def set_table(results):
    """Yield accuracy and log loss of each set and model; the best are bold."""
    accuracy, nats = mean_scores(results, "accuracy"), mean_scores(results, "log_loss")
    names = list(dict.fromkeys(row.dataset for row in results))
    yield "| set | " + " | ".join(accuracy) + " |"
    yield "|---|" + "---|" * len(accuracy)
    for i, name in enumerate(names):
        best = max(f"{100 * own[i]:06.2f}" for own in accuracy.values())
        least = min(f"{own[i]:09.3f}" for own in nats.values())
        cells = [name]
        for model in accuracy:
            right, loss = f"{100 * accuracy[model][i]:.2f}", f"{nats[model][i]:.3f}"
            right = f"**{right}**" if f"{100 * accuracy[model][i]:06.2f}" == best else right
            loss = f"**{loss}**" if f"{nats[model][i]:09.3f}" == least else loss
            cells.append(f"{right} / {loss}")
        yield "| " + " | ".join(cells) + " |"


def main() -> None:
    with ResultStore(Path(sys.argv[1])) as store:
        results = sorted(
            store.results(),
            key=lambda row: (row.dataset.lower(), row.run, row.fold, MODELS.index(row.model)),
        )
    numeric = [row for row in results if row.dataset not in LABELS_ONLY]
    for title, rows in {"All sets": results, "Sets with numbers": numeric}.items():
        print(f"## {title}: {len({row.dataset for row in rows})}\n")
        for reference in ("mdl", "gaussian"):
            print(f"Against {reference}:\n")
            print("\n".join(summary_table(rows, reference)), end="\n\n")
    print("\n".join(set_table(numeric)))


if __name__ == "__main__":
    main()
