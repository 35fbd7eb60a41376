"""Base class of the models whose structure can be drawn."""

from abc import ABC, abstractmethod
from typing import Protocol

from sklearn.utils.validation import check_is_fitted

from augury.validation import check_choice


class Drawing(Protocol):
    """A structure in three forms."""

    def to_text(self) -> str:
        """Return plain text."""

    def to_dot(self) -> str:
        """Return the language of Graphviz."""

    def to_svg(self) -> str:
        """Return an SVG."""


class DrawsStructure(ABC):
    """Mixin of the models that have a structure; a subclass writes `_drawing`."""

    @abstractmethod
    def _drawing(self) -> Drawing:
        """Return the structure of the fitted model."""

    def draw(self, form: str = "text") -> str:
        """Return the structure as "text", as "dot" (the language of Graphviz) or as "svg"."""
        check_is_fitted(self)
        check_choice(f"{type(self).__name__}.draw", "form", form, ("text", "dot", "svg"))
        drawing = self._drawing()
        if form == "text":
            return drawing.to_text()
        return drawing.to_dot() if form == "dot" else drawing.to_svg()


__all__ = ["Drawing", "DrawsStructure"]
