"""The models that the flagship pools, by effort and by the size of the table."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from types import MappingProxyType

from augury.discriminative import KernelClassifier
from augury.ensemble.pool.held_out_folds import MANY_ROWS
from augury.ensemble.random_cut_ensemble import RandomCutEnsemble
from augury.ensemble.randomized_trees import RandomizedTrees
from augury.ensemble.tree_boosting import TreeBoosting
from augury.foreign import Classifier
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier

# With more columns, the pairs of columns take longer than everything else.
_COLUMNS_IN_PAIRS = 200
# With fewer rows, random cut points and more trees help; boosted trees do not, nor does "hybrid".
_MANY_FOR_CUTS = 1_000
# "hybrid" has a coefficient for each two classes.
_CLASSES_IN_PAIRS = 50
_FEWEST_ROUNDS, _MOST_ROUNDS = 20, 300
# A tree takes as long for the codes of a column as for so many rows.
_ROWS_OF_CODES = 2_000
# Boosted trees of many rows are few, large and different from each other.
_RATE_OF_FEW, _LEAVES_OF_FEW, _COLUMNS_OF_FEW = 0.2, 24, 0.5
# Trees of many rows have larger leaves.
_LEAF_OF_MANY_ROWS = 5


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work the parts do.

    Attributes
    ----------
    n_trees_of_few : number of randomised trees of less than 1,000 different rows
    n_trees : number of randomised trees of others; half of them if there are many rows
    tree_rows : rows that a tree draws at most
    n_landmarks : landmarks of the kernel at most
    kernel_steps : multiplications of the kernel's features at most, unless 64 landmarks take more
    column_weights : parameter of the kernel
    n_cut_models : members of the ensemble with random cut points; 0 leaves it out
    has_hybrid : whether "hybrid" is a part of tables below `MANY_ROWS` too, where it is fitted six
        times
    tries_readings : whether integers are tried as labels
    boosting_steps : rows times columns times boosted trees at most
    boosting_steps_of_many : the same for tables of many rows
    """

    n_trees_of_few: int
    n_trees: int
    tree_rows: int
    n_landmarks: int
    kernel_steps: int
    column_weights: str
    n_cut_models: int
    has_hybrid: bool
    tries_readings: bool
    boosting_steps: int
    boosting_steps_of_many: int


_MILLION = 1_000_000
EFFORTS: Mapping[str, Effort] = MappingProxyType(
    {
        "fast": Effort(
            24, 24, 10_000, 64, 50 * _MILLION, "equal", 0, False, False, 0, 60 * _MILLION
        ),
        "balanced": Effort(
            200, 100, 10_000, 400, 500 * _MILLION, "learned", 24, True, True, 1_000 * _MILLION,
            250 * _MILLION,
        ),
        "best": Effort(
            300, 300, 33_000, 1_000, 5_000 * _MILLION, "learned", 48, True, True, 10_000 * _MILLION,
            10_000 * _MILLION,
        ),
    }
)  # fmt: skip


def make_parts(
    effort: str, shape: tuple[int, int, int], seed: int, n_jobs: int | None
) -> dict[str, Classifier]:
    """Return the parts of the flagship by their names.

    The shape is the number of different rows, of columns and of classes.
    """
    plan = EFFORTS[effort]
    n_rows, n_columns, n_classes = shape
    pairs = n_columns <= _COLUMNS_IN_PAIRS
    is_few, is_large = n_rows < _MANY_FOR_CUTS, n_rows >= MANY_ROWS
    landmarks = max(64, min(plan.n_landmarks, isqrt(plan.kernel_steps // max(n_rows, 1))))
    parts: dict[str, Classifier] = {}
    has_hybrid = is_large or (plan.has_hybrid and not is_few)
    if has_hybrid and n_classes <= _CLASSES_IN_PAIRS:
        parts["hybrid"] = AugmentedClassifier(HiddenNaiveBayes() if pairs else NaiveBayes())
    parts["kernel"] = KernelClassifier(
        landmarks, plan.column_weights, random_state=seed, n_jobs=n_jobs
    )
    boosting = _make_boosting(plan, shape, seed, n_jobs)
    if boosting is not None:
        parts["boosting"] = boosting
    # Boosted trees of many rows leave nothing to randomised ones.
    if boosting is None or not is_large:
        parts["trees"] = RandomizedTrees(
            plan.n_trees_of_few if is_few else plan.n_trees // (2 if is_large else 1),
            min_samples_leaf=_LEAF_OF_MANY_ROWS if is_large else 1,
            max_samples=plan.tree_rows,
            random_state=seed,
            n_jobs=n_jobs,
        )
    # The cut points of many rows hardly vary: the members of an ensemble of them are alike.
    if plan.n_cut_models and is_few:
        parts["random cuts"] = RandomCutEnsemble(
            NaiveBayes(), n_estimators=plan.n_cut_models, random_state=seed, n_jobs=n_jobs
        )
    return parts


def _make_boosting(
    plan: Effort, shape: tuple[int, int, int], seed: int, n_jobs: int | None
) -> TreeBoosting | None:
    """Return boosted trees of as many rounds as the plan allows; None if these are too few."""
    n_rows, n_columns, n_classes = shape
    is_large = n_rows >= MANY_ROWS
    steps = plan.boosting_steps_of_many if is_large else plan.boosting_steps
    trees_of_round = 1 if n_classes == 2 else n_classes
    rounds = min(_MOST_ROUNDS, steps // ((n_rows + _ROWS_OF_CODES) * n_columns * trees_of_round))
    if n_rows < _MANY_FOR_CUTS or rounds < _FEWEST_ROUNDS:
        return None
    if is_large and rounds < _MOST_ROUNDS:
        return TreeBoosting(
            learning_rate=_RATE_OF_FEW,
            max_rounds=rounds,
            max_leaves=_LEAVES_OF_FEW,
            max_features=_COLUMNS_OF_FEW,
            random_state=seed,
            n_jobs=n_jobs,
        )
    return TreeBoosting(max_rounds=rounds, random_state=seed, n_jobs=n_jobs)


__all__ = ["EFFORTS", "Effort", "make_parts"]
