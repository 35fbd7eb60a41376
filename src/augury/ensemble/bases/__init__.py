"""Bases of the ensembles."""
