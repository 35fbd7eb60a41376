"""What a comparison reports while it runs."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelScore:
    """The mean of a model over the folds that it has.

    Attributes
    ----------
    model : str
    n_folds : int
        Folds that the mean is over.
    score : str
        The measure that decides, with its name, such as "accuracy 97.9 %".
    log_loss : float or None
        None for a model without class probabilities, and if it is the measure that decides.
    """

    model: str
    n_folds: int
    score: str
    log_loss: float | None


class ComparisonListener:
    """Gets what happens in a comparison; this one ignores it."""

    def expect(self, n_folds: int) -> None:
        """Learn the number of folds of all models that are to be run in all."""

    def begin(self, model: str, n_folds: int, seconds: float | None) -> None:
        """Learn that folds of a model begin, and the seconds that are expected of all of them."""

    def end(self, model: str, *, has_failed: bool) -> None:
        """Learn that a fold of a model has ended."""

    def show(self, score: ModelScore) -> None:
        """Learn the score of a model that has completed folds."""

    def announce(self, n_runs: int, models: Sequence[str]) -> None:
        """Learn that models that are still tied are tested on folds of a further run."""

    def say(self, sentence: str) -> None:
        """Learn what a reader must know about the rows or the folds."""

    def work_on(self, task: str, seconds: float | None = None) -> None:
        """Learn that another task begins, and the seconds that are expected of it."""


__all__ = ["ComparisonListener", "ModelScore"]
