"""Texts and figures of the page of one table, as its templates show them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from markupsafe import Markup, escape

from augury.report.numbers import count, decimals, percent
from augury.report.opened_view import OpenedView, view_opened
from augury.report.summary_view import ModelView, view_model
from augury.report.table_leaderboard import (
    LeaderboardView,
    capital_title,
    score_text,
    view_leaderboard,
)
from augury.summary.contents.table_summary import ColumnTreatment, TableSummary, WhatIf
from augury.summary.contents.verdict import Verdict

_HONEST = (
    "Cut points, replacements of missing values and all other preparations are learned only from "
    "the training rows of each fold."
)
_MAX_TIED, _FIRST_COLUMNS = 4, 100
_TEST = (
    "Models are compared with the best one that can be saved, by the corrected resampled t-test of "
    "Nadeau and Bengio, two-sided at 5 %. Those that it does not distinguish are tied."
)
_TREATMENTS = {
    "labels": "labels",
    "numbers": "numbers",
    "date": "a date, as days since 1970",
    "dropped": "left out",
}


@dataclass(frozen=True, slots=True)
class ColumnsView:
    """What was done with the columns; those after the first are shown on demand."""

    lead: str
    n_first: int
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class WhatIfView:
    """Texts of the nomogram and the what-if form."""

    model: str
    reason: str
    classes: tuple[str, ...]
    has_pairs: bool
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the templates of the page of one table show."""

    title: str
    target: str
    source: str
    facts: tuple[str, ...]
    version: str
    created: str
    sentences: tuple[Markup, ...]
    saved_as: str
    verdict_facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    contents: tuple[tuple[str, str], ...]
    leaderboard: LeaderboardView
    columns: ColumnsView | None
    opened: OpenedView | None
    what_if: WhatIfView | None
    methods: tuple[str, ...]
    models: tuple[ModelView, ...]


def view_table(summary: TableSummary) -> TableView:
    """Return all that the templates of the page of one table show."""
    verdict = summary.verdict
    opened = None
    if summary.opened is not None:
        opened = view_opened(summary.opened, summary.classes, verdict.decision)
    what_if = None if summary.what_if is None else _view_what_if(summary.what_if)
    contents = [("verdict", "Verdict"), ("leaderboard", "Leaderboard")]
    if what_if is not None:
        contents.append(("what-if", "Nomogram"))
    if opened is not None:
        contents += opened.contents
    if summary.columns:
        contents.append(("columns", "Columns"))
    contents.append(("method", "Method"))
    return TableView(
        title=f"{verdict.target} in {_short(summary.source)}",
        target=verdict.target,
        source=_short(summary.source),
        facts=(
            f"{verdict.n_rows:,} rows",
            count(summary.n_columns, "column"),
            f"{len(summary.classes)} classes",
            summary.created[:10],
        ),
        version=summary.augury,
        created=summary.created[:16].replace("T", " "),
        sentences=tuple(map(_with_code, verdict.sentences)),
        saved_as=verdict.saved_as,
        verdict_facts=_verdict_facts(verdict),
        notes=(*verdict.notes, *summary.failures),
        contents=tuple(contents),
        leaderboard=view_leaderboard(verdict),
        columns=_view_columns(summary.columns) if summary.columns else None,
        opened=opened,
        what_if=what_if,
        methods=_methods(summary),
        models=tuple(map(view_model, summary.models)),
    )


def _short(source: str) -> str:
    """Return the name of a file without its folders.

    >>> _short("/home/ada/mine.csv"), _short("duckdb:a/b.db?query=SELECT 1/2")
    ('mine.csv', 'duckdb:a/b.db?query=SELECT 1/2')
    """
    return source if "?" in source else PurePath(source).name or source


def _with_code(sentence: str) -> Markup:
    """Return a sentence in which names between backticks are code.

    >>> _with_code("Use `a<b` now")
    Markup('Use <code>a&lt;b</code> now')
    """
    parts = sentence.split("`")
    if len(parts) % 2 == 0:  # a name contains a backtick
        return escape(sentence)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else escape(part)
        for i, part in enumerate(parts)
    )


def _write_score(verdict: Verdict, value: float) -> str:
    """Return a value of the chosen measure as text."""
    return f"{decimals(100 * value, 1)} %" if verdict.is_share else decimals(value, 3)


def _verdict_facts(verdict: Verdict) -> tuple[tuple[str, str], ...]:
    facts = []
    if verdict.recommended is not None:
        best = verdict.find(verdict.recommended)
        unit = " %" if verdict.is_share else ""
        facts = [
            ("Use", best.model),
            (capital_title(verdict.measure_title), score_text(verdict, best) + unit),
        ]
        if best.log_loss is not None and verdict.measure != "log_loss":
            facts.append(("Log loss", decimals(best.log_loss, 3)))
    facts += _decision_facts(verdict)
    tied = [name for name in verdict.tied if name != verdict.recommended]
    if tied:
        n_more = len(tied) - _MAX_TIED
        listed = tied if n_more < 2 else [*tied[:_MAX_TIED], f"{n_more} more"]
        facts.append(("Tied with the best", ", ".join(listed)))
    if verdict.baseline is not None:
        known = verdict.baseline.score
        text = f"{decimals(100 * verdict.baseline.share, 1)} % of the rows"
        if known is not None:
            text = _write_score(verdict, known)
        facts.append((f"Always guessing {verdict.baseline.label}", text))
    return tuple(facts)


def _decision_facts(verdict: Verdict) -> list[tuple[str, str]]:
    """Return the expected cost, and the threshold with its precision and recall."""
    found = verdict.decision
    if found is None:
        return []
    facts = []
    if found.cost is not None and verdict.measure != "cost":
        facts.append(("Expected cost", decimals(found.cost, 3)))
    if found.threshold is not None:
        text = decimals(found.threshold, 3)
        facts.append((f"Threshold of {found.positive}", text))
        facts.append(
            ("Its recall and precision", f"{percent(found.recall)}, {percent(found.precision)}")
        )
    return facts


# ---- columns, what-if, method -----------------------------------------------------------


def _view_columns(columns: tuple[ColumnTreatment, ...]) -> ColumnsView:
    n_dropped = sum(each.treatment == "dropped" for each in columns)
    used = count(len(columns) - n_dropped, "column")
    lead = f"{used} {'is' if len(columns) - n_dropped == 1 else 'are'} used"
    lead += f", {n_dropped} left out." if n_dropped else "."
    ordered = sorted(columns, key=lambda each: each.treatment != "dropped")
    return ColumnsView(
        f"{lead} The decisions are learned again in each training fold; they rarely differ.",
        _FIRST_COLUMNS,
        tuple(
            (each.name, _TREATMENTS.get(each.treatment, each.treatment), each.reason)
            for each in ordered
        ),
    )


def _view_what_if(what_if: WhatIf) -> WhatIfView:
    known = [
        label
        for label, is_known in zip(what_if.form.classes, what_if.form.is_known, strict=True)
        if is_known
    ]
    return WhatIfView(
        what_if.model,
        what_if.reason,
        what_if.form.classes,
        len(known) > 2,
        tuple(row.title for row in what_if.rows),
    )


def _methods(summary: TableSummary) -> tuple[str, ...]:
    verdict = summary.verdict
    runs = f"{verdict.n_repeats} × " if verdict.n_repeats > 1 else ""
    lines = [
        f"Table: {summary.source}.",
        f"Models are compared by {runs}{verdict.n_folds}-fold cross-validation. {_HONEST}",
        _TEST,
    ]
    if verdict.recommended_reason and verdict.recommended is not None:
        lines.append(f"{verdict.recommended}: {verdict.recommended_reason.rstrip('.')}.")
    if summary.opened is not None:
        lines += summary.opened.notes
    return tuple(lines)


__all__ = ["TableView", "view_table"]
