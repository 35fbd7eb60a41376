"""Readers and writers of file formats: ARFF, CSV and TSV, Parquet."""
