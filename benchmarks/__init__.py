"""Benchmarks of speed and memory, studies of choices, and the comparison of two source trees."""
