"""Bases of the discriminative models."""
