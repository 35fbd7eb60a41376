"""The same statistics, collected from rows that do not fit in memory or on one machine."""
