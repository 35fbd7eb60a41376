"""Reproductions as text and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from augury.reproduce.judgement import Status
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.paper import Paper
from augury.reproduce.reproduction import ComparedCell, Reproduction, count_runs
from augury.reproduce.select_cells import Omission
from augury.summary.model_scores import score_models
from augury.text_table import align_columns


def comparison_table(cells: Sequence[ComparedCell]) -> str:
    """Return the cells as aligned text, ours with two more digits than are printed.

    The differences are those of the mean and of the standard deviation. A dash stands for a
    number that the paper does not print. The last column has the outcome with its rule or
    reason.
    """
    header = ["dataset", "model", "ours", "printed", "difference", ""]
    rows = [
        [
            cell.dataset,
            cell.model,
            f"{cell.mean:.4f} ± {cell.std:7.4f}",
            *_printed(cell),
            cell.judgement.text,
        ]
        for cell in cells
    ]
    return align_columns(header, rows, left=(0, 1, 5))


def _printed(cell: ComparedCell) -> list[str]:
    if cell.printed_mean is None:
        return ["-", "-"]
    return [
        f"{cell.printed_mean} ± {cell.printed_std:>5}",
        f"{cell.mean_difference:+.4f}  {cell.std_difference:+.4f}",
    ]


def verdict(reproduction: Reproduction) -> str:
    """Return the number of cells that agree, for each model, and why the others differ."""
    paper, cells = reproduction.paper, reproduction.cells
    lines: list[str] = []
    for model in dict.fromkeys(cell.model for cell in cells):
        lines += _verdict_on(paper, [cell for cell in cells if cell.model == model])
    for known in reproduction.outdated:
        where = f"{known.model} on {known.dataset}" if known.dataset else f"all of {known.model}"
        lines.append(f"Known deviation no longer differs: {where} ({known.link}).")
    if any(cell.protocol != paper.protocol for cell in cells):
        lines.append(
            f"The printed numbers come from the {paper.protocol} protocol. Those of another "
            "protocol are not expected to agree."
        )
    return "\n".join([*lines, *_other_repeats(reproduction), *_left_out(reproduction.omissions)])


def _verdict_on(paper: Paper, cells: Sequence[ComparedCell]) -> Iterator[str]:
    model = cells[0].model
    printed = [float(cell.printed_mean) for cell in cells if cell.printed_mean is not None]
    if not printed:
        average = sum(cell.mean for cell in cells) / len(cells)
        yield f"{model}: no printed numbers; average {average:.2f}"
        return
    # Both averages are over the same cells, so that they can be compared.
    ours = [cell.mean for cell in cells if cell.printed_mean is not None]
    yield (
        f"{model}: {sum(cell.agrees is True for cell in cells)} of {len(printed)} cells agree "
        f"({paper.columns[model].tolerance.description}); "
        f"average {sum(ours) / len(ours):.2f}, of the printed cells "
        f"{sum(printed) / len(printed):.2f}"
    )
    by_reason: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        if cell.status is Status.KNOWN and (known := cell.judgement.known) is not None:
            by_reason.setdefault((known.reason, known.link), []).append(cell.dataset)
    for (reason, link), names in by_reason.items():
        yield f"  known to differ: {', '.join(names)}: {reason} ({link})"
    for status, words in (
        (Status.SAMPLING_ERROR, "within sampling error"),
        (Status.DIFFERS, "DIFFERS without a known reason"),
    ):
        if names := [cell.dataset for cell in cells if cell.status is status]:
            yield f"  {words}: {', '.join(names)}"


def _other_repeats(reproduction: Reproduction) -> Iterator[str]:
    paper = reproduction.paper
    runs = count_runs(reproduction.results)
    pairs = {(n, paper.folds(name).n_repeats) for name, n in runs.items()}
    for n, expected in sorted(pair for pair in pairs if pair[0] != pair[1]):
        yield (
            f"The folds were drawn {_times(n)} instead of {_times(expected)}, so the digits "
            "differ. A mean within three standard errors of the printed one is accepted; "
            "standard deviations are not compared."
        )


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n} times"


def _left_out(omissions: Iterable[Omission]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for omission in omissions:
        groups.setdefault((omission.model, omission.reason), []).append(omission.dataset)
    for (model, reason), names in groups.items():
        what = f"{model} on {', '.join(names)}" if model else ", ".join(names)
        yield f"Left out: {what} ({reason})."


def describe_reproduction(reproduction: Reproduction) -> dict[str, object]:
    """Return a reproduction as a dictionary that can be written as JSON."""
    reference = reproduction.reference
    return {
        "paper": reproduction.paper.name,
        "agrees": reproduction.agrees,
        "unexplained": len(reproduction.unexplained),
        "cells": [_describe_cell(cell) for cell in reproduction.cells],
        "no_longer_differ": [_describe_known(known) for known in reproduction.outdated],
        "omitted": [asdict(omission) for omission in reproduction.omissions],
        "reference": reference,
        "models": [asdict(row) for row in score_models(reproduction.results, reference)],
    }


def _describe_cell(cell: ComparedCell) -> dict[str, object]:
    """Return the fields of a cell and of its judgement side by side."""
    fields = asdict(cell)
    del fields["judgement"]
    judgement = cell.judgement
    return fields | {
        "agrees": judgement.agrees,
        "status": judgement.status,
        "tolerance": judgement.tolerance,
        "allowance": judgement.allowance,
        "known": None if judgement.known is None else _describe_known(judgement.known),
    }


def _describe_known(known: KnownDeviation) -> dict[str, object]:
    # The bounds of the standard deviation are left out: they are infinite where it is not
    # compared.
    return {
        "model": known.model,
        "dataset": known.dataset or None,
        "reason": known.reason,
        "link": known.link,
        "bounds": known.bounds,
    }


__all__ = ["comparison_table", "describe_reproduction", "verdict"]
