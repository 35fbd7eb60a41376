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

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.hybrid.augmented_classifier import AugmentedClassifier as AugmentedClassifier
    from augury.hybrid.bias_variance_split import BiasVarianceSplit as BiasVarianceSplit
    from augury.hybrid.blended_naive_bayes import BlendedNaiveBayes as BlendedNaiveBayes
    from augury.hybrid.generative_features import GenerativeFeatures as GenerativeFeatures
    from augury.hybrid.hbayes_nb import HBayesNB as HBayesNB
    from augury.hybrid.independence_split import IndependenceSplit as IndependenceSplit
    from augury.hybrid.information_split import InformationSplit as InformationSplit
    from augury.hybrid.maximum_entropy_naive_bayes import (
        MaximumEntropyNaiveBayes as MaximumEntropyNaiveBayes,
    )
    from augury.hybrid.normality_split import NormalitySplit as NormalitySplit
    from augury.hybrid.region_logistic_regression import (
        RegionLogisticRegression as RegionLogisticRegression,
    )
    from augury.hybrid.region_weighted_naive_bayes import (
        RegionWeightedNaiveBayes as RegionWeightedNaiveBayes,
    )
    from augury.hybrid.split_classifier import SplitClassifier as SplitClassifier

_folder = LazyFolder(__name__, also={"GenerativeFeatures": "generative_features"})


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
