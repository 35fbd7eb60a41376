"""The verdict of a comparison on one table: an ordering of the models, and which one to use."""

from collections.abc import Mapping
from dataclasses import dataclass

MODEL, BASELINE, YARDSTICK = "model", "baseline", "yardstick"


@dataclass(frozen=True, slots=True)
class Standing:
    """One model of the leaderboard.

    Attributes
    ----------
    model : str
        Name of the model.
    role : {"model", "baseline", "yardstick"}
        Only a "model" is recommended. A "yardstick" is a model of another library, which cannot be
        saved. The "baseline" guesses the most frequent class.
    n_folds : int
        Number of completed folds; the means are over these.
    score : float or None
        Mean of the chosen measure; None if no fold has a value.
    margin : float or None
        Half the width of the 95 % interval of the score; None for fewer than two folds.
    accuracy : float
        Mean share of correct predictions, from 0 to 1.
    log_loss, brier : float or None
        Means; None for a model without class probabilities.
    measures : mapping from name to float
        Means of the other measures.
    fit_seconds, predict_seconds : float
        Mean times of a fold.
    p : float or None
        p of the corrected t-test of the chosen measure against the leader, which is the best model
        that can be saved; None for the leader, and with fewer than two folds in common.
    is_tied : bool
        Whether the model is the leader or tied with it.
    threshold : float or None
        Probability from which the model predicts the positive class of `Verdict.decision`; None
        without such a decision.
    """

    model: str
    role: str
    n_folds: int
    score: float | None
    margin: float | None
    accuracy: float
    log_loss: float | None
    brier: float | None
    measures: Mapping[str, float]
    fit_seconds: float
    predict_seconds: float
    p: float | None
    is_tied: bool
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class DecisionOfModel:
    """How the recommended model decides, if it does not predict the most probable class.

    Attributes
    ----------
    classes : tuple of str
        Labels of the classes.
    costs : [predicted][true]
        Costs, in the order of `classes`; empty if a threshold decides.
    cost, cheapest_cost : float or None
        Mean cost of the test rows, and that of always predicting `cheapest`; None without costs.
    cheapest : str
        The class whose prediction costs least, if it is predicted always; empty without costs.
    positive : str
        With two classes, the class that is predicted from the threshold on; otherwise empty.
    threshold : float or None
        With two classes, the probability of `positive` from which it is predicted; None if it is
        never predicted.
    tuned_for : str
        Name of the measure that the threshold is tuned for, in words; empty if it is not tuned.
    value, value_of_half : float or None
        That measure of the test rows with the threshold, and with 0.5.
    recall, precision : float or None
        Of `positive`, on the test rows.
    """

    classes: tuple[str, ...]
    costs: tuple[tuple[float, ...], ...] = ()
    cost: float | None = None
    cheapest_cost: float | None = None
    cheapest: str = ""
    positive: str = ""
    threshold: float | None = None
    tuned_for: str = ""
    value: float | None = None
    value_of_half: float | None = None
    recall: float | None = None
    precision: float | None = None


@dataclass(frozen=True, slots=True)
class Baseline:
    """What always guessing the most frequent class achieves.

    Attributes
    ----------
    label : str
        The most frequent class; with costs, the class whose prediction costs least.
    share : float
        Its share of the rows.
    score : float or None
        Mean of the chosen measure of the model `majority`; None if it was not compared and the
        measure is not accuracy.
    is_beaten : bool or None
        Whether the recommended model is better by the corrected t-test; None if that is not known.
    """

    label: str
    share: float
    score: float | None = None
    is_beaten: bool | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which model to use for a target, and why.

    `augury.comparison.verdict.judge` computes it; its docstring has the rule.

    Attributes
    ----------
    dataset, target : str
        Names of the table and of the column to predict.
    n_rows : int
        Number of rows with a class, to which the recommended model is fitted.
    measure : str
        Name of the chosen measure, such as "accuracy".
    measure_title : str
        Its name for readers, such as "accuracy".
    measure_reason : str
        Why it was chosen; empty if there is nothing to say.
    higher_is_better : bool
        Whether a larger score is better.
    is_share : bool
        Whether the score is a share from 0 to 1, which is shown in percent.
    recommended : str or None
        Name of the model to use; None if no model that can be saved completed a fold.
    recommended_reason : str
        Why it is the recommended one.
    leaderboard : tuple of Standing
        All models with completed folds, best first. This is the order of every table.
    baseline : Baseline or None
        What always guessing achieves.
    n_folds, n_repeats : int
        Folds of a run, and the largest number of runs of a model.
    sentences : tuple of str
        The verdict in words, without the sentence on the saved file.
    notes : tuple of str
        What a reader must know: models without results, an early stop, the time limit.
    saved_as : str
        Path of the file with the fitted model; empty if none was saved.
    n_compared : int or None
        Number of rows on which the models were compared; None for `n_rows`.
    decision : DecisionOfModel or None
        How the recommended model decides, if costs or a threshold are given. All measures of
        predicted classes in the leaderboard are those of such decisions.
    """

    dataset: str
    target: str
    n_rows: int
    measure: str
    measure_title: str
    measure_reason: str
    higher_is_better: bool
    is_share: bool
    recommended: str | None
    recommended_reason: str
    leaderboard: tuple[Standing, ...]
    baseline: Baseline | None
    n_folds: int
    n_repeats: int
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    saved_as: str = ""
    n_compared: int | None = None
    decision: DecisionOfModel | None = None

    @property
    def text(self) -> str:
        """The verdict in words, with the saved file."""
        saved = (f"Fitted to all {self.n_rows:,} rows and saved as {self.saved_as}.",)
        return " ".join(self.sentences + (saved if self.saved_as else ()))

    @property
    def tied(self) -> tuple[str, ...]:
        """Names of the leader and of the models that are tied with it, in order."""
        return tuple(each.model for each in self.leaderboard if each.is_tied)

    def find(self, model: str) -> Standing:
        """Return the standing of a model."""
        return next(each for each in self.leaderboard if each.model == model)


__all__ = ["BASELINE", "MODEL", "YARDSTICK", "Baseline", "DecisionOfModel", "Standing", "Verdict"]
