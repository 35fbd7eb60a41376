"""The folds of the study of the flagship as CSV files, one for each model.

Measures and sums only, so that the files are small enough for the repository.
"""

import csv
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from augury.evaluate.reliability import ReliabilityBins

Row = dict[str, Any]

N_BINS = 15
NUMBERS = ("accuracy", "log_loss", "brier", "auc", "fit_seconds", "predict_seconds")
FIELDS = ("dataset", "run", "fold", "commit", "n_train", "n_test", *NUMBERS, "bins")


def file_of(folder: Path, model: str) -> Path:
    """Return the file of a model's folds."""
    return folder / f"{model.replace(', ', '+').replace(' ', '_')}.csv"


def model_of(file: Path) -> str:
    """Return the model of a file.

    >>> model_of(file_of(Path(), "SVM, RBF"))
    'SVM, RBF'
    """
    return file.stem.replace("+", ", ").replace("_", " ")


def append_fold(file: Path, row: Row) -> None:
    """Add a fold to a file."""
    is_new = not file.exists()
    written = {name: row[name] for name in FIELDS if name not in ("bins", *NUMBERS)}
    for name in NUMBERS:
        written[name] = "" if row[name] is None else f"{row[name]:.6g}"
    written["bins"] = write_bins(row["bins"])
    with file.open("a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(written)


def read_folds(file: Path) -> list[Row]:
    """Return the folds in a file, none without the file; an interrupted last line is left out."""
    if not file.exists():
        return []
    text = file.read_text(encoding="utf-8")
    lines = text[: text.rfind("\n") + 1].splitlines()
    return [read_row(each) | {"model": model_of(file)} for each in csv.DictReader(lines)]


def read_row(written: dict[str, str]) -> Row:
    row: Row = {name: int(written[name]) for name in ("run", "fold", "n_train", "n_test")}
    row |= {name: float(written[name]) if written[name] else None for name in NUMBERS}
    row |= {"dataset": written["dataset"], "commit": written["commit"]}
    return row | {"bins": read_bins(written["bins"])}


def write_bins(bins: ReliabilityBins) -> str:
    """Return the bins that have rows: number, rows, sum of confidences, right rows.

    >>> bins = ReliabilityBins.collect([0.99, 0.5], [True, False], n_bins=N_BINS)
    >>> write_bins(bins)
    '7:1:0.5:0 14:1:0.99:1'
    >>> read_bins(write_bins(bins)) == bins
    True
    """
    sums = zip(bins.weights, bins.confidence_sums, bins.hit_sums, strict=True)
    return " ".join(f"{b}:{n:.0f}:{c:.6g}:{h:.0f}" for b, (n, c, h) in enumerate(sums) if n)


def read_bins(text: str) -> ReliabilityBins:
    """Return the bins that `write_bins` wrote."""
    sums = np.zeros((3, N_BINS))
    for each in text.split():
        number, *values = each.split(":")
        sums[:, int(number)] = [float(value) for value in values]
    edges = np.linspace(0.0, 1.0, N_BINS + 1).tolist()
    weights, confidence_sums, hit_sums = (tuple(row) for row in sums.tolist())
    return ReliabilityBins(tuple(edges), weights, confidence_sums, hit_sums)


def current_commit() -> str:
    """Return the commit of the working tree."""
    command = ["git", "rev-parse", "--short=7", "HEAD"]
    found = subprocess.run(
        command, cwd=Path(__file__).parent, check=True, capture_output=True, text=True
    )
    return found.stdout.strip()


__all__ = ["N_BINS", "append_fold", "current_commit", "file_of", "read_folds"]
