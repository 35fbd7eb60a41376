"""Boosting and bagging of generative models, and randomised trees.

Rows are read once for all members. Members differ in the weights of the rows, or in the
structure that is learned.

- `BaggedNetworks`: Bagging-aCLL, a vote of networks that are learned from bootstrap samples
- `BoostedNaiveBayes`: AdaBoost with naive Bayes, or any other generative model
- `RandomizedTrees`: extremely randomised trees on mixed columns
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.ensemble.bagged_networks import BaggedNetworks as BaggedNetworks
    from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes as BoostedNaiveBayes
    from augury.ensemble.randomized_trees import RandomizedTrees as RandomizedTrees

_folder = LazyFolder(__name__)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
