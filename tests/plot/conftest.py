"""Figures are closed after each test."""

from collections.abc import Iterator

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    mpl.use("Agg")
    yield
    plt.close("all")
