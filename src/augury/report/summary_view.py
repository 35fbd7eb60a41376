"""Texts and figures of the page, as its templates show them. Templates compute nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from augury.foreign import Json
from augury.report.leaderboard_view import LeaderboardView, view_leaderboard
from augury.report.numbers import count
from augury.report.summary_figures import AxisTicks, Figure, bias_variance_ticks, draw_figures
from augury.summary.contents import (
    DatasetOverview,
    FailedFold,
    Measure,
    ModelOverview,
    Summary,
)

_PROTOCOLS = {
    "honest": (
        "Honest protocol: cut points, replacements of missing values and all other preparations "
        "are learned only from the training rows of each fold. The results estimate the "
        "performance on new data."
    ),
    "published": (
        "Published protocol: missing values are replaced and numbers are discretized on the "
        "whole data set, including the test rows, before it is split. This reproduces printed "
        "tables, but it overestimates the performance on new data."
    ),
}
_DECOMPOSITIONS = {"webb": "Webb", "kohavi_wolpert": "Kohavi and Wolpert"}
_CONTENTS = (
    ("learning", "Learning curves"),
    ("leaderboard", "Leaderboard"),
    ("table", "All data sets"),
    ("significance", "Significance"),
    ("time", "Time"),
    ("bias-variance", "Bias and variance"),
    ("calibration", "Calibration"),
    ("datasets", "Single data sets"),
    ("run", "Experiment"),
)
_FIRST_WARNINGS, _MAX_FAILURES = 5, 100


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model, with its class and parameters written as a Python call."""

    name: str
    family: str
    call: str


@dataclass(frozen=True, slots=True)
class DatasetView:
    """A row of the table of data sets."""

    name: str
    n_rows: str
    n_columns: str
    n_numeric: str
    n_missing: str
    n_classes: str
    target: str
    dropped: str
    source: str
    checksum: str


@dataclass(frozen=True, slots=True)
class BiasVarianceView:
    """Text and choices of the section about bias and variance."""

    text: str
    methods: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EnvironmentView:
    """Versions and machine of some of the folds."""

    title: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FailureView:
    """A failed fold and its traceback."""

    title: str
    traceback: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of things, with their nouns."""

    models: str
    datasets: str
    failures: str


@dataclass(frozen=True, slots=True)
class PageView:
    """All that the templates show.

    Attributes
    ----------
    figures : mapping from section to figures
        See `augury.report.summary_figures.FIGURES`.
    bias_variance : BiasVarianceView or None
        None with a single run.
    ticks : mapping from decomposition to AxisTicks
        Axes that the script of the page draws.
    failures_left_out : int
        Number of failures that are not in `failures`.
    """

    title: str
    version: str
    created: str
    facts: tuple[str, ...]
    warnings: tuple[str, ...]
    more_warnings: tuple[str, ...]
    contents: tuple[tuple[str, str], ...]
    measures: tuple[Measure, ...]
    reference: str | None
    models: tuple[ModelView, ...]
    datasets: tuple[DatasetView, ...]
    leaderboard: LeaderboardView
    figures: Mapping[str, tuple[Figure, ...]]
    bias_variance: BiasVarianceView | None
    ticks: Mapping[str, AxisTicks]
    run_facts: tuple[tuple[str, str], ...]
    protocol: str
    environments: tuple[EnvironmentView, ...]
    failures: tuple[FailureView, ...]
    failures_left_out: int
    counts: Counts

    def has(self, section: str) -> bool:
        """Return whether the page has a section."""
        return any(section == name for name, _ in self.contents)


def view_summary(summary: Summary) -> PageView:
    """Return all that the templates show."""
    ticks = bias_variance_ticks(summary)
    return PageView(
        title=summary.title or "Results",
        version=summary.augury,
        created=summary.created[:10],
        facts=_facts(summary),
        warnings=summary.warnings[:_FIRST_WARNINGS],
        more_warnings=summary.warnings[_FIRST_WARNINGS:],
        contents=_contents(summary),
        measures=summary.measures,
        reference=summary.experiment.reference,
        models=tuple(map(view_model, summary.models)),
        datasets=tuple(map(_view_dataset, summary.datasets)),
        leaderboard=view_leaderboard(summary),
        figures=draw_figures(summary),
        bias_variance=_view_bias_variance(summary, ticks),
        ticks=ticks,
        run_facts=_run_facts(summary),
        protocol=_PROTOCOLS.get(summary.experiment.protocol or "", ""),
        environments=tuple(map(_view_environment, summary.environments)),
        failures=tuple(_view_failure(each, summary) for each in summary.failures[:_MAX_FAILURES]),
        failures_left_out=max(len(summary.failures) - _MAX_FAILURES, 0),
        counts=Counts(
            models=count(len(summary.models), "model"),
            datasets=count(len(summary.datasets), "data set"),
            failures=count(len(summary.failures), "failed fold"),
        ),
    )


def _contents(summary: Summary) -> tuple[tuple[str, str], ...]:
    """Return the sections of the page: those that have something to show.

    Learning curves have no bias and variance, because their runs do not test every row.
    """
    left_out = set()
    if not summary.learning_curves:
        left_out.add("learning")
    if summary.has_only_curves:
        left_out.add("bias-variance")
        if not any(summary.comparisons.friedman.values()):
            left_out.add("significance")
    return tuple(section for section in _CONTENTS if section[0] not in left_out)


def _facts(summary: Summary) -> tuple[str, ...]:
    experiment = summary.experiment
    facts = [count(len(summary.models), "model"), count(len(summary.datasets), "data set")]
    if experiment.folds and experiment.repeats:
        times = f"{experiment.repeats} × " if experiment.repeats > 1 else ""
        facts.append(f"{times}{experiment.folds}-fold cross-validation")
    if summary.has_only_curves and experiment.train_sizes and experiment.repeats:
        sizes = count(len(experiment.train_sizes), "training size")
        facts.append(f"{sizes}, {count(experiment.repeats, 'run')}")
    if experiment.protocol:
        facts.append(f"{experiment.protocol} protocol")
    # The default title contains the numbers of models and data sets.
    return tuple(fact for fact in facts if fact not in summary.title)


def view_model(model: ModelOverview) -> ModelView:
    """Return a model with its class and parameters, after the steps before it."""
    described = {"class": model.class_ or model.name, **model.parameters}
    steps: Sequence[Json] = [*model.steps_before, described]
    return ModelView(model.name, model.family, " → ".join(map(_write_call, steps)))


def _write_call(value: Json) -> str:
    """Return an estimator, and those inside it, as a Python expression."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_write_call, value))}]"
    if not isinstance(value, Mapping):
        return repr(value)
    if "class" not in value:
        return f"{{{', '.join(f'{k!r}: {_write_call(part)}' for k, part in value.items())}}}"
    name = str(value["class"]).rpartition(".")[2]
    parts = [f"{k}={_write_call(part)}" for k, part in value.items() if k != "class"]
    return f"{name}({', '.join(parts)})"


def _view_dataset(dataset: DatasetOverview) -> DatasetView:
    def whole(value: int | None) -> str:
        return "–" if value is None else f"{value:,}"

    return DatasetView(
        name=dataset.name,
        n_rows=whole(dataset.n_rows),
        n_columns=whole(dataset.n_columns),
        n_numeric=whole(dataset.n_numeric),
        n_missing=whole(dataset.n_missing),
        n_classes=str(len(dataset.classes)),
        target=dataset.target or "",
        dropped=", ".join(dataset.dropped),
        source=dataset.source,
        checksum=dataset.checksum[:16],
    )


def _view_bias_variance(
    summary: Summary, ticks: Mapping[str, AxisTicks]
) -> BiasVarianceView | None:
    found = summary.predictions.bias_variance
    if found is None or not ticks:
        return None
    text = (
        f"Decomposition of the error over {found.runs} runs. Bias is the part of the error that "
        "does not depend on the training rows; variance is the part that does. The scale is the "
        "same for all choices of models."
    )
    return BiasVarianceView(text, {key: _DECOMPOSITIONS[key] for key in ticks})


def _run_facts(summary: Summary) -> tuple[tuple[str, str], ...]:
    experiment = summary.experiment
    facts = (
        ("Protocol", experiment.protocol),
        ("Folds", experiment.folds),
        ("Training sizes", ", ".join(f"{size}" for size in experiment.train_sizes)),
        ("Test share", experiment.test_share),
        ("Runs", experiment.repeats),
        ("Seed", experiment.seed),
        ("Reference", experiment.reference),
        ("augury", summary.augury),
        ("Created", _write_time(summary.created)),
    )
    return tuple((name, str(value)) for name, value in facts if value is not None and value != "")


def _write_time(moment: str) -> str:
    """Return an ISO time to the minute, with its zone.

    >>> _write_time("2026-11-16T04:30:59+00:00")
    '2026-11-16 04:30 UTC'
    """
    zone = " UTC" if moment.endswith("+00:00") else ""
    return moment[:16].replace("T", " ") + zone


def _view_environment(environment: Mapping[str, Json]) -> EnvironmentView:
    packages = environment.get("packages")
    others = [(name, value) for name, value in environment.items() if name != "packages"]
    facts = [*others, *(packages.items() if isinstance(packages, Mapping) else ())]
    system = environment.get("system") or environment.get("machine") or "an unknown machine"
    return EnvironmentView(
        title=f"Versions: Python {environment.get('python', '?')} on {system}",
        facts=tuple((str(name), str(value)) for name, value in facts if value is not None),
    )


def _view_failure(failure: FailedFold, summary: Summary) -> FailureView:
    of_curve = any(each.has_curves for each in summary.datasets if each.name == failure.dataset)
    fold = f"{failure.fold} training rows" if of_curve else f"fold {failure.fold}"
    title = f"{failure.model} on {failure.dataset}, run {failure.run}, {fold}: {failure.error}"
    return FailureView(title, failure.traceback)


__all__ = ["ModelView", "PageView", "view_model", "view_summary"]
