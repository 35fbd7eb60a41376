"""Generative opinion and discriminative decision.

- `AugmentedClassifier`: one model's opinion as features of another (NB-LR and its like)
- `BlendedNaiveBayes`: one θ between the generative and the discriminative estimate
"""

from augury.hybrid.augmented_classifier import AugmentedClassifier
from augury.hybrid.blended_naive_bayes import BlendedNaiveBayes

__all__ = ["AugmentedClassifier", "BlendedNaiveBayes"]
