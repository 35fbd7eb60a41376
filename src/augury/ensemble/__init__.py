"""Generative models that vote: boosting and bagging.

Rows are read once for all members (`members.py`); what differs between members is the
weight of the rows, or the structure that is found in them.

- `BoostedNaiveBayes`: AdaBoost over naive Bayes, or over any other generative model
"""

from augury.ensemble.boosted_naive_bayes import BoostedNaiveBayes

__all__ = ["BoostedNaiveBayes"]
