"""The command `augury reproduce`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from augury.cli.terminal.echo import echo
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
    from augury.reproduce.paper import Paper
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
@click.option(
    "--figures",
    metavar="DIR",
    help="Draw the paper's figures into DIR, and compute no table. Figures of folds are drawn "
    "from the folds in --out.",
)
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

    The worked examples of a document without tables are computed instead; the exit code is 1
    if one differs.
    """
    if figures is not None:
        if marks or strict:
            raise UserError("--figures computes no table; give --marks and --strict without it")
        _draw_figures(
            paper,
            figures,
            out=None if out is None else expand_home(out),
            models=split_names(models),
            datasets=split_names(datasets),
            protocol=protocol,
            repeats=repeats,
            data_dir=data,
            n_jobs=jobs,
            as_json=as_json,
        )
        return
    from augury.experiments.store.stored_results import StoredResults
    from augury.papers import find_paper
    from augury.reproduce.conclusions.compare import compare_conclusions
    from augury.reproduce.reproduction import reproduce as reproduce_paper
    from augury.reproduce.select_cells import count_folds, select_cells

    with user_errors():
        published = find_paper(paper)
    if published.examples and not published.columns:
        for option in ("models", "datasets", "protocol", "repeats", "out", "marks", "strict"):
            if context.params[option]:
                raise UserError(
                    f"{paper} has worked examples and no table, so --{option} has no effect; "
                    "give --figures DIR, --json or no option"
                )
        context.exit(0 if _compare_examples(published, as_json) else 1)
    with stoppable() as stop, user_errors():
        check_jobs(jobs)
        wanted = {"models": split_names(models), "datasets": split_names(datasets)}
        cells, _ = select_cells(published, **wanted, data_dir=data)
        if not published.columns:
            raise UserError(f"{paper} has no table; draw its figures with --figures DIR")
        # Conclusions are checked before the computation, which may take long.
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
        conclusions = None
        if marks and out is not None:
            with StoredResults(expand_home(out)) as stored:
                conclusions = compare_conclusions(stored, published, protocol=protocol)
    (_echo_json if as_json else _echo_text)(done, conclusions)
    is_good = done.agrees if strict else not done.unexplained
    context.exit(0 if is_good else 1)


def _compare_examples(paper: "Paper", as_json: bool) -> bool:
    """Compute and print the worked examples of a document; return whether all agree."""
    from augury.reproduce.worked_example import (
        compare_examples,
        describe_examples,
        examples_table,
    )

    compared = compare_examples(paper.examples)
    if as_json:
        echo(dump_json({"paper": paper.name, "examples": describe_examples(compared)}))
    else:
        echo(examples_table(compared))
    return all(done.agrees for done in compared)


def _draw_figures(
    name: str,
    folder: str,
    *,
    models: list[str] | None,
    datasets: list[str] | None,
    n_jobs: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Draw the figures; the options are those of `write_figures`."""
    from augury.papers import find_paper
    from augury.reproduce.paper_figures import models_of, write_figures

    with stoppable(), user_errors():
        check_jobs(n_jobs)
        paper = find_paper(name)
        options["models"] = None if models is None else paper.select_models(models)
        options["datasets"] = None if datasets is None else paper.select_datasets(datasets)
        paper.select_figures(models=options["models"], datasets=options["datasets"])
        drawn = write_figures(paper, make_folder(folder), n_jobs=n_jobs, **options)
    files = [str(file) for file in drawn.files]
    if as_json:
        echo(dump_json({"paper": name, "figures": files}))
    else:
        for file in files:
            echo(f"Written: {file}")
    if needing := drawn.without_folds:
        echo(
            f"Not drawn: {', '.join(needing)}; they need --out DIR with all folds of "
            f"{', '.join(models_of(needing.values()))}",
            err=True,
        )


def _echo_json(done: "Reproduction", conclusions: "ComparedConclusions | None") -> None:
    from augury.reproduce.conclusions.text import describe_conclusions
    from augury.reproduce.reproduction_text import describe_reproduction

    content = describe_reproduction(done)
    if conclusions is not None:
        content["marks"] = describe_conclusions(conclusions)
    echo(dump_json(content))


def _echo_text(done: "Reproduction", conclusions: "ComparedConclusions | None") -> None:
    from augury.reproduce.conclusions.text import render_conclusions
    from augury.reproduce.reproduction_text import comparison_table, verdict
    from augury.summary.model_scores import model_table

    echo(comparison_table(done.cells))
    echo(verdict(done))
    echo("\n" + model_table(done.results, done.reference))
    if conclusions is not None:
        echo("\n" + render_conclusions(conclusions))


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
