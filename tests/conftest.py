"""Fixtures and settings of the tests of several folders."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# A package outside of augury, as if it were installed. Its model, weighted AODE, is registered
# through an entry point, so that all tests that collect models from the registry include it.
sys.path.append(str(Path(__file__).parent / "models" / "outside_package"))

# Deterministic: a test that fails on one run in ten teaches nobody anything. No
# deadline: the machines are shared and noisy.
settings.register_profile("augury", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("augury")


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


@pytest.fixture
def read_in_blocks_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return what makes every table be read in blocks of so many cells."""

    def limit(cells: int) -> None:
        monkeypatch.setattr("augury.encode.columns._BLOCK_CELLS", cells)
        monkeypatch.setattr("augury.encode.columns._WHOLE_CELLS", cells)

    return limit
