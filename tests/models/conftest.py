"""The outside package is imported through its entry point, not collected by its path."""

collect_ignore = ["outside_package"]
