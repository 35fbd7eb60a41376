"""Bayesian networks in files and objects of other programs: BIF, XMLBIF, pgmpy and pyAgrum."""
