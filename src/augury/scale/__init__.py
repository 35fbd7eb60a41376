"""Tables that are larger than memory or lie on several machines: the same statistics, summed."""
