"""Boosting and bagging of generative models.

Rows are read once for all members. Members differ in the weights of the rows, or in the
structure that is learned.

- `BaggedNetworks`: Bagging-aCLL, a vote of networks that are learned from bootstrap samples
- `BoostedNaiveBayes`: AdaBoost with naive Bayes, or any other generative model
"""

from augury.ensemble.bagged_networks import BaggedNetworks
from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes

__all__ = ["BaggedNetworks", "BoostedNaiveBayes"]
