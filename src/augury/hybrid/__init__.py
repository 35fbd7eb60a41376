"""Hybrids of generative and discriminative models.

- `GenerativeFeatures`: transformer that appends class probabilities of a model
- `AugmentedClassifier`: class probabilities of one model as meta-features of another (NB-LR)
- `BlendedNaiveBayes`: naive Bayes between its generative and its discriminative estimate
- `DiscriminativelyWeightedNaiveBayes`: naive Bayes with weights of the columns by conditional
  likelihood (WANBIA-C)
- `SplitClassifier`: a generative model of some columns times a logistic regression on the
  others. The columns are given, or chosen: `HBayesNB` by accuracy, `InformationSplit` by
  conditional mutual information, `BiasVarianceSplit` by bias and variance, `IndependenceSplit`
  by tests of the assumption of naive Bayes, `NormalitySplit` by tests of normality
- `RegionWeightedNaiveBayes`: a naive Bayes of each region of a text, weighted by a logistic
  regression of log odds per word; `MaximumEntropyNaiveBayes`: weighted log likelihoods;
  `RegionLogisticRegression`: the same beside a regression on the words

Folders: `inner_models` (fitting of the models inside a hybrid), `meta_features` (class
probabilities as features), `regions` (regions of texts), `splits` (search for a split).
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.hybrid.augmented_classifier import AugmentedClassifier as AugmentedClassifier
    from augury.hybrid.bias_variance_split import BiasVarianceSplit as BiasVarianceSplit
    from augury.hybrid.blended_naive_bayes import BlendedNaiveBayes as BlendedNaiveBayes
    from augury.hybrid.discriminatively_weighted_naive_bayes import (
        DiscriminativelyWeightedNaiveBayes as DiscriminativelyWeightedNaiveBayes,
    )
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
