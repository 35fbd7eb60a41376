"""`augury demo`."""

from dataclasses import asdict

import click

from augury.cli.common import (
    check_jobs,
    dump_json,
    jobs_option,
    json_option,
    live_progress,
    user_errors,
)


@click.command()
@jobs_option
@json_option
def demo(jobs: int, as_json: bool) -> None:
    """Compare classifiers by cross-validation on the sets that scikit-learn ships."""
    from augury.bench import run_demo, summary_table
    from augury.bench.demo import DATASETS, SPLITTER, demo_models

    with user_errors():
        check_jobs(jobs)
        n_folds = len(demo_models()) * SPLITTER.get_n_splits()
        with live_progress(dict.fromkeys(DATASETS, n_folds), {}) as progress:
            summaries = run_demo(n_jobs=jobs, progress=progress)
    if as_json:
        click.echo(dump_json([asdict(summary) for summary in summaries]))
    else:
        click.echo(summary_table(summaries))


__all__ = ["demo"]
