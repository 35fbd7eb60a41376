"""The models that the flagship pools, by effort and by the size of the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from types import MappingProxyType

from augury.discriminative import KernelClassifier
from augury.ensemble.pool.held_out_folds import MANY_ROWS
from augury.ensemble.random_cut_ensemble import RandomCutEnsemble
from augury.ensemble.randomized_trees import RandomizedTrees
from augury.foreign import Classifier
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier

# With more columns, the pairs of columns take longer than everything else.
_COLUMNS_IN_PAIRS = 200
# Trees of many rows are fewer and have larger leaves.
_LEAF_OF_MANY_ROWS = 5


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work the parts do.

    Attributes
    ----------
    n_trees : number of randomised trees; half of them if there are many rows
    tree_rows : rows that a tree draws at most
    n_landmarks : landmarks of the kernel at most
    kernel_steps : multiplications of the kernel's features at most, unless 64 landmarks take more
    column_weights : parameter of the kernel
    n_cut_models : members of the ensemble with random cut points; 0 leaves it out
    has_hybrid : whether "hybrid" is a part of tables that are not large, of which it is fitted
        six times
    """

    n_trees: int
    tree_rows: int
    n_landmarks: int
    kernel_steps: int
    column_weights: str
    n_cut_models: int
    has_hybrid: bool


EFFORTS: Mapping[str, Effort] = MappingProxyType(
    {
        "fast": Effort(24, 10_000, 64, 50_000_000, "equal", 0, has_hybrid=False),
        "balanced": Effort(100, 10_000, 400, 500_000_000, "learned", 24, has_hybrid=True),
        "best": Effort(300, 33_000, 1_000, 5_000_000_000, "learned", 48, has_hybrid=True),
    }
)


def make_parts(
    effort: str, n_rows: int, n_columns: int, seed: int, n_jobs: int | None
) -> dict[str, Classifier]:
    """Return the parts of the flagship by their names, for so many different rows."""
    plan = EFFORTS[effort]
    pairs = n_columns <= _COLUMNS_IN_PAIRS
    is_large = n_rows >= MANY_ROWS
    n_trees = plan.n_trees // 2 if is_large else plan.n_trees
    landmarks = max(64, min(plan.n_landmarks, isqrt(plan.kernel_steps // max(n_rows, 1))))
    parts: dict[str, Classifier] = {}
    if plan.has_hybrid or is_large:
        parts["hybrid"] = AugmentedClassifier(HiddenNaiveBayes() if pairs else NaiveBayes())
    parts["trees"] = RandomizedTrees(
        n_trees,
        min_samples_leaf=_LEAF_OF_MANY_ROWS if is_large else 1,
        max_samples=plan.tree_rows,
        random_state=seed,
        n_jobs=n_jobs,
    )
    parts["kernel"] = KernelClassifier(
        landmarks, plan.column_weights, random_state=seed, n_jobs=n_jobs
    )
    # The cut points of many rows hardly vary: all members of an ensemble of them would be alike.
    if plan.n_cut_models and not is_large:
        parts["random cuts"] = RandomCutEnsemble(
            NaiveBayes(),
            n_estimators=plan.n_cut_models,
            random_state=seed,
            n_jobs=n_jobs,
        )
    return parts


__all__ = ["EFFORTS", "Effort", "make_parts"]
