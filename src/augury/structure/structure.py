"""Which column depends on which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index


@dataclass(frozen=True)
class Structure:
    """The parents of each column among the other columns; the class is one of all.

    Acyclic by construction: anything else is refused.

    Parameters
    ----------
    parents : for each column a tuple of the indices of its parents
        The order of a column's parents matters to estimates that back off: the last is
        given up first.

    Examples
    --------
    >>> tree = Structure(((), (0,), (1,)))
    >>> tree.edges
    [(0, 1), (1, 2)]
    >>> print(tree.to_text(["sky", "wind", "play"]))
    sky   | class
    wind  | class, sky
    play  | class, wind
    >>> Structure(((1,), (0,)))
    Traceback (most recent call last):
    ...
    ValueError: a structure must have no cycle, got one among or above the columns 0, 1
    """

    parents: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        parents = tuple(tuple(index(j) for j in above) for above in self.parents)
        object.__setattr__(self, "parents", parents)
        for i, above in enumerate(parents):
            if any(not 0 <= j < len(parents) or j == i for j in above):
                raise ValueError(
                    f"the parents of column {i} must be other columns below {len(parents)}, "
                    f"got {above}"
                )
            if len(set(above)) != len(above):
                raise ValueError(f"the parents of column {i} must be distinct, got {above}")
        if len(order := self._topological_order()) < len(parents):
            cyclic = sorted(set(range(len(parents))) - set(order))
            raise ValueError(
                "a structure must have no cycle, got one among or above the columns "
                + ", ".join(map(str, cyclic))
            )

    @classmethod
    def empty(cls, n_features: int) -> Structure:
        """Return the structure of naive Bayes: no column has a parent but the class."""
        return cls(((),) * n_features)

    @classmethod
    def from_edges(cls, n_features: int, edges: Iterable[tuple[int, int]]) -> Structure:
        """Make a structure of (parent, child) pairs."""
        parents: list[list[int]] = [[] for _ in range(n_features)]
        for parent, child in edges:
            if not 0 <= child < n_features:
                raise ValueError(f"columns must be below {n_features}, got the child {child}")
            parents[child].append(parent)
        return cls(tuple(tuple(above) for above in parents))

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return len(self.parents)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All (parent, child) pairs, by child."""
        return [(j, i) for i, above in enumerate(self.parents) for j in above]

    @property
    def order(self) -> list[int]:
        """The columns, parents before their children."""
        return self._topological_order()

    def _topological_order(self) -> list[int]:
        waiting = [len(above) for above in self.parents]
        children: list[list[int]] = [[] for _ in self.parents]
        for i, above in enumerate(self.parents):
            for j in above:
                children[j].append(i)
        ready = [i for i, n in enumerate(waiting) if n == 0]
        order = []
        while ready:
            j = ready.pop()
            order.append(j)
            for i in children[j]:
                waiting[i] -= 1
                if waiting[i] == 0:
                    ready.append(i)
        return order

    def to_text(self, names: Sequence[str] | None = None, class_name: str = "class") -> str:
        """Return a line for each column: what it depends on."""
        names = self._names(names)
        width = max((len(name) for name in names), default=0)
        return "\n".join(
            f"{names[i]:<{width}}  | {', '.join([class_name, *(names[j] for j in above)])}"
            for i, above in enumerate(self.parents)
        )

    def to_dot(self, names: Sequence[str] | None = None, class_name: str = "class") -> str:
        """Return the network in Graphviz's language; the class is dashed to all."""
        names = self._names(names)
        lines = ["digraph network {", f"  class [label={_quote(class_name)}, shape=doublecircle];"]
        lines += [f"  x{i} [label={_quote(name)}];" for i, name in enumerate(names)]
        lines += [f"  class -> x{i} [style=dashed, color=gray];" for i in range(self.n_features)]
        lines += [f"  x{j} -> x{i};" for j, i in self.edges]
        return "\n".join([*lines, "}"])

    def to_svg(self, names: Sequence[str] | None = None, class_name: str = "class") -> str:
        """Return a drawing that needs no other program; parents stand above children."""
        from augury.structure.drawing import draw_svg

        return draw_svg(self, self._names(names), class_name)

    def _names(self, names: Sequence[str] | None) -> list[str]:
        if names is None:
            return [f"x{i}" for i in range(self.n_features)]
        if len(names) != self.n_features:
            raise ValueError(
                f"names must be {self.n_features}, one for each column, got {len(names)}"
            )
        return [str(name) for name in names]


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
