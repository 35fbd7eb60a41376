"""The search of the aCLL paper: readings of its text, and the effect of the start node.

Data sets, folds and estimates are those of `augury reproduce acll-bagging-2014` (published
protocol), without letter, with one run of the ten folds. `python -m benchmarks start_node_study`
takes two minutes. The tables are in docs/results/acll-bagging-2014.md.
"""

from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from augury.evaluate import WekaFolds, cross_validate
from augury.evaluate.folds import prepare_table
from augury.generative import BayesianNetworkClassifier
from augury.papers import find_paper
from augury.papers.acll_bagging_2014 import ALPHA, EQUIVALENT_SAMPLE_SIZE, MAX_PARENTS, load_view
from augury.structure import FamilyScores, HillClimb, OrderSearch, Structure
from augury.structure.climber import Climber
from augury.structure.objectives import SumOfFamilies

FOLDS = WekaFolds(n_splits=10, n_repeats=1)
N_BOOTSTRAPS = 10


@dataclass(frozen=True)
class AllMovesOfANode:
    """Hill climbing in which a node takes moves until none gains; then the next node does."""

    def learn(self, counts):
        """Return the structure that the search finds."""
        n = len(counts.n_states)
        climber = Climber(SumOfFamilies(FamilyScores(counts, "acll")), [()] * n, MAX_PARENTS)
        changed = True
        while changed:
            changed = False
            for i in range(n):
                while (move := climber.best_move(i)) and move.gain > climber.smallest_gain:
                    climber.apply(move)
                    changed = True
        return Structure(tuple(climber.nodes))


def network(search):
    return BayesianNetworkClassifier(
        search, alpha=ALPHA, equivalent_sample_size=EQUIVALENT_SAMPLE_SIZE
    )


def climb(**more):
    return HillClimb("acll", max_parents=MAX_PARENTS, **more)


def data_sets():
    names = [name for name in find_paper("acll-bagging-2014").datasets if name != "letter"]
    return [load_view(name) for name in names]


def readings(sets):
    """Return the mean accuracy of each reading of the paper's search on each data set."""
    models = {
        "one move per visit": network(climb(order="columns")),
        "all moves of a node": network(AllMovesOfANode()),
        "steepest": network(climb()),
    }
    rows = []
    for data in sets:
        n = data.X.shape[1]
        # The order depends on the number of columns.
        models["parents from before"] = network(OrderSearch("acll", MAX_PARENTS, order=range(n)))
        found = cross_validate([data], models, FOLDS, protocol="published")
        rows += [asdict(row) for row in found]
    frame = pd.DataFrame(rows)
    return 100 * frame.pivot_table("accuracy", "dataset", "model", sort=False)


def by_start_node(data):
    """Return the accuracies over the start nodes, and how much predictions differ, in percent.

    Two networks have different start nodes and the same rows, or the same start node and different
    bootstrap samples.
    """
    table = prepare_table(data, "published")
    n, rng = table.X.shape[1], np.random.default_rng(0)
    searches = [climb(order="columns", start_node=k) for k in range(n)]
    accuracies, of_starts, of_samples = [], [], []
    for train, test in FOLDS.split(table.X, table.y):
        X, y, X_test = table.X.iloc[train], table.y.iloc[train], table.X.iloc[test]
        started = [network(search).fit(X, y).predict(X_test) for search in searches]
        drawn = [
            network(searches[0])
            .fit(X, y, sample_weight=rng.multinomial(len(y), [1 / len(y)] * len(y)))
            .predict(X_test)
            for _ in range(N_BOOTSTRAPS)
        ]
        accuracies.append([np.mean(predicted == table.y.iloc[test]) for predicted in started])
        of_starts.append(_mean_difference(started))
        of_samples.append(_mean_difference(drawn))
    accuracy = 100 * np.mean(accuracies, axis=0)
    return {
        "start nodes": n,
        "structures": len(
            {network(search).fit(table.X, table.y).structure_ for search in searches}
        ),
        "lowest": accuracy.min(),
        "mean": accuracy.mean(),
        "highest": accuracy.max(),
        "deviation": accuracy.std(ddof=1),
        "differ by start": 100 * np.mean(of_starts),
        "differ by sample": 100 * np.mean(of_samples),
    }


def _mean_difference(predictions):
    return np.mean([np.mean(a != b) for a, b in combinations(predictions, 2)])


def main() -> None:
    sets = data_sets()
    table = readings(sets)
    print(pd.concat([table, table.mean().to_frame("average").T]).round(2).to_string())
    spread = pd.DataFrame({data.name: by_start_node(data) for data in sets}).T
    print(pd.concat([spread, spread.mean().to_frame("average").T]).round(2).to_string())


if __name__ == "__main__":
    main()
