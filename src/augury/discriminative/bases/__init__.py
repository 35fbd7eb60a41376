"""Base classes of the discriminative models."""
