"""Base class of the ensembles."""

from augury.ensemble.bases.generative_ensemble import GenerativeEnsemble

__all__ = ["GenerativeEnsemble"]
