"""Boosting and bagging of generative models.

Rows are read once for all members. Members differ in the weights of the rows, in the structure
that is learned, or in the cut points of the numbers.

- `BaggedNetworks`: Bagging-aCLL, a vote of networks that are learned from bootstrap samples
- `BoostedNaiveBayes`: AdaBoost with naive Bayes, or any other generative model
- `RandomCutEnsemble`: bagging with random cut points of the numbers
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.ensemble.bagged_networks import BaggedNetworks as BaggedNetworks
    from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes as BoostedNaiveBayes
    from augury.ensemble.random_cut_ensemble import RandomCutEnsemble as RandomCutEnsemble

_folder = LazyFolder(__name__)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
