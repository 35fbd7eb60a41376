"""Minimise convex functions."""
