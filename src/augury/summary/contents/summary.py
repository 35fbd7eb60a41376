"""The summary of a store, and its format in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from augury.explain.summary_contents import ModelSummary
from augury.foreign import Json
from augury.json_fields import INLINE, JsonFieldError, fields_to_json, from_json
from augury.summary.contents.comparisons import Comparisons
from augury.summary.contents.overview import (
    DatasetOverview,
    ExperimentOverview,
    FailedFold,
    Measure,
    ModelOverview,
)
from augury.summary.contents.predictions import LearningCurves, Predictions
from augury.summary.contents.verdict import Verdict

# Version of the JSON format. It changes if a key changes its name or its meaning.
FORMAT = 2


class SummaryError(ValueError):
    """JSON that is not a summary of this version."""


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a report shows.

    Tuples over models or data sets have the order of `models` and `datasets`. What cannot be
    computed is None. In JSON the fields of `comparisons` and `predictions` are keys of the
    summary itself.

    Attributes
    ----------
    title, created, augury : str
        Title, ISO time in UTC, version of augury.
    experiment : ExperimentOverview
        Settings of the experiment.
    models, datasets, measures : tuples
        What was compared, and by which measures.
    comparisons : Comparisons
        Means, tests and ranks.
    predictions : Predictions
        Bias and variance, reliability, confusions.
    learning_curves : tuple of LearningCurves
        Curves of the data sets with growing training samples.
    model_summaries : [data set]
        What models learned from all rows, by name of the model.
    warnings : tuple of str
        Sentences that a reader must know.
    environments : tuple of mappings
        Versions and machines with which the folds were computed.
    failures : tuple of FailedFold
        Folds that raised an error.
    verdict : Verdict or None
        Which model to use, if the store is that of a comparison on one table. Then `models` has
        the order of its leaderboard.
    """

    title: str
    created: str
    augury: str
    experiment: ExperimentOverview
    models: tuple[ModelOverview, ...]
    datasets: tuple[DatasetOverview, ...]
    measures: tuple[Measure, ...]
    comparisons: Comparisons = field(metadata=INLINE)
    predictions: Predictions = field(metadata=INLINE)
    learning_curves: tuple[LearningCurves, ...] = ()
    model_summaries: tuple[Mapping[str, ModelSummary], ...] = ()
    warnings: tuple[str, ...] = ()
    environments: tuple[Mapping[str, Json], ...] = ()
    failures: tuple[FailedFold, ...] = ()
    verdict: Verdict | None = None

    @property
    def has_only_curves(self) -> bool:
        """Whether no data set has folds of a cross-validation."""
        return bool(self.datasets) and all(dataset.has_curves for dataset in self.datasets)

    def to_json(self) -> dict[str, Json]:
        """Return the summary as plain JSON, with the key `format`."""
        return {"format": FORMAT, **fields_to_json(self)}

    @classmethod
    def from_json(cls, content: object) -> "Summary":
        """Return the summary that JSON describes.

        Raises
        ------
        SummaryError
            If the JSON has another format number, or a part is absent or has another type.

        Examples
        --------
        >>> Summary.from_json({"format": 1})
        Traceback (most recent call last):
        augury.summary.contents.summary.SummaryError: summary must have format 2, got 1; write \
the report again with this version of augury
        """
        found = content.get("format") if isinstance(content, Mapping) else None
        if found != FORMAT:
            raise SummaryError(
                f"summary must have format {FORMAT}, got {found!r}; write the report again with "
                "this version of augury"
            )
        try:
            return from_json(cls, content, "summary")
        except JsonFieldError as error:
            raise SummaryError(str(error)) from error


__all__ = ["FORMAT", "Summary", "SummaryError"]
