"""Generative opinion and discriminative decision.

- `AugmentedClassifier`: one model's opinion as features of another (NB-LR and its like)
- `BlendedNaiveBayes`: one θ between the generative and the discriminative estimate
- `SplitClassifier`: a generative model of some columns, logistic regression on the others;
  `HBayesNB` finds them by accuracy
"""

from augury.hybrid.augmented_classifier import AugmentedClassifier
from augury.hybrid.blended_naive_bayes import BlendedNaiveBayes
from augury.hybrid.hbayes_nb import HBayesNB
from augury.hybrid.split_classifier import SplitClassifier

__all__ = ["AugmentedClassifier", "BlendedNaiveBayes", "HBayesNB", "SplitClassifier"]
