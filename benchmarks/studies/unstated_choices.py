"""What the aCLL paper leaves open: limits of parents, and estimates.

The columns aCLL, Bayes, CLL and K2 of `augury reproduce acll-bagging-2014` for at most one, two and
three parents, with WEKA's estimates and with augury's: published protocol, one run of the ten
folds, without chess and letter. `python -m benchmarks unstated_choices` takes two minutes. The
tables are in docs/results/acll-bagging-2014.md.
"""

from dataclasses import asdict

import pandas as pd

from augury.evaluate import WekaFolds, cross_validate
from augury.generative import BayesianNetworkClassifier
from augury.papers import find_paper
from augury.papers.acll_bagging_2014 import ALPHA, EQUIVALENT_SAMPLE_SIZE, load_view
from augury.structure import HillClimb

PAPER = find_paper("acll-bagging-2014")
SCORES = {"aCLL": "acll", "Bayes": "ll", "CLL": "cll", "K2": "k2"}
LARGEST = ("chess", "letter")
ESTIMATES = {
    "WEKA's": {"alpha": ALPHA, "equivalent_sample_size": EQUIVALENT_SAMPLE_SIZE},
    "augury's": {},
}


def models():
    return {
        (column, estimates, max_parents): BayesianNetworkClassifier(
            HillClimb(score, max_parents=max_parents, order="columns"), **parameters
        )
        for column, score in SCORES.items()
        for estimates, parameters in ESTIMATES.items()
        for max_parents in (1, 2, 3)
    }


def accuracies() -> pd.DataFrame:
    """Return the mean accuracy of each choice on each data set, in percent."""
    names = {" ".join(map(str, key)): key for key in models()}
    by_name = dict(zip(names, models().values(), strict=True))
    sets = (load_view(name) for name in PAPER.datasets if name not in LARGEST)
    rows = cross_validate(sets, by_name, WekaFolds(n_repeats=1), protocol="published")
    frame = pd.DataFrame([asdict(row) for row in rows])
    frame[["column", "estimates", "parents"]] = frame["model"].map(names).tolist()
    keys = ["column", "estimates", "parents"]
    return 100 * frame.pivot_table("accuracy", keys, "dataset", sort=False)


def ranges(table: pd.DataFrame) -> pd.DataFrame:
    """Return the printed mean of each cell, and the range of ours over the choices."""
    rows = {}
    for cell in PAPER.cells:
        if cell.model in SCORES and cell.dataset in table:
            ours, printed = table.loc[cell.model][cell.dataset], float(cell.mean)
            off = max(ours.min() - printed, printed - ours.max(), 0.0)
            rows[cell.model, cell.dataset] = (printed, ours.min(), ours.max(), off)
    columns = ["printed", "lowest", "highest", "outside by"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def main() -> None:
    table = accuracies()
    print(table.mean(axis=1).unstack("column").round(2).to_string())
    print(ranges(table).round(2).to_string())


if __name__ == "__main__":
    main()
