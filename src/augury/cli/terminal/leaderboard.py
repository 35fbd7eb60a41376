"""The verdict and the leaderboard of a comparison, as text."""

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

from augury.cli.terminal.output import WIDTH
from augury.text_table import align_columns, text_cells

if TYPE_CHECKING:
    from augury.summary.contents.verdict import Standing, Verdict

_ROLES = {
    "baseline": "baseline, which ignores the columns",
    "yardstick": "of another library, a yardstick that cannot be saved",
}


def render_verdict(verdict: "Verdict") -> str:
    """Return the verdict in lines of at most 80 characters."""
    # A number and its unit stay on one line.
    text = verdict.text.replace(" %", "\u00a0%")
    lines = textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\u00a0", " ")


def render_leaderboard(verdict: "Verdict") -> str:
    """Return the models as a table, best first, and an explanation of its columns."""
    title = verdict.measure_title
    title = title[:1].lower() + title[1:] if title[1:2].islower() else title
    title = "cost" if verdict.measure == "cost" else title
    notes = ["* recommended   ± half of the 95 % interval   p against the best but yardsticks"]
    text = _render_table(verdict, title)
    if max(map(text_cells, text.splitlines())) > WIDTH:
        notes.insert(0, f"score: {title}")
        text = _render_table(verdict, "score")
    for role, meaning in _ROLES.items():
        names = [each.model for each in verdict.leaderboard if each.role == role]
        if names:
            notes.append(f"{', '.join(names)}: {meaning}")
    return "\n".join([text, *(textwrap.fill(note, WIDTH) for note in notes)])


def _render_table(verdict: "Verdict", title: str) -> str:
    has_accuracy = verdict.measure != "accuracy"
    has_loss = verdict.measure != "log_loss"
    extra = _decision_columns(verdict)
    header = ["", "model", f"{title} %" if verdict.is_share else title, "±"]
    header += ["accuracy %"] * has_accuracy + ["log loss"] * has_loss + list(extra)
    header += ([] if extra else ["folds", "fit ms"]) + ["p"]
    rows = [_row(each, verdict, has_accuracy, has_loss, extra) for each in verdict.leaderboard]
    return align_columns(header, rows, left=(0, 1))


def _decision_columns(verdict: "Verdict") -> "dict[str, Callable[[Standing], float | None]]":
    """Return the titles and values of columns on decisions, which replace the folds and times."""
    decision = verdict.decision
    if decision is None:
        return {}
    if decision.costs:
        return {} if verdict.measure == "cost" else {"cost": lambda each: each.measures.get("cost")}
    return {"threshold": lambda each: each.threshold} if decision.tuned_for else {}


def _row(
    each: "Standing",
    verdict: "Verdict",
    has_accuracy: bool,
    has_loss: bool,
    extra: "dict[str, Callable[[Standing], float | None]]",
) -> list[str]:
    factor, digits = (100.0, 2) if verdict.is_share else (1.0, 3)
    cells = ["*" if each.model == verdict.recommended else "", each.model]
    cells += [_number(each.score, factor, digits), _number(each.margin, factor, digits)]
    cells += [_number(each.accuracy, 100.0, 2)] * has_accuracy
    cells += [_number(each.log_loss, 1.0, 3)] * has_loss
    cells += [_number(value(each), 1.0, 3) for value in extra.values()]
    if not extra:
        cells += [str(each.n_folds), _milliseconds(1000.0 * each.fit_seconds)]
    p = "<0.001" if each.p is not None and each.p < 0.001 else _number(each.p, 1.0, 3)
    return [*cells, p]


def _number(value: float | None, factor: float, digits: int) -> str:
    return "-" if value is None else f"{factor * value:.{digits}f}"


def _milliseconds(value: float) -> str:
    return f"{value:.1f}" if value < 100.0 else f"{value:,.0f}"


__all__ = ["render_leaderboard", "render_verdict"]
