"""The verdict and the leaderboard as HTML for a notebook.

The fragment has no colours of its own, so that it fits light and dark notebooks.
"""

from collections.abc import Sequence
from html import escape

from augury.comparison.verdict_text import format_score
from augury.evaluate import find_measure
from augury.summary.contents.verdict import MODEL, Standing, Verdict

_LEFT = ' style="text-align:left"'


def render_for_notebook(verdict: Verdict, classes: Sequence[str]) -> str:
    """Return the verdict and the leaderboard as a fragment of HTML.

    Parameters
    ----------
    verdict : Verdict
    classes : sequence of str
        Labels of the classes, among them that of the measure.
    """
    measure = find_measure(verdict.measure, classes)
    has_cost = verdict.measure != "cost" and any(
        "cost" in each.measures for each in verdict.leaderboard
    )
    has_threshold = any(each.threshold is not None for each in verdict.leaderboard)
    titles = [measure.title, "log loss"]
    titles += ["expected cost"] * has_cost + ["threshold"] * has_threshold + ["folds", "fit ms"]
    rows = []
    for each in verdict.leaderboard:
        cells = [format_score(measure, each.score, each.margin), _number(each.log_loss)]
        cells += [_number(each.measures.get("cost"))] * has_cost
        cells += [_number(each.threshold)] * has_threshold
        cells += [str(each.n_folds), f"{1000.0 * each.fit_seconds:.1f}"]
        rows.append(_row(each, cells, is_chosen=each.model == verdict.recommended))
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    first, *others = verdict.sentences or ("",)
    saved = [f"Fitted to all {verdict.n_rows} rows and saved as {verdict.saved_as}."]
    notes = [*others, *(saved if verdict.saved_as else []), *verdict.notes]
    return (
        f"<div><p><strong>{_with_code(first)}</strong></p>"
        f"{''.join(f'<p>{_with_code(note)}</p>' for note in notes)}"
        f'<table><thead><tr><th scope="col"{_LEFT}>model</th>{head}<td></td></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(each: Standing, cells: Sequence[str], *, is_chosen: bool) -> str:
    name = escape(each.model)
    role = "recommended" if is_chosen else "" if each.role == MODEL else each.role
    return (
        f'<tr><th scope="row"{_LEFT}>{f"<b>{name}</b>" if is_chosen else name}</th>'
        f"{''.join(f'<td>{cell}</td>' for cell in cells)}<td{_LEFT}>{role}</td></tr>"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _with_code(sentence: str) -> str:
    """Return a sentence in which names between backticks are code.

    >>> _with_code("Use `a<b` now")
    'Use <code>a&lt;b</code> now'
    """
    parts = [escape(part) for part in sentence.split("`")]
    if len(parts) % 2 == 0:  # a name contains a backtick
        return escape(sentence)
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


__all__ = ["render_for_notebook"]
