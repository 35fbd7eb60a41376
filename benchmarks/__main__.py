"""Run all benchmarks, or those named: python -m benchmarks naive_bayes startup."""

import importlib
import sys

ALL = ("startup", "counting", "naive_bayes")

for name in sys.argv[1:] or ALL:
    if name not in ALL:
        sys.exit(f"unknown benchmark {name!r}: choose from {', '.join(ALL)}")
    print(f"--- {name}")
    importlib.import_module(f"benchmarks.{name}").main()
