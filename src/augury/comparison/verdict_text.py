"""The verdict in words."""

from collections.abc import Mapping, Sequence

from augury.evaluate import MEASURES, Measure
from augury.summary.contents.verdict import MODEL, YARDSTICK, Standing, Verdict

_ACCURACY, _LOG_LOSS = MEASURES["accuracy"], MEASURES["log_loss"]
# More names than these are counted.
_MAX_NAMES = 5
# With so few folds the corrected test finds large differences only.
_FEW_FOLDS = 3


def write_sentences(verdict: Verdict, measure: Measure) -> tuple[str, ...]:
    """Return the sentences of a verdict.

    Parameters
    ----------
    verdict : Verdict
        Its `sentences` are ignored.
    measure : Measure
        The chosen measure.
    """
    if verdict.recommended is None:
        return _without_model(verdict)
    sentences = [_first(verdict, measure)]
    sentences += _choice(verdict)
    sentences += _better_yardsticks(verdict, measure)
    sentences += _compared_rows(verdict)
    sentences += _fold_counts(verdict)
    guess = verdict.baseline
    if guess is not None and guess.is_beaten is False:
        sentences.append(
            f"It is not better than always guessing {guess.label} by this test: the columns say "
            f"little about {verdict.target}, or the rows are too few."
        )
    if measure.key != "accuracy" and verdict.measure_reason:
        sentences.append(verdict.measure_reason)
    return tuple(sentences)


def format_score(measure: Measure, value: float | None, margin: float | None = None) -> str:
    """Return a score and its margin; a share in percent with one decimal.

    >>> format_score(MEASURES["accuracy"], 0.9891, 0.0063)
    '98.9 % ± 0.6'
    >>> format_score(MEASURES["log_loss"], 0.0361)
    '0.036'
    """
    if value is None:
        return "-"
    is_share = measure.unit == "%"
    factor, decimals = (100.0, 1) if is_share else (1.0, measure.decimals)
    text = f"{factor * value:z.{decimals}f}" + (" %" if is_share else "")
    return text if margin is None else f"{text} ± {factor * margin:.{decimals}f}"


def join_names(names: Sequence[str]) -> str:
    """Return a list in words.

    >>> join_names(["lr", "nb", "forest"]), join_names(["lr"])
    ('lr, nb and forest', 'lr')
    """
    return " and ".join((", ".join(names[:-1]), names[-1]) if len(names) > 1 else names)


def _first(verdict: Verdict, measure: Measure) -> str:
    """Return which model to use, its scores, its ties, and what guessing achieves."""
    assert verdict.recommended is not None
    chosen = verdict.find(verdict.recommended)
    score = score_in_words(measure, chosen.score, chosen.margin)
    if measure.key == "accuracy":
        score = score.removeprefix("accuracy ")
    parts = [f"{score}{_other_scores(chosen, measure)}", *_tests(verdict)]
    guess = verdict.baseline
    if guess is not None and guess.score is not None:
        parts.append(
            f"always guessing {guess.label} would have {format_score(measure, guess.score)}"
        )
    return f"Use `{chosen.model}` for {verdict.target}: {'; '.join(parts)}."


def _tests(verdict: Verdict) -> list[str]:
    """Return which models are tied with the leader, and which were not tested against it."""
    others = [name for name in verdict.tied if name != verdict.recommended]
    # The leader has no p-value either, and is tied with itself.
    untested = [each.model for each in verdict.leaderboard if each.p is None and not each.is_tied]
    if len(verdict.leaderboard) < 2:
        return []
    if len(untested) == len(verdict.leaderboard) - 1:
        return ["no corrected t-test was possible: fewer than two folds have scores of two models"]
    said = f"tied with {_shorten_names(others) if others else 'no other model'} (corrected t-test)"
    if not untested:
        return [said]
    return [said, f"no test of {_shorten_names(untested)} was possible"]


def _shorten_names(names: Sequence[str]) -> str:
    n_more = len(names) - _MAX_NAMES
    return join_names(names if n_more < 2 else [*names[:_MAX_NAMES], f"{n_more} more"])


def score_in_words(measure: Measure, value: float | None, margin: float | None = None) -> str:
    """Return the name of a measure and a score.

    >>> score_in_words(MEASURES["accuracy"], 0.9891), score_in_words(MEASURES["auc"], None)
    ('accuracy 98.9 %', 'AUC unknown')
    """
    title = measure.title
    if not (title[:2].isupper() or title[1:2].isdigit()):  # AUC and F1 keep their capitals
        title = title[:1].lower() + title[1:]
    return f"{title} {'unknown' if value is None else format_score(measure, value, margin)}"


def describe_folds(counts: Mapping[str, int], n_models: int) -> str:
    """Return how many folds models have, in words.

    >>> describe_folds({"nb": 3, "lr": 3, "augury": 2}, n_models=3)
    'nb and lr have 3, augury has 2'
    >>> describe_folds({"nb": 3, "lr": 3}, n_models=2)
    'each model has 3'
    """
    models: dict[int, list[str]] = {}
    for name, n_folds in counts.items():
        models.setdefault(n_folds, []).append(name)
    if len(models) == 1 and len(counts) == n_models > 1:
        return f"each model has {next(iter(models))}"
    return ", ".join(
        f"{join_names(names)} {'have' if len(names) > 1 else 'has'} {n_folds}"
        for n_folds, names in models.items()
    )


def _compared_rows(verdict: Verdict) -> list[str]:
    """Return that the models were compared on a sample, if they were."""
    n_compared = verdict.n_compared
    if n_compared is None or n_compared >= verdict.n_rows:
        return []
    sample = f"a sample of {n_compared:,} of the {verdict.n_rows:,} rows"
    return [f"Models are compared on {sample}, because the time limit is too short for all."]


def _fold_counts(verdict: Verdict) -> list[str]:
    """Return the number of folds of the leaders, if they differ or are few."""
    leaders = {
        each.model: each.n_folds
        for each in verdict.leaderboard
        if each.role == MODEL and (each.is_tied or each.model == verdict.recommended)
    }
    counts = set(leaders.values())
    said = describe_folds(leaders, n_models=len(leaders))
    if len(counts) > 1:
        return [f"{said} folds: two models are compared on the folds that both have."]
    if len(leaders) > 1 and max(counts) <= _FEW_FOLDS:
        few = "fold" if counts == {1} else "folds"
        who = "Each of the tied models" if len(verdict.leaderboard) > len(leaders) else "Each model"
        return [f"{who} has {max(counts)} {few} only: small differences are not significant."]
    return []


def _other_scores(chosen: Standing, measure: Measure) -> str:
    shown = []
    if measure.key != "accuracy":
        shown.append(f"accuracy {format_score(_ACCURACY, chosen.accuracy)}")
    if measure.key != "log_loss" and chosen.log_loss is not None:
        shown.append(f"log loss {format_score(_LOG_LOSS, chosen.log_loss)}")
    return f" ({', '.join(shown)})" if shown else ""


def _choice(verdict: Verdict) -> list[str]:
    """Return why the recommended model is not the one with the best mean."""
    reason = verdict.recommended_reason
    if not reason.startswith(("simplest", "best of")):
        return []
    first, *fault = reason.split("; ")
    return [f"It is the {first}.", *(f"{each}: its probabilities mislead." for each in fault)]


def _better_yardsticks(verdict: Verdict, measure: Measure) -> list[str]:
    better = [
        f"{each.model} ({format_score(measure, each.score)})"
        for each in verdict.leaderboard
        if each.role == YARDSTICK
        and not each.is_tied
        and each.p is not None
        and each.score is not None
        and _is_above(verdict, each.score)
    ]
    if not better:
        return []
    verb = "are" if len(better) > 1 else "is"
    return [f"{join_names(better)} {verb} better, but cannot be saved without pickle."]


def _is_above(verdict: Verdict, score: float) -> bool:
    chosen = verdict.find(verdict.recommended or "").score
    if chosen is None:
        return True
    return score > chosen if verdict.higher_is_better else score < chosen


def _without_model(verdict: Verdict) -> tuple[str, ...]:
    if not verdict.leaderboard:
        return (f"No model completed a fold: there is nothing to use for {verdict.target}.",)
    names = join_names([each.model for each in verdict.leaderboard])
    no_model = f"There is no model to use for {verdict.target}: {names} cannot be saved."
    return no_model, "Compare models of augury, see `augury models`."


__all__ = [
    "describe_folds",
    "format_score",
    "join_names",
    "score_in_words",
    "write_sentences",
]
