"""The one compiled part: kernels in C over the buffer protocol, in Python's stable ABI.

The limited API (3.11) makes one wheel serve every later Python, and needs no
header but Python's own.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

# No contraction into fused multiply-adds and no -ffast-math: cut points and
# probabilities must be the same numbers on every machine. MSVC contracts by /fp:fast only.
# Hidden symbols: calls between the files need no table, and no other library can replace them.
ON_WINDOWS = sys.platform == "win32"
compile_args = (
    ["/O2", "/std:c11", "/fp:precise"]
    if ON_WINDOWS
    else ["-O3", "-std=c11", "-Wall", "-ffp-contract=off", "-fvisibility=hidden"]
)
HOW_TO_GET = {
    "linux": "apt install gcc python3-dev, or dnf install gcc python3-devel",
    "darwin": "xcode-select --install",
    "win32": "install the Build Tools for Visual Studio 2022 with the workload for C++",
}


class BuildKernels(build_ext):
    """Compile the kernels, or say in one line what is missing."""

    def build_extensions(self) -> None:
        for what, line in (
            ("a C compiler", "int probe;"),
            ("the header Python.h of this Python", "#include <Python.h>"),
        ):
            if not self._compiles(line):
                raise CompileError(
                    f"augury from source needs {what}, which is not found "
                    f"({HOW_TO_GET.get(sys.platform, 'install it')}); wheels need none: "
                    "pip install --only-binary augury augury"
                )
        super().build_extensions()

    def _compiles(self, line: str) -> bool:
        with TemporaryDirectory() as folder:
            source = Path(folder) / "probe.c"
            source.write_text(f"{line}\n")
            try:
                self.compiler.compile([str(source)], output_dir=folder)
            except (CompileError, OSError):
                return False
            return True


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
                    "boosted_gradients",
                    "boosted_splits",
                    "boosted_trees",
                    "random_splits",
                    "random_trees",
                    "leaves_by_bits",
                    "wide_loops",
                )
            ],
            define_macros=[("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
            extra_compile_args=compile_args,
        )
    ],
    cmdclass={"build_ext": BuildKernels},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
