"""Generative opinion and discriminative decision.

- `GenerativeFeatures`: a transformer that appends a model's opinion of each row
- `AugmentedClassifier`: that, and another model which decides (NB-LR and its like)
- `BlendedNaiveBayes`: one θ between the generative and the discriminative estimate
- `SplitClassifier`: a generative model of some columns, logistic regression on the others,
  outputs multiplied. Which columns go where is given, or found:
  `HBayesNB` by accuracy, `InformationSplit` by conditional mutual information,
  `BiasVarianceSplit` by bias against variance, `IndependenceSplit` by tests of naive Bayes'
  assumption, `NormalitySplit` by tests of discriminant analysis' one
- `RegionWeightedNaiveBayes`: a naive Bayes of each region of a text, weighed by a logistic
  regression of log odds per word; `MaximumEntropyNaiveBayes`: of log likelihoods;
  `RegionLogisticRegression`: beside a regression of the words
"""

from augury.hybrid.augmented_classifier import AugmentedClassifier
from augury.hybrid.bias_variance_split import BiasVarianceSplit
from augury.hybrid.blended_naive_bayes import BlendedNaiveBayes
from augury.hybrid.generative_features import GenerativeFeatures
from augury.hybrid.hbayes_nb import HBayesNB
from augury.hybrid.independence_split import IndependenceSplit
from augury.hybrid.information_split import InformationSplit
from augury.hybrid.maximum_entropy_naive_bayes import MaximumEntropyNaiveBayes
from augury.hybrid.normality_split import NormalitySplit
from augury.hybrid.region_logistic_regression import RegionLogisticRegression
from augury.hybrid.region_weighted_naive_bayes import RegionWeightedNaiveBayes
from augury.hybrid.split_classifier import SplitClassifier

__all__ = [
    "AugmentedClassifier",
    "BiasVarianceSplit",
    "BlendedNaiveBayes",
    "GenerativeFeatures",
    "HBayesNB",
    "IndependenceSplit",
    "InformationSplit",
    "MaximumEntropyNaiveBayes",
    "NormalitySplit",
    "RegionLogisticRegression",
    "RegionWeightedNaiveBayes",
    "SplitClassifier",
]
