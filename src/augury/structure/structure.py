"""Structure of a Bayesian network: which column depends on which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from operator import index

from augury.fitted_state import check_column_tuples
from augury.structure.svg_shapes import quote


@dataclass(frozen=True)
class Structure:
    """The parents of each column among the other columns, and the parents of the class.

    The class is a parent of every column, unless `class_children` says otherwise. A structure
    with a cycle raises ValueError.

    Parameters
    ----------
    parents : for each column a tuple of the indices of its parents
        The order of the parents matters for estimates that are shrunk towards those with fewer
        parents: the last parent is dropped first.
    class_parents : the columns that are parents of the class
    class_children : the columns that have the class as a parent
        None: all of them.

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
    >>> print(Structure(((), ()), class_parents=(0,), class_children=(1,)).to_text())
    x0     |
    x1     | class
    class  | x0
    """

    parents: tuple[tuple[int, ...], ...]
    class_parents: tuple[int, ...] = ()
    class_children: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        parents = tuple(tuple(index(j) for j in above) for above in self.parents)
        object.__setattr__(self, "parents", parents)
        for i, above in enumerate(parents):
            self._check_columns(f"the parents of column {i}", above, other_than=i)
        class_parents = tuple(index(j) for j in self.class_parents)
        self._check_columns("class_parents", class_parents)
        object.__setattr__(self, "class_parents", class_parents)
        if self.class_children is not None:
            children = tuple(sorted(index(j) for j in self.class_children))
            self._check_columns("class_children", children)
            everything = len(children) == len(parents)
            object.__setattr__(self, "class_children", None if everything else children)
        order, n = self._topological_order(), len(parents)
        if len(order) <= n:
            cyclic = sorted(set(range(n + 1)) - set(order))
            raise ValueError(
                "a structure must have no cycle, got one among or above the columns "
                + ", ".join("class" if i == n else str(i) for i in cyclic)
            )

    def _check_columns(self, what: str, columns: tuple[int, ...], other_than: int = -1) -> None:
        n = len(self.parents)
        if any(not 0 <= j < n or j == other_than for j in columns):
            raise ValueError(
                f"{what} must be {'other columns' if other_than >= 0 else 'columns'} below {n}, "
                f"got {columns}"
            )
        if len(set(columns)) != len(columns):
            raise ValueError(f"{what} must be distinct, got {columns}")

    def _check_fitted_state(self) -> None:
        n = len(self.parents)
        check_column_tuples(self, "parents", self.parents, n)
        check_column_tuples(self, "class_parents", (self.class_parents,), n)
        if self.class_children is not None:
            check_column_tuples(self, "class_children", (self.class_children,), n)
        Structure(self.parents, self.class_parents, self.class_children)  # raises on a cycle

    @classmethod
    def empty(cls, n_features: int) -> Structure:
        """Return the structure of naive Bayes: the class is the only parent of each column."""
        return cls(((),) * n_features)

    @classmethod
    def from_edges(cls, n_features: int, edges: Iterable[tuple[int, int]]) -> Structure:
        """Return the structure with these (parent, child) pairs."""
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
        """All (parent, child) pairs, in the order of the children."""
        return [(j, i) for i, above in enumerate(self.parents) for j in above]

    @property
    def order(self) -> list[int]:
        """The columns in an order in which parents come before their children."""
        return [i for i in self._topological_order() if i < self.n_features]

    def has_class(self, column: int) -> bool:
        """Return whether the class is a parent of this column."""
        return self.class_children is None or column in self.class_children

    @property
    def nodes(self) -> list[tuple[int, ...]]:
        """The parents of each column and, last, of the class, whose number is n_features."""
        n = self.n_features
        columns = [
            (*above, n) if self.has_class(i) else above for i, above in enumerate(self.parents)
        ]
        return [*columns, self.class_parents]

    @classmethod
    def from_nodes(cls, nodes: Sequence[Iterable[int]]) -> Structure:
        """Return the structure with these parents of each column and, last, of the class."""
        n = len(nodes) - 1
        above = [tuple(parents) for parents in nodes]
        return cls(
            tuple(tuple(j for j in parents if j != n) for parents in above[:n]),
            class_parents=above[n],
            class_children=tuple(i for i in range(n) if n in above[i]),
        )

    def hamming_distance(self, other: Structure) -> int:
        """Return the number of edges to add, delete or reverse to get the other structure (SHD).

        >>> Structure(((), (0,), (1,))).hamming_distance(Structure(((1,), (), ())))
        2
        """
        if self.n_features != other.n_features:
            raise ValueError(
                f"structures of {self.n_features} and of {other.n_features} columns cannot be "
                "compared"
            )
        edges = [
            {(j, i) for i, above in enumerate(each.nodes) for j in above} for each in (self, other)
        ]
        return len({frozenset(edge) for edge in edges[0] ^ edges[1]})

    def to_json(self) -> str:
        """Return the structure as JSON; `from_json` reads it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Structure:
        """Return the structure that `to_json` has written.

        >>> Structure.from_json(Structure(((), (0,))).to_json()).parents
        ((), (0,))
        """
        try:
            return cls(**json.loads(text))
        except (TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"a structure must be what to_json wrote, got {text!r:.80}") from error

    def _topological_order(self) -> list[int]:
        nodes = self.nodes
        waiting = [len(above) for above in nodes]
        children: list[list[int]] = [[] for _ in nodes]
        for i, above in enumerate(nodes):
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
        """Return a line for each column with its parents."""
        names = self._names(names)
        lines = [
            (name, [class_name] * self.has_class(i) + [names[j] for j in above])
            for i, (name, above) in enumerate(zip(names, self.parents, strict=True))
        ]
        if self.class_parents:
            lines.append((class_name, [names[j] for j in self.class_parents]))
        width = max((len(name) for name, _ in lines), default=0)
        return "\n".join(f"{name:<{width}}  | {', '.join(above)}".rstrip() for name, above in lines)

    def to_dot(self, names: Sequence[str] | None = None, class_name: str = "class") -> str:
        """Return the network in the language of Graphviz; edges from the class are dashed."""
        names = self._names(names)
        lines = ["digraph network {", f"  class [label={quote(class_name)}, shape=doublecircle];"]
        lines += [f"  x{i} [label={quote(name)}];" for i, name in enumerate(names)]
        lines += [
            f"  class -> x{i} [style=dashed, color=gray];"
            for i in range(self.n_features)
            if self.has_class(i)
        ]
        lines += [f"  x{j} -> x{i};" for j, i in self.edges]
        lines += [f"  x{j} -> class;" for j in self.class_parents]
        return "\n".join([*lines, "}"])

    def to_svg(self, names: Sequence[str] | None = None, class_name: str = "class") -> str:
        """Return an SVG drawing; parents are above their children."""
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
