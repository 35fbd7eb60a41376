"""Output of a comparison: the verdict, the leaderboard, notes and failures."""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augury.cli.terminal.echo import echo
from augury.cli.terminal.leaderboard import render_leaderboard, render_verdict
from augury.cli.terminal.output import TargetSummary, dump_json

if TYPE_CHECKING:
    from augury.encode import ColumnDecision
    from augury.evaluate import FoldResult
    from augury.experiments.store.stored_results import Failure
    from augury.summary.contents.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison that has ended.

    Attributes
    ----------
    verdict : the verdict
    page : the page of the report
    results, failures : folds of the models, best model first
    models : names of the models
    target : the target
    columns : how each column is read
    reading : sentences on what is exact, if the rows were read in pieces
    content : more JSON output
    """

    verdict: "Verdict"
    page: Path
    results: "Sequence[FoldResult]"
    failures: "Sequence[Failure]"
    models: Sequence[str]
    target: TargetSummary
    columns: "Sequence[ColumnDecision]"
    reading: Sequence[str] = ()
    content: Mapping[str, object] = field(default_factory=dict)


def echo_comparison(compared: Compared, *, as_json: bool) -> None:
    """Print the verdict and the leaderboard."""
    if as_json:
        echo(dump_json(_content(compared)))
        return
    for sentence in compared.reading:
        echo(sentence)
    verdict = compared.verdict
    if compared.results:
        echo(f"\n{render_verdict(verdict)}\n\n{render_leaderboard(verdict)}\n")
    else:
        echo("No model completed a fold: there is nothing to compare.", err=True)
    for note in verdict.notes:
        echo(textwrap.fill(f"Note: {note}", 80))
    _echo_failures(compared.failures)
    echo(f"Report: {compared.page}")


def _content(compared: Compared) -> dict[str, object]:
    """Return the JSON output."""
    from augury.comparison.default_models import reference_among
    from augury.json_fields import fields_to_json
    from augury.summary.model_scores import score_models

    verdict = compared.verdict
    tested = [each.model for each in verdict.leaderboard]
    reference = reference_among(tested) if tested else None
    scores = [] if reference is None else score_models(compared.results, reference)
    return {
        "verdict": {"text": verdict.text, **fields_to_json(verdict)},
        "report": str(compared.page),
        **compared.target.content(),
        **compared.content,
        "columns": [asdict(each) for each in compared.columns],
        "reference": reference,
        "models": [asdict(row) for row in scores],
        "notes": list(verdict.notes),
        "failed": len(compared.failures),
    }


def _echo_failures(failures: "Sequence[Failure]") -> None:
    """Print the number of failed folds of each model, and the error of the first."""
    from augury.summary.overview import describe_failure

    counts = Counter(failure.model for failure in failures)
    for first in {each.model: each for each in reversed(failures)}.values():
        error = describe_failure(first).error
        n_failed = counts[first.model]
        echo(
            f"Failed: {first.model}, {n_failed} fold{'' if n_failed == 1 else 's'}: {error}",
            err=True,
        )


__all__ = ["Compared", "echo_comparison"]
