"""Benchmarks of tables that are larger than memory; each makes its own files."""
