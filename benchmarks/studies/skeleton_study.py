"""Hill climbing within a learned skeleton (a super-structure) beside the free search.

Data sets with many columns, honest protocol, three of WEKA's folds; for CLL the first of them.
Seconds are processor seconds of one thread. `python -m benchmarks skeleton_study` takes two
minutes. The tables are in docs/results/acll-bagging-2014.md.
"""

import time
from dataclasses import dataclass, field
from itertools import islice

import pandas as pd

from augury.data import load_dataset
from augury.evaluate import WekaFolds
from augury.generative import BayesianNetworkClassifier
from augury.structure import FamilyScores, HillClimb, IndependenceTests, Structure
from augury.structure.objectives import ConditionalLikelihood

DATA_SETS = ("kr-vs-kp", "splice", "mushroom", "soybean", "audiology")
CLL_DATA_SETS = ("kr-vs-kp", "soybean")
SKELETONS = {
    "none": None,
    "0 conditions": IndependenceTests(level=0.05, n_conditions=0),
    "1 condition": IndependenceTests(level=0.05, n_conditions=1),
}


@dataclass
class Measured:
    """A search that measures its seconds, its skeleton and the score that it reaches."""

    search: HillClimb
    measures: dict[str, float] = field(default_factory=dict)

    def learn(self, counts) -> Structure:
        """Return the structure that the search finds, and keep the measures."""
        counts.joint((0, 1))  # pairs are counted once, before the clock starts
        started = time.process_time()
        skeleton = self.search.skeleton
        if skeleton is not None:
            skeleton = skeleton.learn_skeleton(counts, given_class=True)
        n = len(counts.n_states)
        tested = time.process_time()
        found = HillClimb(self.search.score, order=self.search.order, skeleton=skeleton).learn(
            counts
        )
        self.measures.update(
            pairs=100.0 if skeleton is None else 100 * skeleton.sum() / (n * (n - 1)),
            tests=tested - started,
            search=time.process_time() - tested,
            edges=len(found.edges),
            score=self._score(counts, found),
        )
        return found

    def _score(self, counts, found: Structure) -> float:
        if self.search.score == "cll":
            return ConditionalLikelihood(counts, self.search.alpha).settle(list(found.parents))
        return FamilyScores(counts, self.search.score).total(found)


def measure(name, search, n_used):
    """Return the means over the folds that are used."""
    data = load_dataset(name)
    rows = []
    folds = WekaFolds(n_splits=3, n_repeats=1).split(data.X, data.y)
    for train, test in islice(folds, n_used):
        measured = Measured(search)
        model = BayesianNetworkClassifier(measured).fit(data.X.iloc[train], data.y.iloc[train])
        accuracy = 100 * model.score(data.X.iloc[test], data.y.iloc[test])
        rows.append({"accuracy": accuracy, **measured.measures})
    return pd.DataFrame(rows).mean()


def compare(names, scores, orders, n_used) -> pd.DataFrame:
    found = {
        (name, score, order or "steepest", label): measure(
            name, HillClimb(score, order=order, skeleton=skeleton), n_used
        )
        for name in names
        for score in scores
        for order in orders
        for label, skeleton in SKELETONS.items()
    }
    return pd.DataFrame(found).T.rename_axis(["set", "score of", "search by", "skeleton"])


def main() -> None:
    print(compare(DATA_SETS, ("k2", "acll"), (None,), 3).round(3).to_string(), flush=True)
    print(compare(CLL_DATA_SETS, ("cll",), (None, "columns"), 1).round(3).to_string())


if __name__ == "__main__":
    main()
