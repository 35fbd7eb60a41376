"""An experiment whose model dies or waits when a file tells it to."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import augury
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from tests.attacks.runs.stored_runs import N_FOLDS, jobs, rows

HERE = str(Path(__file__).parent)
EXPERIMENT = """
datasets = ["sklearn:iris"]
folds = 5
repeats = 2

[models]
nb = {}
poison = {class = "run_models.Poison", preprocess = false}
"""


@pytest.fixture(scope="module", autouse=True)
def importable() -> Iterator[None]:
    """Let this process and those that it starts import `run_models`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        source = str(Path(augury.__file__).parents[1])
        patch.setenv("PYTHONPATH", os.pathsep.join([source, HERE]))
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with an experiment, and with the file that says what its model does."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "experiment.toml").write_text(EXPERIMENT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUGURY_TEST_ATTACK", str(folder / "attack"))
        yield folder


@pytest.fixture
def attack(place: Path) -> Iterator[Any]:
    """Return what tells the model what to do."""
    yield (place / "attack").write_text
    (place / "attack").write_text("")


@pytest.fixture(scope="module")
def archive(place: Path) -> Path:
    """Return a complete store, of a run that nothing disturbed."""
    (place / "attack").write_text("")
    with ResultStore(place / "undisturbed") as store:
        assert run_jobs(jobs(place), store).n_done == N_FOLDS
        add_model_summaries(jobs(place), store)
    return place / "undisturbed"


@pytest.fixture(scope="module")
def undisturbed(archive: Path) -> dict[Any, Any]:
    return rows(archive)
