"""Benchmarks of speed and memory, side by side with other libraries."""
