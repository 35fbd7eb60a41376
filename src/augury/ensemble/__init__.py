"""Generative models that vote: boosting and bagging.

Rows are read once for all members (`members.py`); what differs between members is the
weight of the rows, or the structure that is found in them.

- `BaggedNetworks`: Bagging-aCLL, networks of bootstrap samples that vote
- `BoostedNaiveBayes`: AdaBoost over naive Bayes, or over any other generative model
"""

from augury.ensemble.bagged_networks import BaggedNetworks
from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes

__all__ = ["BaggedNetworks", "BoostedNaiveBayes"]
