"""Models of p(c, x), each estimated from statistics that add.

n rows, d columns with v states each, q classes; nnz: what a sparse row or matrix stores.

Categories (numbers are cut into intervals, unless NaiveBayes keeps them)

===========================  ===================================  ======  =======  ===========
model                        given the class                      fit     predict  memory
===========================  ===================================  ======  =======  ===========
`NaiveBayes`                 columns are independent              n d     d q      d v q
`HiddenNaiveBayes`           each depends on a mix of all others  n d²/2  d² q     (d v)² q
`AveragedOneDependence`      each on one other; mean over all     n d²/2  d² q     (d v)² q
… with `n_parents=2`         each on two others; mean over all    n d³/2  d³ q     (d v)³ q
`TreeAugmentedNaiveBayes`    each on one other: the best tree     n d²/2  d q      (d v)² q
`KDependenceBayes`           each on up to k others               n d²/2  d q      d v^(k+1) q
`BayesianNetworkClassifier`  each on given or searched parents    n d²    d q      d v^(k+1) q
===========================  ===================================  ======  =======  ===========

Numbers (labels become indicators)

=================================  =========================  ====  =======  ======
model                              given the class            fit   predict  memory
=================================  =========================  ====  =======  ======
`LinearDiscriminantAnalysis`       normal, one covariance     n d²  d²       d²
`QuadraticDiscriminantAnalysis`    normal, a covariance each  n d²  d² q     d² q
`RegularizedDiscriminantAnalysis`  normal, between the two    n d²  d² q     d² q
=================================  =========================  ====  =======  ======

Events and counts (sparse stays sparse)

=======================  =========================================  ===  =======  ======
model                    given the class                            fit  predict  memory
=======================  =========================================  ===  =======  ======
`BernoulliNaiveBayes`    each event happens or not                  nnz  q nnz    d q
`MultinomialNaiveBayes`  each event is a cast of the class's die    nnz  q nnz    d q
`PoissonNaiveBayes`      each count has a rate, and so has the row  nnz  q nnz    d q
=======================  =========================================  ===  =======  ======

The models that look at pairs also hold (d v)² q numbers while they fit.

What for: NaiveBayes for the first look, few rows and very wide tables; HiddenNaiveBayes
and AveragedOneDependence for the best accuracy and calibration on small and medium
tables without any search; TreeAugmentedNaiveBayes, KDependenceBayes and networks where
the structure itself is wanted, or rows are many and predictions must be fast; the
discriminant analyses for numbers that are roughly normal; the event models for text.
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.generative.averaged_one_dependence import (
        AveragedOneDependence as AveragedOneDependence,
    )
    from augury.generative.bases.generative_classifier import (
        GenerativeClassifier as GenerativeClassifier,
    )
    from augury.generative.bases.training_counts import TrainingCounts as TrainingCounts
    from augury.generative.bayesian_network_classifier import (
        BayesianNetworkClassifier as BayesianNetworkClassifier,
    )
    from augury.generative.bayesian_network_classifier import StructureLearner as StructureLearner
    from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes as BernoulliNaiveBayes
    from augury.generative.discriminant_analysis import (
        LinearDiscriminantAnalysis as LinearDiscriminantAnalysis,
    )
    from augury.generative.discriminant_analysis import (
        QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis,
    )
    from augury.generative.hidden_naive_bayes import HiddenNaiveBayes as HiddenNaiveBayes
    from augury.generative.k_dependence_bayes import KDependenceBayes as KDependenceBayes
    from augury.generative.multinomial_naive_bayes import (
        MultinomialNaiveBayes as MultinomialNaiveBayes,
    )
    from augury.generative.naive_bayes import NaiveBayes as NaiveBayes
    from augury.generative.poisson_naive_bayes import PoissonNaiveBayes as PoissonNaiveBayes
    from augury.generative.regularized_discriminant_analysis import (
        RegularizedDiscriminantAnalysis as RegularizedDiscriminantAnalysis,
    )
    from augury.generative.tree_augmented_naive_bayes import (
        TreeAugmentedNaiveBayes as TreeAugmentedNaiveBayes,
    )

_folder = LazyFolder(
    __name__,
    also={
        "GenerativeClassifier": "bases.generative_classifier",
        "TrainingCounts": "bases.training_counts",
        "StructureLearner": "bayesian_network_classifier",
    },
)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
