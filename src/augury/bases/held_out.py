"""Class probabilities of training rows, each estimated without the row itself."""

from typing import Protocol, runtime_checkable

from numpy.typing import ArrayLike

from augury.arrays import FloatArray
from augury.foreign import Labels, Table


@runtime_checkable
class PredictsHeldOut(Protocol):
    """A classifier whose fit also yields honest probabilities of its training rows.

    They come from the rows out of the bag, from formulas that leave one row out, or from folds;
    the docstring of the model says which. A model on top of others learns from them.
    """

    def fit_held_out(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> FloatArray:
        """Fit to all rows, and return p(c | x) of each of them, estimated without the row.

        The fitted model is that of `fit`. The columns are `classes_`. A row of weight zero has
        the prediction of the fitted model.
        """


__all__ = ["PredictsHeldOut"]
