"""Discretisers: numbers become intervals."""
