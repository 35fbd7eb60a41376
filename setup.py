"""The one compiled part: kernels in C over the buffer protocol, in Python's stable ABI.

The limited API (3.11) makes one wheel serve every later Python, and needs no
header but Python's own.
"""

import sys

from setuptools import Extension, setup

# No contraction into fused multiply-adds and no -ffast-math: cut points and
# probabilities must be the same numbers on every machine.
compile_args = [] if sys.platform == "win32" else ["-O3", "-std=c11", "-Wall", "-ffp-contract=off"]

setup(
    ext_modules=[
        Extension(
            "augury.kernels._native",
            sources=[
                f"src/augury/kernels/{name}.c"
                for name in (
                    "_native",
                    "integers",
                    "class_values",
                    "pairs",
                    "pair_models",
                    "filled_cells",
                    "without_row",
                    "information",
                    "likelihood",
                    "slot_sums",
                    "logistic",
                    "merge",
                    "cuts",
                    "bins",
                    "cuts_by_class",
                    "tree_splits",
                    "random_tree_leaves",
                    "random_trees",
                    "boosted_tree_values",
                    "tree_boosting",
                    "tree_rows",
                    "delimited",
                    "value_kinds",
                )
            ],
            depends=[
                f"src/augury/kernels/{name}.h"
                for name in (
                    "_native",
                    "slots",
                    "cuts",
                    "delimited",
                    "boosted_splits",
                    "boosted_trees",
                    "random_splits",
                    "random_trees",
                    "wide_loops",
                )
            ],
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
            extra_compile_args=compile_args,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
