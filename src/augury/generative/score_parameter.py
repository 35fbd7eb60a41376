"""A parameter that bears the name of a method."""

from collections.abc import Callable
from typing import Any

from sklearn.base import ClassifierMixin


class _ScoreOfRowsOrSearch:
    """Set, it is the parameter; got, scikit-learn's `score(X, y)`."""

    def __get__(self, instance: Any, owner: type | None = None) -> Callable[..., float]:
        method: Callable[..., float] = ClassifierMixin.score.__get__(instance, owner)
        return method

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__["score"] = value


class HasScoreParameter:
    """Mixin of the classifiers whose search maximises a `score`.

    Of networks it is called a score, and so is the parameter; but every scikit-learn
    classifier has a method `score(X, y)`, which the parameter must not hide. So `get_params`
    and `set_params` see the parameter, and the attribute is the method.
    """

    score: Any = _ScoreOfRowsOrSearch()

    @property
    def _score_name(self) -> str:
        name: str = self.__dict__["score"]
        return name

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, see scikit-learn."""
        params: dict[str, Any] = super().get_params(deep)  # type: ignore[misc]
        return params | {"score": self._score_name}
