"""Models of p(c, x), each estimated from statistics that add.

==============  =====================================  =================  ==============
model           assumes                                fit                predict a row
==============  =====================================  =================  ==============
`NaiveBayes`    columns independent given the class    one count of n·d   d·q look-ups
==============  =====================================  =================  ==============
"""

from augury.generative.averaged_one_dependence import AveragedOneDependence
from augury.generative.base import GenerativeClassifier
from augury.generative.bayesian_network_classifier import (
    BayesianNetworkClassifier,
    StructureLearner,
)
from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes
from augury.generative.hidden_naive_bayes import HiddenNaiveBayes
from augury.generative.k_dependence_bayes import KDependenceBayes
from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes
from augury.generative.naive_bayes import NaiveBayes
from augury.generative.network import TrainingCounts
from augury.generative.poisson_naive_bayes import PoissonNaiveBayes
from augury.generative.tree_augmented_naive_bayes import TreeAugmentedNaiveBayes

__all__ = [
    "AveragedOneDependence",
    "BayesianNetworkClassifier",
    "BernoulliNaiveBayes",
    "GenerativeClassifier",
    "HiddenNaiveBayes",
    "KDependenceBayes",
    "MultinomialNaiveBayes",
    "NaiveBayes",
    "PoissonNaiveBayes",
    "StructureLearner",
    "TrainingCounts",
    "TreeAugmentedNaiveBayes",
]
