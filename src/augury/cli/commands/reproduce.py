"""The command `augury reproduce`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
    from augury.reproduce.conclusions.compared import ComparedConclusions
    from augury.reproduce.reproduction import Reproduction


class _PaperCommand(click.Command):
    """A command whose help lists the names of all papers, found when the help is shown."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from augury.papers import paper_names

        with formatter.section("Papers"):
            for name in paper_names():
                formatter.write_text(name)


@click.command(cls=_PaperCommand)
@click.argument("paper")
@click.option("--models", metavar="A,B", help="Columns of the tables. [default: all available]")
@click.option("--datasets", metavar="A,B", help="Data sets. [default: all of the paper]")
@data_option
@click.option(
    "--protocol",
    type=click.Choice(["published", "honest"]),
    help="published: preprocess all rows before they are split, as papers did; "
    "honest: preprocess inside each training fold. [default: the paper's]",
)
@click.option(
    "--repeats",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of runs of the folds; 1 is the quickest. [default: the paper's]",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Store every fold in DIR. Folds that DIR already has are not computed again.",
)
@click.option("--figures", metavar="DIR", help="Draw the paper's figures into DIR.")
@click.option(
    "--marks",
    is_flag=True,
    help="Compare the paper's conclusions with those from all folds in --out: significance "
    "marks, signed ranks, training times, bias and variance.",
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

    A cell agrees if it is within the tolerance of its column, which is printed beside it. The
    exit code is 1 if a cell differs without a known reason. With fewer runs than the paper's
    (--repeats) a mean may also differ by three standard errors. With another protocol cells
    are not judged.
    """
    from augury.experiments.store.stored_results import StoredResults
    from augury.papers import find_paper
    from augury.reproduce.conclusions.compare import compare_conclusions
    from augury.reproduce.paper_figures import write_figures
    from augury.reproduce.reproduction import reproduce as reproduce_paper
    from augury.reproduce.select_cells import count_folds, select_cells

    with stoppable() as stop, user_errors():
        check_jobs(jobs)
        published = find_paper(paper)
        wanted = {"models": split_names(models), "datasets": split_names(datasets)}
        cells, _ = select_cells(published, **wanted, data_dir=data)
        names = published.select_datasets(wanted["datasets"])
        # Figures and conclusions are checked before the computation, which may take long.
        if figures is not None:
            published.select_figures(names)
            folder = make_folder(figures)
        if marks:
            if out is None:
                raise UserError("--marks needs --out, the folder whose folds are compared")
            published.require_conclusions()
        stop.folder = None if out is None else expand_home(out)
        totals = count_folds(published, cells, repeats)
        with live_progress(totals, {}) as progress, _failed_folds():
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
            files = write_figures(published, folder, datasets=names, data_dir=data, n_jobs=jobs)
        conclusions = None
        if marks and out is not None:
            with StoredResults(expand_home(out)) as stored:
                conclusions = compare_conclusions(stored, published, protocol=protocol)
    (_echo_json if as_json else _echo_text)(done, files, conclusions)
    is_good = done.agrees if strict else not done.unexplained
    context.exit(0 if is_good else 1)


def _echo_json(
    done: "Reproduction", files: Sequence[Path], conclusions: "ComparedConclusions | None"
) -> None:
    from augury.reproduce.conclusions.text import describe_conclusions
    from augury.reproduce.reproduction_text import describe_reproduction

    content = describe_reproduction(done) | {"figures": [str(file) for file in files]}
    if conclusions is not None:
        content["marks"] = describe_conclusions(conclusions)
    click.echo(dump_json(content))


def _echo_text(
    done: "Reproduction", files: Sequence[Path], conclusions: "ComparedConclusions | None"
) -> None:
    from augury.reproduce.conclusions.text import render_conclusions
    from augury.reproduce.reproduction_text import comparison_table, verdict
    from augury.summary.model_scores import model_table

    click.echo(comparison_table(done.cells))
    click.echo(verdict(done))
    click.echo("\n" + model_table(done.results, done.reference))
    for file in files:
        click.echo(f"Written: {file}")
    if conclusions is not None:
        click.echo("\n" + render_conclusions(conclusions))


@contextmanager
def _failed_folds() -> Iterator[None]:
    """Report failed folds in one line, without the traceback of this process."""
    from augury.experiments.runner import FailedFoldsError

    try:
        yield
    except FailedFoldsError as error:
        lines = str(error).strip().splitlines()
        # The last line may be the note that names the fold.
        reason = next(line for line in reversed(lines) if not line.startswith("("))
        raise click.ClickException(f"{lines[0]} {reason}") from error


__all__ = ["reproduce"]
