"""Structures of Bayesian networks: scores, searches and drawings."""

from augury.structure.conditional_scores import acll, conditional_log_likelihood, fcll
from augury.structure.family_scores import FamilyScores, JointCounts
from augury.structure.hill_climb import HillClimb
from augury.structure.independence_tests import IndependenceTests, g_squared
from augury.structure.k_dependence import k_dependence
from augury.structure.order_search import OrderSearch
from augury.structure.scores import aic, bdeu, bic, k2, log_likelihood
from augury.structure.skeleton import SkeletonLearner
from augury.structure.structure import Structure
from augury.structure.tree import maximum_spanning_tree

__all__ = [
    "FamilyScores",
    "HillClimb",
    "IndependenceTests",
    "JointCounts",
    "OrderSearch",
    "SkeletonLearner",
    "Structure",
    "acll",
    "aic",
    "bdeu",
    "bic",
    "conditional_log_likelihood",
    "fcll",
    "g_squared",
    "k2",
    "k_dependence",
    "log_likelihood",
    "maximum_spanning_tree",
]
