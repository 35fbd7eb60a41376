"""`augury reproduce`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    check_jobs,
    data_option,
    expand_home,
    jobs_option,
    json_option,
    make_folder,
    split_names,
)
from augury.cli.terminal.output import dump_json, live_progress
from augury.cli.terminal.stopping import stoppable

if TYPE_CHECKING:
    from augury.reproduce.known_deviation import KnownDeviation
    from augury.reproduce.reproduction import Comparison, Reproduction


@click.command()
@click.argument("paper")
@click.option("--models", metavar="A,B", help="Columns, printed or ours. [default: all available]")
@click.option("--datasets", metavar="A,B", help="Data sets. [default: all of the paper]")
@data_option
@click.option(
    "--protocol",
    type=click.Choice(["published", "honest"]),
    help="published: preprocess the whole set, then split, as papers did; "
    "honest: everything inside the fold. [default: the paper's]",
)
@click.option(
    "--repeats",
    metavar="N",
    type=click.IntRange(min=1),
    help="Runs of the folds; 1 is a quick look. [default: the paper's]",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Keep every fold in DIR, and go on where an earlier run was stopped.",
)
@click.option("--figures", metavar="DIR", help="Draw the paper's figures into DIR.")
@click.option(
    "--marks",
    is_flag=True,
    help="Compare the paper's conclusions with those from all folds in --out: marks of "
    "significance, signed ranks, training times, bias and variance.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with 1 if any printed cell differs, whether the reason is known or not.",
)
@jobs_option
@json_option
@click.pass_context
def reproduce(
    context: click.Context,
    paper: str,
    models: str | None,
    datasets: str | None,
    data: str | None,
    protocol: str | None,
    repeats: int | None,
    out: str | None,
    figures: str | None,
    marks: bool,
    strict: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Compute a published table again and compare it, cell by cell.

    PAPER is hybrid-2022, acll-bagging-2014 or adaboost-nb. A cell agrees if it is within
    the tolerance of its column, which is printed beside it. The exit code is 1 if a cell
    differs without a known reason. With fewer runs than the paper's (--repeats) a mean may
    also be off by three standard errors; with another protocol cells are not judged.
    """
    from augury.experiments.store.stored_results import StoredResults
    from augury.papers import find_paper
    from augury.reproduce.compare_conclusions import compare_marks, find_claims
    from augury.reproduce.conclusions_text import describe_marks, render_marks
    from augury.reproduce.paper_figures import write_figures
    from augury.reproduce.plan import make_plan
    from augury.reproduce.reproduction import comparison_table, verdict
    from augury.reproduce.reproduction import reproduce as reproduce_paper
    from augury.summary.model_scores import model_table

    with stoppable() as stop, user_errors():
        check_jobs(jobs)
        published = find_paper(paper)
        wanted = {"models": split_names(models), "datasets": split_names(datasets)}
        plan = make_plan(published, repeats=repeats, **wanted)
        if figures is not None:
            # What cannot be drawn is to be known before the minutes of work.
            published.select_figures(plan.datasets)
            folder = make_folder(figures)
        if marks:
            if out is None:
                raise UserError("--marks needs --out, the folder whose folds are compared")
            find_claims(published)
        stop.folder = None if out is None else expand_home(out)
        with live_progress(plan.folds_by_dataset(), {}) as progress, _failed_folds():
            done = reproduce_paper(
                published,
                **wanted,
                data_dir=data,
                protocol=protocol,
                repeats=repeats,
                n_jobs=jobs,
                isolate=True,
                out=stop.folder,
                progress=progress,
            )
        files = []
        if figures is not None:
            files = write_figures(
                published, folder, datasets=plan.datasets, data_dir=data, n_jobs=jobs
            )
        conclusions = None
        if marks and out is not None:
            with StoredResults(expand_home(out)) as stored:
                conclusions = compare_marks(stored, published, protocol=protocol)
    if as_json:
        content = _as_json(done, files)
        if conclusions is not None:
            content["marks"] = describe_marks(conclusions)
        click.echo(dump_json(content))
    else:
        click.echo(comparison_table(done.comparisons))
        click.echo(verdict(done))
        click.echo("\n" + model_table(done.results, done.reference))
        for file in files:
            click.echo(f"Written: {file}")
        if conclusions is not None:
            click.echo("\n" + render_marks(conclusions))
    is_good = done.agrees if strict else not done.unexplained
    context.exit(0 if is_good else 1)


@contextmanager
def _failed_folds() -> Iterator[None]:
    """Say in one line that folds failed, instead of our own traceback."""
    from augury.experiments.runner import FailedFoldsError

    try:
        yield
    except FailedFoldsError as error:
        lines = str(error).strip().splitlines()
        # The last line may be the note that names the fold.
        reason = next(line for line in reversed(lines) if not line.startswith("("))
        raise click.ClickException(f"{lines[0]} {reason}") from error


def _as_json(done: "Reproduction", figures: Sequence[Path]) -> dict[str, Any]:
    from augury.summary.model_scores import score_models

    return {
        "paper": done.paper.name,
        "agrees": done.agrees,
        "unexplained": len(done.unexplained),
        "cells": [_cell_as_json(row) for row in done.comparisons],
        "no_longer_differ": [_known_as_json(known) for known in done.outdated],
        "omitted": [asdict(omission) for omission in done.omissions],
        "reference": done.reference,
        "models": [asdict(row) for row in score_models(done.results, done.reference)],
        "figures": [str(file) for file in figures],
    }


def _cell_as_json(row: "Comparison") -> dict[str, Any]:
    """Return a cell and the outcome beside it, without a level of nesting."""
    cell = asdict(row)
    del cell["judgement"]
    judgement = row.judgement
    return cell | {
        "agrees": judgement.agrees,
        "status": judgement.status,
        "tolerance": judgement.tolerance,
        "allowance": judgement.allowance,
        "known": None if judgement.known is None else _known_as_json(judgement.known),
    }


def _known_as_json(known: "KnownDeviation") -> dict[str, Any]:
    # Without bounds of the standard deviation, which are infinite where it is not compared.
    return {
        "model": known.model,
        "dataset": known.dataset or None,
        "reason": known.reason,
        "link": known.link,
        "bounds": known.bounds,
    }


__all__ = ["reproduce"]
