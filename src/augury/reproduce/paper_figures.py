"""Figures of a paper, drawn and written as files."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from augury.errors import StoreError
from augury.experiments.store.stored_results import StoredResults
from augury.reproduce.figure import Figure, FigureInputs, StoredCells
from augury.reproduce.paper import DataDir, Paper
from augury.reproduce.select_cells import select_cells
from augury.summary.fold_scores import FoldScores, collect_scores
from augury.summary.predictions import read_predictions
from augury.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class WrittenFigures:
    """Files of figures.

    Attributes
    ----------
    files : list of Path
        The files.
    without_folds : dict from name to Figure
        Figures that were not drawn, because they need folds and no store was given.
    """

    files: list[Path]
    without_folds: dict[str, Figure]


def write_figures(
    paper: Paper,
    folder: str | Path,
    *,
    models: Collection[str] | None = None,
    datasets: Collection[str] | None = None,
    out: Path | None = None,
    protocol: str | None = None,
    repeats: int | None = None,
    data_dir: DataDir = None,
    n_jobs: int | None = None,
) -> WrittenFigures:
    """Draw the figures of a paper and write them as SVG files.

    No fold is computed. Figures that show folds are drawn from those of a store.

    Parameters
    ----------
    paper : Paper
        See `augury.papers`.
    folder : path
        Created if it does not exist.
    models, datasets : names as printed, default=None
        Columns and data sets whose figures are drawn; by default all. A figure of folds shows
        these data sets only.
    out : path, default=None
        Folder of a store with the folds, as `reproduce` writes it. Without it, figures that
        show folds are left out.
    protocol : {"published", "honest"}, default=None
        Protocol of the folds; by default that of the paper.
    repeats : int, default=None
        Number of runs of the folds; by default that of the paper.
    data_dir : path, default=None
        The folder in which `augury.data.load_dataset` looks first.
    n_jobs : int, default=None
        Number of worker processes.

    Raises
    ------
    UnknownNameError
        If the paper has no figures of these models and data sets.
    StoreError
        If the store lacks folds of a figure. No file is written then.
    """
    figures = paper.select_figures(models=models, datasets=datasets)
    of_folds = {name: figure for name, figure in figures.items() if figure.models}
    stored = None
    if of_folds and out is not None:
        stored = _read_cells(paper, of_folds, out, datasets, protocol, repeats)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in figures.items():
        if figure.models and stored is None:
            continue
        loaded = None if figure.dataset is None else paper.load(figure.dataset, data_dir)
        cells = None if stored is None else _cells_of(paper, figure, stored)
        file = place / f"{name}.svg"
        write_whole(file, figure.draw(FigureInputs(n_jobs, loaded, cells)))
        files.append(file)
    return WrittenFigures(files, of_folds if stored is None else {})


def models_of(figures: Iterable[Figure]) -> list[str]:
    """Return the models whose folds the figures show, each once."""
    return list(dict.fromkeys(model for figure in figures for model in figure.models))


def _read_cells(
    paper: Paper,
    figures: Mapping[str, Figure],
    out: Path,
    datasets: Collection[str] | None,
    protocol: str | None,
    repeats: int | None,
) -> StoredCells:
    """Return the cells of all figures; raise an error if a fold is not stored."""
    protocol = paper.protocol if protocol is None else protocol
    selected, _ = select_cells(paper, models=models_of(figures.values()), datasets=datasets)
    with StoredResults(out) as stored:
        known = {dataset.name: dataset for dataset in stored.datasets()}
        shown = [known[name] for name in selected if name in known]
        results = [
            row
            for row in stored.results()
            if row.protocol == protocol
            and row.model in selected.get(row.dataset, ())
            and row.run <= paper.folds(row.dataset, repeats).n_repeats
        ]
        scores = collect_scores(results, shown, models_of(figures.values()))
        _require_folds(paper, figures, scores, selected, repeats, out)
        predictions = read_predictions(stored, scores, shown, protocol)
    numbers = {name: number for number, name in enumerate(paper.datasets, start=1)}
    return StoredCells(list(selected), numbers, scores, predictions)


def _require_folds(
    paper: Paper,
    figures: Mapping[str, Figure],
    scores: FoldScores,
    selected: Mapping[str, Sequence[str]],
    repeats: int | None,
    out: Path,
) -> None:
    missing: dict[str, list[str]] = {}
    for dataset, models in selected.items():
        n_folds = paper.folds(dataset, repeats).get_n_splits()
        for model in models:
            cell = scores.cells.get((dataset, model))
            if cell is None or len(cell.keys) < n_folds:
                missing.setdefault(dataset, []).append(model)
    if not missing:
        return
    models = models_of(figures.values())
    first = next(iter(missing))
    raise StoreError(
        f"{', '.join(figures)}: all folds of {', '.join(models)} are needed, but {out} lacks "
        f"folds of {len(missing)} of {len(selected)} data sets, such as those of "
        f"{', '.join(missing[first])} on {first}; compute them with `augury reproduce "
        f"{paper.name} --models {','.join(models)} --out {out}`, or name data sets with --datasets"
    )


def _cells_of(paper: Paper, figure: Figure, stored: StoredCells) -> StoredCells:
    """Return the stored cells for the data sets on which all models of the figure are tested."""
    names = [
        name
        for name in stored.datasets
        if all((name, model) in stored.scores.cells for model in figure.models)
    ]
    return replace(stored, datasets=sorted(names, key=paper.datasets.index))


__all__ = ["WrittenFigures", "models_of", "write_figures"]
