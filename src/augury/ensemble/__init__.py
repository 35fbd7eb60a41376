"""Generative models that vote: boosting and bagging.

Rows are read once for all members (`members.py`); what differs between members is the
weight of the rows, or the structure that is found in them.

- `BaggedNetworks`: Bagging-aCLL, networks of bootstrap samples that vote
- `BoostedNaiveBayes`: AdaBoost over naive Bayes, or over any other generative model
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.ensemble.bagged_networks import BaggedNetworks as BaggedNetworks
    from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes as BoostedNaiveBayes

_folder = LazyFolder(__name__)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
