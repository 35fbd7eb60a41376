from dataclasses import replace
from pathlib import Path

import pytest

from augury.errors import UnknownNameError
from augury.papers import find_paper
from augury.reproduce.paper import Figure
from augury.reproduce.paper_figures import write_figures

PAPER = replace(
    find_paper("hybrid-2022"),
    figures={
        "fig1": Figure("sklearn:iris", lambda dataset, n_jobs: f"<svg>{dataset.name}</svg>"),
        "fig2": Figure("sklearn:wine", lambda dataset, n_jobs: f"<svg>π {n_jobs}</svg>"),
    },
)


def test_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    files = write_figures(PAPER, folder, n_jobs=2)
    assert files == [folder / "fig1.svg", folder / "fig2.svg"]
    assert [file.read_text(encoding="utf-8") for file in files] == [
        "<svg>sklearn:iris</svg>", "<svg>π 2</svg>",
    ]  # fmt: skip


def test_figures_of_some_data_sets(tmp_path: Path) -> None:
    assert write_figures(PAPER, tmp_path, datasets=["sklearn:wine"]) == [tmp_path / "fig2.svg"]


def test_no_figures(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="has no figures"):
        write_figures(find_paper("hybrid-2022"), tmp_path / "none")
    assert not (tmp_path / "none").exists()
