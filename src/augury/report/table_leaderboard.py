"""The leaderboard of one table: its rows, its measures and its figure."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from augury.evaluate.measures import MEASURES, Measure, find_measure
from augury.report.figure import NARROW, WIDE, FigureTable, as_markup
from augury.report.interval_chart import Interval, interval_chart
from augury.report.numbers import decimals, milliseconds, p_value
from augury.summary.contents.verdict import Standing, Verdict

_ROLES = {"baseline": "baseline", "yardstick": "yardstick, cannot be saved"}


@dataclass(frozen=True, slots=True)
class StandingView:
    """A row of the leaderboard."""

    name: str
    note: str
    is_recommended: bool
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """The leaderboard of one table."""

    lead: str
    header: tuple[str, ...]
    rows: tuple[StandingView, ...]
    measures: FigureTable | None
    wide: Markup | None
    narrow: Markup | None
    caption: str


def view_leaderboard(verdict: Verdict) -> LeaderboardView:
    """Return what the template shows of the leaderboard."""
    shown = [
        each for each in verdict.leaderboard if each.role != "baseline" and each.score is not None
    ]
    wide = narrow = None
    if shown:
        wide, narrow = (as_markup(_draw_leaderboard(verdict, shown, w)) for w in (WIDE, NARROW))
    unit = " (%)" if verdict.is_share else ""
    has = {
        "accuracy": verdict.measure != "accuracy",
        "log_loss": verdict.measure != "log_loss"
        and any(each.log_loss is not None for each in verdict.leaderboard),
        "cost": verdict.measure != "cost" and any("cost" in s.measures for s in shown),
        "threshold": any(each.threshold is not None for each in shown),
    }
    header = ["Model", f"{capital_title(verdict.measure_title)}{unit}", "Against the best"]
    header += ["Accuracy (%)"] if has["accuracy"] else []
    header += ["Log loss"] if has["log_loss"] else []
    header += ["Expected cost"] if has["cost"] else []
    header += ["Threshold"] if has["threshold"] else []
    # A column on decisions takes the place of the last one, so that the table fits a page.
    has["prediction"] = not (has["cost"] or has["threshold"])
    header += ["Training", *(["Prediction"] if has["prediction"] else [])]
    direction = "higher" if verdict.higher_is_better else "lower"
    title = _title(verdict)
    lead = (
        f"Mean {title} over the test folds ({direction} is better) and half of its 95 % interval, "
        "best first."
    )
    not_drawn = ""
    if len(shown) < len(verdict.leaderboard):
        not_drawn = " The baseline is not drawn, so that the axis shows the others."
    return LeaderboardView(
        lead=f"{lead} {_sentence(verdict.measure_reason)}".strip(),
        header=tuple(header),
        rows=tuple(_view_standing(verdict, each, has) for each in verdict.leaderboard),
        measures=_all_measures(verdict),
        wide=wide,
        narrow=narrow,
        caption=(
            f"Mean {title} and its 95 % interval, from the variance of the folds "
            f"corrected for shared training rows.{not_drawn}"
        ),
    )


def _title(verdict: Verdict) -> str:
    """Return the name of the chosen measure inside a sentence."""
    label = verdict.measure.partition(":")[2]
    return find_measure(verdict.measure, [label]).title_in_sentence


def capital_title(title: str) -> str:
    """Return a title that begins with a capital."""
    return title[:1].upper() + title[1:]


def _sentence(text: str) -> str:
    if not text:
        return ""
    return capital_title(text).rstrip(".") + "."


def _draw_leaderboard(verdict: Verdict, shown: list[Standing], width: float) -> str:
    scale = 100 if verdict.is_share else 1
    unit = ", %" if verdict.is_share else ""
    return interval_chart(
        [
            Interval(
                each.model,
                scale * (each.score or 0.0),
                None if each.margin is None else scale * each.margin,
                each.model == verdict.recommended,
                f"{each.model}: {score_text(verdict, each)}",
            )
            for each in shown
        ],
        title=f"{capital_title(verdict.measure_title)} of each model",
        x_label=f"{_title(verdict)}{unit}",
        limits=(0.0, 100.0) if verdict.is_share else (0.0, float("inf")),
        width=width,
    )


def score_text(verdict: Verdict, each: Standing) -> str:
    """Return the score of a model, and half of its interval."""
    if each.score is None:
        return "–"
    scale, digits = (100, 1) if verdict.is_share else (1, 3)
    margin = "" if each.margin is None else f" ± {decimals(scale * each.margin, digits)}"
    return decimals(scale * each.score, digits) + margin


def _view_standing(verdict: Verdict, each: Standing, has: dict[str, bool]) -> StandingView:
    cells = [score_text(verdict, each), _against(each, verdict)]
    if has["accuracy"]:
        cells.append(decimals(100 * each.accuracy, 1))
    if has["log_loss"]:
        cells.append(_optional(each.log_loss))
    if has["cost"]:
        cells.append(_optional(each.measures.get("cost")))
    if has["threshold"]:
        cells.append(_optional(each.threshold))
    cells.append(milliseconds(1000 * each.fit_seconds))
    if has["prediction"]:
        cells.append(milliseconds(1000 * each.predict_seconds))
    return StandingView(
        each.model,
        _ROLES.get(each.role, ""),
        each.model == verdict.recommended,
        tuple(cells),
    )


def _optional(value: float | None) -> str:
    return "–" if value is None else decimals(value, 3)


def _all_measures(verdict: Verdict) -> FigureTable | None:
    """Return the means of all measures, one row for each model."""
    keys = {key for each in verdict.leaderboard for key in each.measures}
    if not keys:
        return None
    order = [*(key for key in MEASURES if key in keys), *sorted(keys - set(MEASURES))]
    measures = [find_measure(key, [key.partition(":")[2]]) for key in order]
    header = [f"{each.title}{' (%)' if each.unit == '%' else ''}" for each in measures]
    return FigureTable(
        "All measures",
        ("Model", *header),
        tuple(
            (
                each.model,
                *(
                    _measured(m, each.measures.get(key))
                    for key, m in zip(order, measures, strict=True)
                ),
            )
            for each in verdict.leaderboard
        ),
    )


def _measured(measure: Measure, value: float | None) -> str:
    return "–" if value is None else measure.number(value).replace("-", "–")


def _against(each: Standing, verdict: Verdict) -> str:
    """Return the result of the test against the best model that can be saved."""
    best = next((other for other in verdict.leaderboard if other.role == "model"), None)
    if each is best:
        return "best"
    if best is None or each.p is None or each.score is None or best.score is None:
        return "not tested"
    is_better = (each.score > best.score) == verdict.higher_is_better
    outcome = "tied" if each.is_tied else "better" if is_better else "worse"
    return f"{outcome}, p {_equals(each.p)}"


def _equals(p: float) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"


__all__ = ["LeaderboardView", "StandingView", "capital_title", "score_text", "view_leaderboard"]
