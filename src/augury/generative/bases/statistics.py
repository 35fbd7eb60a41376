"""Type of the statistics that a generative model is estimated from."""

from typing import Protocol, Self, TypeVar


class Statistics(Protocol):
    """Sufficient statistics of rows: values that add, and that a model file may contain.

    The classes of `augury.counts` are statistics. A class of your own is one if it has these
    two methods.
    """

    def __add__(self, other: Self, /) -> Self:
        """Return the statistics of both sets of rows; ValueError if their columns differ."""
        ...

    def _check_fitted_state(self) -> None:
        """Raise `FittedStateError` unless the attributes are as `collect` leaves them."""
        ...


S = TypeVar("S", bound=Statistics)

__all__ = ["S", "Statistics"]
