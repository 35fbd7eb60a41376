"""Models of p(c, x), each estimated from statistics that add.

The tables give the orders of time and memory for n rows, d columns with v states each and q
classes; nnz is the number of stored values of a sparse row or matrix.

Categorical columns (numbers are cut into intervals; `NaiveBayes` can also keep them)

===============================  ===================================  ======  =======  ===========
model                            given the class                      fit     predict  memory
===============================  ===================================  ======  =======  ===========
`NaiveBayes`                     columns are independent              n d     d q      d v q
`CorrelationWeightedNaiveBayes`  independent, factors to a power      n d²/2  d q      (d v)²
`HiddenNaiveBayes`               one hidden parent: a mix of columns  n d²/2  d² q     (d v)² q
`AveragedOneDependence`          one parent; mean over all parents    n d²/2  d² q     (d v)² q
… with `n_parents=2`             two parents; mean over all pairs     n d³/2  d³ q     (d v)³ q
`TreeAugmentedNaiveBayes`        one parent: the best tree            n d²/2  d q      (d v)² q
`KDependenceBayes`               up to k parents                      n d²/2  d q      d v^(k+1) q
`BayesianNetworkClassifier`      given or learned parents             n d²    d q      d v^(k+1) q
===============================  ===================================  ======  =======  ===========

Numeric columns (labels become indicators)

=================================  =========================  ======  =======  =========
model                              given the class            fit     predict  memory
=================================  =========================  ======  =======  =========
`LinearDiscriminantAnalysis`       normal, one covariance     n d²    d²       d²
`QuadraticDiscriminantAnalysis`    normal, own covariances    n d²    d² q     d² q
`RegularizedDiscriminantAnalysis`  normal, between the two    n d²    d² q     d² q
`MixtureDiscriminantAnalysis`      mixture of r normals       i n d²  r d² q   n d + d²
=================================  =========================  ======  =======  =========

i is the number of starts times iterations times components.

Events and counts (a sparse matrix stays sparse)

=======================  ============================================  ===  =======  ======
model                    given the class                               fit  predict  memory
=======================  ============================================  ===  =======  ======
`BernoulliNaiveBayes`    each event occurs or not                      nnz  q nnz    d q
`MultinomialNaiveBayes`  events drawn from a categorical distribution  nnz  q nnz    d q
`PoissonNaiveBayes`      each count has a Poisson distribution         nnz  q nnz    d q
=======================  ============================================  ===  =======  ======

Models that count pairs of columns also need (d v)² q numbers in memory during `fit`.

Use `NaiveBayes` first, and for few rows or very wide tables. `HiddenNaiveBayes` and
`AveragedOneDependence` have the best accuracy and calibration on small and medium tables.
`TreeAugmentedNaiveBayes`, `KDependenceBayes` and `BayesianNetworkClassifier` show the structure,
and predict fast after a fit to many rows. The discriminant analyses are for numbers that are
roughly normal, the event models for texts.
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
    from augury.generative.bases.structure_learner import StructureLearner as StructureLearner
    from augury.generative.bases.training_counts import TrainingCounts as TrainingCounts
    from augury.generative.bayesian_network_classifier import (
        BayesianNetworkClassifier as BayesianNetworkClassifier,
    )
    from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes as BernoulliNaiveBayes
    from augury.generative.correlation_weighted_naive_bayes import (
        CorrelationWeightedNaiveBayes as CorrelationWeightedNaiveBayes,
    )
    from augury.generative.given_network import GivenNetwork as GivenNetwork
    from augury.generative.hidden_naive_bayes import HiddenNaiveBayes as HiddenNaiveBayes
    from augury.generative.k_dependence_bayes import KDependenceBayes as KDependenceBayes
    from augury.generative.linear_discriminant_analysis import (
        LinearDiscriminantAnalysis as LinearDiscriminantAnalysis,
    )
    from augury.generative.mixture_discriminant_analysis import (
        MixtureDiscriminantAnalysis as MixtureDiscriminantAnalysis,
    )
    from augury.generative.multinomial_naive_bayes import (
        MultinomialNaiveBayes as MultinomialNaiveBayes,
    )
    from augury.generative.naive_bayes import NaiveBayes as NaiveBayes
    from augury.generative.poisson_naive_bayes import PoissonNaiveBayes as PoissonNaiveBayes
    from augury.generative.quadratic_discriminant_analysis import (
        QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis,
    )
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
        "StructureLearner": "bases.structure_learner",
        "GivenNetwork": "given_network",
    },
)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
