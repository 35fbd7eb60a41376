"""What `augury doctor` finds: versions, extras, kernels, threads and folders of this machine."""

import os
import platform
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from augury import __version__

# Variables that limit the threads of BLAS and OpenMP.
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)\s*(?:>=\s*(?P<lowest>[\d.]+))?[^;]*"
    r"(?:;.*?\bextra\s*==\s*['\"](?P<extra>[\w.-]+)['\"])?"
)


@dataclass(frozen=True)
class Package:
    """A package that augury uses.

    Parameters
    ----------
    name : its name for pip
    extra : the extra that installs it; empty if augury always needs it
    lowest : the lowest version that augury supports; empty if any
    installed : the installed version, or None
    """

    name: str
    extra: str
    lowest: str
    installed: str | None

    @property
    def problem(self) -> str:
        """What is wrong, and what to do; empty if nothing is."""
        install = f"augury[{self.extra}]" if self.extra else "augury"
        if self.installed is None:
            return f'not installed: pip install "{install}"'
        if _numbers(self.installed) < _numbers(self.lowest):
            return f'older than {self.lowest}: pip install --upgrade "{install}"'
        return ""


@dataclass(frozen=True)
class Kernels:
    """The compiled part of augury.

    Parameters
    ----------
    file : the extension module
    stable_abi : whether it serves every later version of Python
    problem : why it does not work; empty if it does
    """

    file: str
    stable_abi: bool
    problem: str


@dataclass(frozen=True)
class Installation:
    """An installation of augury on this machine.

    Parameters
    ----------
    augury, python, system, machine : versions and names
    packages : the packages that augury uses, extras last
    kernels : the compiled part
    processors : the number that this process may use
    thread_limits : variables of the environment that limit threads
    linear_algebra : libraries of linear algebra with their numbers of threads
    data_folder : the folder that AUGURY_DATA names, or None
    cache_folder : where data sets of OpenML are kept
    problems : what keeps augury from working; missing extras do not
    """

    augury: str
    python: str
    system: str
    machine: str
    packages: tuple[Package, ...]
    kernels: Kernels
    processors: int
    thread_limits: dict[str, str]
    linear_algebra: tuple[str, ...]
    data_folder: str | None
    cache_folder: str
    problems: tuple[str, ...]


def read_requirements(lines: Iterable[str]) -> tuple[Package, ...]:
    """Return the packages that requirements of a distribution name, with what is installed.

    Examples
    --------
    >>> found = read_requirements(["numpy>=2.0", 'no-such>=1; extra == "dream"'])
    >>> [(package.name, package.lowest, package.problem) for package in found]
    [('numpy', '2.0', ''), ('no-such', '1', 'not installed: pip install "augury[dream]"')]
    """
    packages = []
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match is None:
            raise ValueError(f"a requirement must begin with the name of a package, got {line!r}")
        name, lowest, extra = match.group("name", "lowest", "extra")
        packages.append(Package(name, extra or "", lowest or "", _installed(name)))
    return tuple(sorted(packages, key=lambda package: package.extra != ""))


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> list[int]:
    """Return the numbers of a version, without what follows them, such as rc1."""
    leading = re.match(r"[\d.]*", text)
    return [int(part) for part in leading[0].split(".") if part] if leading else []


def examine_installation() -> Installation:
    """Return what is installed, and what is wrong with it."""
    packages = read_requirements(requires("augury") or ())
    needed = [package for package in packages if not package.extra]
    problems = [f"{package.name} is {package.problem}" for package in needed if package.problem]
    kernels = _examine_kernels()
    if kernels.problem:
        problems.append(kernels.problem)
    folder = os.environ.get("AUGURY_DATA")
    if folder is not None and not Path(folder).is_dir():
        problems.append(f"AUGURY_DATA is not a folder, got {folder!r}: change or remove it")
    from augury.data.load import cache_dir

    return Installation(
        augury=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        packages=packages,
        kernels=kernels,
        processors=_processors(),
        thread_limits={name: os.environ[name] for name in _THREAD_VARIABLES if name in os.environ},
        linear_algebra=_linear_algebra(),
        data_folder=folder,
        cache_folder=str(cache_dir()),
        problems=tuple(problems),
    )


def _examine_kernels() -> Kernels:
    """Return the extension module, after it has counted two rows."""
    try:
        import numpy as np

        from augury.kernels import _native, count_class_values
    except ImportError as error:
        problem = f"the compiled part cannot be imported ({error}): install augury again"
        return Kernels("", False, problem)
    file = str(_native.__file__)
    codes = np.array([[0], [1]], dtype=np.uint8, order="F")
    counts = count_class_values(codes, np.array([0, 1]), None, np.array([0, 2]), 2)
    is_right = np.array_equal(counts, [[1.0, 0.0], [0.0, 1.0]])
    problem = "" if is_right else f"{file} counts two rows wrongly: install augury again"
    return Kernels(file, ".abi3." in file or sys.platform == "win32", problem)


def _processors() -> int:
    from joblib import cpu_count

    return int(cpu_count())


def _linear_algebra() -> tuple[str, ...]:
    import numpy as np  # noqa: F401 - loads its library
    from threadpoolctl import threadpool_info

    return tuple(
        f"{found['internal_api']} {found['version'] or ''} with {found['num_threads']} threads"
        for found in threadpool_info()
    )


__all__ = ["Installation", "Kernels", "Package", "examine_installation", "read_requirements"]
