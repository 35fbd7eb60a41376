"""Benchmarks of speed and memory against other packages, and studies behind the defaults."""
