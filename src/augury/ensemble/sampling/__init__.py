"""Samples of the training rows, and the predictions of the rows that they do not have."""
