"""Fitting of the models inside a hybrid, and the tables that they read.

- `fitting`: fits to class codes, weights, class probabilities of all declared classes
- `tables`: some columns of a table, and one reading of each column for several models
"""
