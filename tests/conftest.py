"""Fixtures and settings of the tests of several folders.

Tests with the marker `long` repeat, in a larger form, a check that the other tests make as well.
`make test` leaves them out, `make test-long` runs them.
"""

import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from sklearn.exceptions import ConvergenceWarning

from augury.workers.tasks import OwnProcess

# A package outside of augury, as if it were installed. Its model, weighted AODE, is registered
# through an entry point, so that all tests that collect models from the registry include it.
sys.path.append(str(Path(__file__).parent / "models" / "outside_package"))

# nohup and shells ignore signals of commands in the background, and processes inherit that. Tests
# send signals to the processes that they start.
for _name in ("SIGINT", "SIGTERM", "SIGHUP"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)

# HYPOTHESIS_PROFILE chooses the profile. "augury" draws the same examples in each run, so that a
# failure can be repeated. "long" draws other examples in each run, and more of them; Hypothesis
# prints how a failure is repeated. There is no deadline, because machines are shared.
settings.register_profile("augury", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("long", deadline=None, max_examples=2000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "augury"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder that holds data/, golden/ and papers/: AUGURY_DATA, or ../shared."""
    candidates = [Path(__file__).parents[2] / "shared"]
    if value := os.environ.get("AUGURY_DATA"):
        candidates.insert(0, Path(value))
    for folder in candidates:
        if (folder / "data" / "uci36").is_dir():
            return folder
    pytest.skip("no shared data: set AUGURY_DATA to the folder that holds data/uci36")


@pytest.fixture(scope="session")
def labor_of_hybrid_2022(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the folds of all columns of the 2022 paper on the data set labor."""
    from augury.papers import find_paper
    from augury.reproduce import reproduce

    folder = tmp_path_factory.mktemp("hybrid-2022")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # LIBLINEAR, as in the paper
        reproduce(find_paper("hybrid-2022"), datasets=["labor"], data_dir=shared_data, out=folder)
    return folder


@pytest.fixture
def without_worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands fit in this process.

    A worker process takes seconds to import scikit-learn. Tests of the results of a command use
    this fixture; tests of worker processes, and one test of each command, do not.
    """
    monkeypatch.setattr("augury.workers.choice.WorkerPool", lambda n_workers: OwnProcess())


@pytest.fixture
def read_in_blocks_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets the number of cells that are read at a time."""

    def limit(cells: int) -> None:
        monkeypatch.setattr("augury.encode.columns._BLOCK_CELLS", cells)
        monkeypatch.setattr("augury.encode.columns._WHOLE_CELLS", cells)

    return limit
