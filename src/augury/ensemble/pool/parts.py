"""The models that the flagship pools, by effort and by the size of the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from types import MappingProxyType

from augury.discriminative import KernelClassifier
from augury.ensemble.random_cut_ensemble import RandomCutEnsemble
from augury.ensemble.randomized_trees import RandomizedTrees
from augury.ensemble.tree_boosting import TreeBoosting
from augury.foreign import Classifier
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier

# With more columns, the pairs of columns take longer than everything else.
_COLUMNS_IN_PAIRS = 200
# With fewer rows, boosted trees add nothing to the other parts; nor do they in fewer rounds.
_ROWS_TO_BOOST, _FEWEST_ROUNDS, _MOST_ROUNDS = 1_000, 30, 300
# A tree takes as long for the codes of a column as for so many rows.
_ROWS_OF_CODES = 2_000


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work the parts do.

    Attributes
    ----------
    n_trees : number of randomised trees
    tree_rows : rows that all trees together draw at most, unless 5,000 rows a tree are more
    n_landmarks : landmarks of the kernel at most
    kernel_steps : multiplications of the kernel's features at most, unless 64 landmarks take more
    n_cut_models : members of the ensemble with random cut points; 0 leaves it out
    boosting_steps : rows times columns times trees of the boosting at most
    """

    n_trees: int
    tree_rows: int
    n_landmarks: int
    kernel_steps: int
    n_cut_models: int
    boosting_steps: int


EFFORTS: Mapping[str, Effort] = MappingProxyType(
    {
        "fast": Effort(30, 200_000, 100, 50_000_000, 0, 20_000_000),
        "balanced": Effort(100, 1_000_000, 500, 500_000_000, 24, 1_000_000_000),
        "best": Effort(300, 10_000_000, 1_000, 5_000_000_000, 48, 10_000_000_000),
    }
)


def make_parts(
    effort: str, shape: tuple[int, int], seed: int, n_jobs: int | None, *, n_classes: int = 2
) -> dict[str, Classifier]:
    """Return the parts of the flagship for a table of this shape and classes, by their names."""
    plan = EFFORTS[effort]
    n_rows, n_columns = shape
    pairs = n_columns <= _COLUMNS_IN_PAIRS
    landmarks = max(64, min(plan.n_landmarks, isqrt(plan.kernel_steps // max(n_rows, 1))))
    parts: dict[str, Classifier] = {
        "hybrid": AugmentedClassifier(HiddenNaiveBayes() if pairs else NaiveBayes()),
        "trees": RandomizedTrees(
            plan.n_trees,
            max_samples=max(5_000, plan.tree_rows // plan.n_trees),
            random_state=seed,
            n_jobs=n_jobs,
        ),
        "kernel": KernelClassifier(landmarks, random_state=seed, n_jobs=n_jobs),
    }
    if plan.n_cut_models:
        parts["random cuts"] = RandomCutEnsemble(
            NaiveBayes(),
            n_estimators=plan.n_cut_models,
            random_state=seed,
            n_jobs=n_jobs,
        )
    trees_of_round = 1 if n_classes == 2 else n_classes
    steps_of_round = (n_rows + _ROWS_OF_CODES) * n_columns * trees_of_round
    rounds = min(_MOST_ROUNDS, plan.boosting_steps // steps_of_round)
    if n_rows >= _ROWS_TO_BOOST and rounds >= _FEWEST_ROUNDS:
        parts["boosting"] = TreeBoosting(max_rounds=rounds, random_state=seed, n_jobs=n_jobs)
    return parts


__all__ = ["EFFORTS", "Effort", "make_parts"]
