"""Pictures of models and of their results, drawn by matplotlib (extra `plot`).

Each picture is a class in the manner of scikit-learn's displays. `from_estimator` computes the
numbers and draws them, `plot` draws them again. `ax_` and `figure_` are matplotlib's objects.
"""

from typing import Any

from augury.lazy_folder import LazyFolder

# Name of each display → the module of this folder that has it.
_DISPLAYS: dict[str, str] = {
    "BayesianComparisonDisplay": "bayesian_comparison",
    "BiasVarianceDisplay": "bias_variance",
    "ClassConditionalDisplay": "class_conditional",
    "ContributionsDisplay": "contributions",
    "CriticalDifferenceDisplay": "critical_difference",
    "DecisionRegionsDisplay": "decision_regions",
    "DensitySurfaceDisplay": "density_surface",
    "LearningCurveDisplay": "learning_curve",
    "NomogramDisplay": "nomogram",
    "ReliabilityDisplay": "reliability_diagram",
    "RoundsDisplay": "rounds",
    "StructureDisplay": "model_structure",
}

_folder = LazyFolder(__name__, also=_DISPLAYS)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
