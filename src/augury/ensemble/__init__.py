"""Ensembles: boosting, bagging, randomised trees, and the pool of models of different kinds.

- `BaggedNetworks`: Bagging-aCLL, a vote of networks that are learned from bootstrap samples
- `BoostedNaiveBayes`: AdaBoost with naive Bayes, or any other generative model
- `HybridClassifier`: the flagship, models of different kinds weighted by held-out log loss
- `RandomCutEnsemble`: generative models of bootstrap samples with random cut points
- `RandomizedTrees`: extremely randomised trees with smoothed leaves
- `TreeBoosting`: gradient boosting of small trees
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.ensemble.bagged_networks import BaggedNetworks as BaggedNetworks
    from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes as BoostedNaiveBayes
    from augury.ensemble.hybrid_classifier import HybridClassifier as HybridClassifier
    from augury.ensemble.random_cut_ensemble import RandomCutEnsemble as RandomCutEnsemble
    from augury.ensemble.randomized_trees import RandomizedTrees as RandomizedTrees
    from augury.ensemble.tree_boosting import TreeBoosting as TreeBoosting

_folder = LazyFolder(__name__)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
