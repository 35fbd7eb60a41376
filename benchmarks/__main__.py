"""Run all benchmarks, or those named: python -m benchmarks naive_bayes startup."""

import importlib
import os
import sys

ALL = (
    "startup",
    "counting",
    "naive_bayes",
    "pair_models",
    "event_models",
    "discriminants",
    "network_search",
    "logistic_regression",
    "augmented",
    "split_search",
)
# Studies of accuracy, which are run only if they are named.
STUDIES = (
    "smoothing_study",
    "augmentation_study",
    "text_study",
    "fair_fight",
    "learning_curves",
    "discriminant_simulation",
)

# The other packages get one thread too. This must be set before they are imported.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# fair_fight takes a folder as its argument.
names = sys.argv[1:2] if sys.argv[1:2] == ["fair_fight"] else sys.argv[1:]
for name in names or ALL:
    if name not in (*ALL, *STUDIES):
        sys.exit(f"unknown benchmark {name!r}: choose from {', '.join((*ALL, *STUDIES))}")
    print(f"--- {name}")
    importlib.import_module(f"benchmarks.{name}").main()
