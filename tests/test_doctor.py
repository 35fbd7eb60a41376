"""What `augury doctor` says of an installation."""

import json
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pytest
from click.testing import CliRunner

import augury
from augury import installation
from augury.cli import main
from augury.installation import Package, examine_installation, read_requirements


def run(*arguments, **environment):
    return CliRunner().invoke(main, ["doctor", *arguments], env=environment)


def test_this_installation():
    others = dict.fromkeys(("AUGURY_DATA", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"))
    done = run("--json", **others, OMP_NUM_THREADS="1")
    found = json.loads(done.output)
    assert (done.exit_code, found["problems"], found["augury"]) == (0, [], augury.__version__)
    packages = {package["name"]: package for package in found["packages"]}
    assert packages["numpy"]["installed"] == np.__version__
    assert packages["skops"]["extra"] == "skops"
    assert found["kernels"]["file"].startswith(augury.__path__[0])
    assert found["thread_limits"] == {"OMP_NUM_THREADS": "1"}
    assert found["data_folder"] is None


def test_text():
    done = run(AUGURY_DATA=None)
    assert done.exit_code == 0
    assert f"augury {augury.__version__}" in done.output
    assert done.output.endswith("No problem found.\n")


def test_every_package_is_listed_with_its_floor():
    found = {(package.name, package.extra) for package in examine_installation().packages}
    assert {("pandas", ""), ("pyarrow", "parquet"), ("pyarrow", "duckdb")} <= found
    assert all(package.lowest for package in examine_installation().packages)


def test_folder_that_does_not_exist(tmp_path):
    done = run(AUGURY_DATA=str(tmp_path / "none"))
    assert done.exit_code == 1
    assert f"Problem: AUGURY_DATA is not a folder, got {str(tmp_path / 'none')!r}" in done.output


def without(name):
    def find(package):
        if package == name:
            raise PackageNotFoundError(package)
        return version(package)

    return find


def test_missing_package(monkeypatch):
    monkeypatch.setattr(installation, "version", without("scipy"))
    done = run(AUGURY_DATA=None)
    assert done.exit_code == 1
    assert 'Problem: scipy is not installed: pip install "augury"' in done.output


def test_missing_extra_is_no_problem(monkeypatch):
    monkeypatch.setattr(installation, "version", without("matplotlib"))
    done = run(AUGURY_DATA=None)
    assert done.exit_code == 0
    assert 'not installed: pip install "augury[plot]"' in done.output


@pytest.mark.parametrize(
    ("installed", "lowest", "problem"),
    [
        ("2.2.3", "2.2", ""),
        ("2.10", "2.2", ""),
        ("3.0.0rc1", "3", ""),
        ("1", "", ""),
        ("2.1.9", "2.2", 'older than 2.2: pip install --upgrade "augury[x]"'),
        (None, "2", 'not installed: pip install "augury[x]"'),
    ],
)
def test_versions(installed, lowest, problem):
    assert Package("p", "x", lowest, installed).problem == problem


def test_requirements():
    lines = ["numpy>=2.0,!=2.1", "click", "dask[array]>=1 ; python_version > '3' and extra == 'd'"]
    found = [(p.name, p.lowest, p.extra) for p in read_requirements(lines)]
    assert found == [("numpy", "2.0", ""), ("click", "", ""), ("dask", "", "d")]
    with pytest.raises(ValueError, match="must begin with the name of a package, got '>=2'"):
        read_requirements([">=2"])


def test_kernels_that_count_wrongly(monkeypatch):
    monkeypatch.setattr(augury.kernels, "count_class_values", lambda *_: np.zeros((2, 2)))
    done = run(AUGURY_DATA=None)
    assert done.exit_code == 1
    assert "counts two rows wrongly: install augury again" in done.output
