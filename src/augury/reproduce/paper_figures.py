"""Figures of a paper, drawn from our results and written as files."""

from collections.abc import Collection
from pathlib import Path

from augury.reproduce.paper import DataDir, Paper


def write_figures(
    paper: Paper,
    folder: str | Path,
    *,
    datasets: Collection[str] | None = None,
    data_dir: DataDir = None,
    n_jobs: int | None = None,
) -> list[Path]:
    """Draw the figures of a paper and write them as SVG files.

    Parameters
    ----------
    paper : Paper
        See `augury.papers`.
    folder : path
        Created if it does not exist.
    datasets : names as printed, default=None
        Data sets whose figures are drawn; by default all.
    data_dir : path, default=None
        The folder in which `augury.data.load_dataset` looks first.
    n_jobs : int, default=None
        Number of worker processes.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    UnknownNameError
        If the paper has no figures of these data sets.
    """
    figures = paper.select_figures(datasets)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in figures.items():
        file = place / f"{name}.svg"
        dataset = paper.load(figure.dataset, data_dir)
        file.write_text(figure.draw(dataset, n_jobs), encoding="utf-8")
        files.append(file)
    return files


__all__ = ["write_figures"]
