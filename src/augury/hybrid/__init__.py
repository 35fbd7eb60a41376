"""Generative opinion and discriminative decision."""

from augury.hybrid.augmented_classifier import AugmentedClassifier

__all__ = ["AugmentedClassifier"]
