"""A graph of ONNX operators that grows by expressions.

Converters compute with `Tensor` as with NumPy arrays. Nothing here imports onnx:
`augury.interchange.onnx.model_proto` writes the graph.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from augury.arrays import Array

# Operators of trees and label encoders have a domain of their own.
ML_DOMAIN = "ai.onnx.ml"
_ML_OPERATORS = ("LabelEncoder", "TreeEnsembleRegressor")

TEXT, NUMBER = "text", "number"


@dataclass(frozen=True, slots=True)
class Node:
    """One operator with its inputs and its output by name."""

    operator: str
    inputs: tuple[str, ...]
    output: str
    attributes: Mapping[str, Any]

    @property
    def domain(self) -> str:
        """The operator set that the operator belongs to."""
        return ML_DOMAIN if self.operator in _ML_OPERATORS else ""


@dataclass(frozen=True, eq=False)
class Tensor:
    """A value of the graph: the result of a node, an input or a constant."""

    graph: Graph
    name: str

    def __add__(self, other: Any) -> Tensor:
        return self.graph.add("Add", self, other)

    def __sub__(self, other: Any) -> Tensor:
        return self.graph.add("Sub", self, other)

    def __mul__(self, other: Any) -> Tensor:
        return self.graph.add("Mul", self, other)

    def __truediv__(self, other: Any) -> Tensor:
        return self.graph.add("Div", self, other)

    def __matmul__(self, other: Any) -> Tensor:
        return self.graph.add("MatMul", self, other)

    def __gt__(self, other: Any) -> Tensor:
        return self.graph.add("Greater", self, other)

    def __ge__(self, other: Any) -> Tensor:
        return self.graph.add("GreaterOrEqual", self, other)

    def equals(self, other: Any) -> Tensor:
        """Return where two tensors are equal."""
        return self.graph.add("Equal", self, other)

    def is_nan(self) -> Tensor:
        """Return where a number is missing."""
        return self.graph.add("IsNaN", self)

    def where(self, condition: Tensor, other: Any) -> Tensor:
        """Return `other` where the condition is true, and this tensor elsewhere."""
        return self.graph.add("Where", condition, other, self)

    def exp(self) -> Tensor:
        """Return the exponential function of each number."""
        return self.graph.add("Exp", self)

    def log(self) -> Tensor:
        """Return the natural logarithm of each number."""
        return self.graph.add("Log", self)

    def sqrt(self) -> Tensor:
        """Return the square root of each number."""
        return self.graph.add("Sqrt", self)

    def clip(self, low: float, high: float) -> Tensor:
        """Return each number, limited to a range."""
        return self.graph.add("Clip", self, low, high)

    def at_least(self, low: float) -> Tensor:
        """Return each number, or the limit if it is smaller."""
        return self.graph.add("Max", self, low)

    def to_int(self) -> Tensor:
        """Return the tensor as int64."""
        return self.graph.add("Cast", self, to="int64")

    def to_float(self) -> Tensor:
        """Return the tensor as float64."""
        return self.graph.add("Cast", self, to="float64")

    def sum(self, axis: int, *, keep: bool = False) -> Tensor:
        """Return the sum over an axis."""
        return self.graph.add("ReduceSum", self, np.array([axis]), keepdims=int(keep))

    def max(self, axis: int, *, keep: bool = False) -> Tensor:
        """Return the largest number of an axis."""
        return self.graph.add("ReduceMax", self, np.array([axis]), keepdims=int(keep))

    def arg_max(self) -> Tensor:
        """Return the first place of the largest number of each row, of shape [N]."""
        return self.graph.add("ArgMax", self, axis=1, keepdims=0)

    def expand(self, axis: int) -> Tensor:
        """Return the tensor with a new axis of length one."""
        return self.graph.add("Unsqueeze", self, np.array([axis]))

    def squeeze(self, axis: int) -> Tensor:
        """Return the tensor without an axis of length one."""
        return self.graph.add("Squeeze", self, np.array([axis]))

    def take(self, places: Array | Sequence[int]) -> Tensor:
        """Return some columns, in this order."""
        return self.graph.add("Gather", self, np.asarray(places, dtype=np.int64), axis=1)

    def softmax(self) -> Tensor:
        """Return class probabilities from log scores."""
        return self.graph.add("Softmax", self, axis=1)


@dataclass
class Graph:
    """Nodes, constants and inputs. Equal nodes and equal constants exist once.

    Parameters
    ----------
    reserved : names of inputs and outputs, which nodes and constants do not get

    Examples
    --------
    >>> graph = Graph()
    >>> x = graph.input("size", NUMBER)
    >>> (x + 1.0).name == (x + 1.0).name
    True
    >>> [node.operator for node in graph.nodes]
    ['Add']
    """

    reserved: Collection[str] = ()
    nodes: list[Node] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    _known: dict[Any, str] = field(default_factory=dict)

    def input(self, name: str, kind: str) -> Tensor:
        """Return the input of a column, of shape [N, 1]; the kind is TEXT or NUMBER."""
        known = self.inputs.setdefault(name, kind)
        if known != kind:
            raise ValueError(f"column {name!r} is read as {known} and as {kind}")
        return Tensor(self, name)

    def constant(self, value: Any) -> Tensor:
        """Return a constant. Integers are int64, texts are strings, floats keep their type."""
        array = np.asarray(value)
        if array.dtype.kind in "iu":
            array = array.astype(np.int64)
        if array.dtype.kind in "UO":
            key: Any = ("text", array.shape, tuple(array.ravel().tolist()))
        else:
            key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._known:
            name = self._known[key] = self._free_name(f"constant {len(self.constants)}")
            self.constants[name] = array
        return Tensor(self, self._known[key])

    def add(self, operator: str, *inputs: Any, **attributes: Any) -> Tensor:
        """Return the output of an operator; operands that are no tensors become constants."""
        names = tuple(
            each.name if isinstance(each, Tensor) else self.constant(each).name for each in inputs
        )
        key = operator, names, tuple((k, _hashable(v)) for k, v in sorted(attributes.items()))
        if key not in self._known:
            output = self._known[key] = self._free_name(f"{operator} {len(self.nodes)}")
            self.nodes.append(Node(operator, names, output, attributes))
        return Tensor(self, self._known[key])

    def _free_name(self, name: str) -> str:
        while name in self.reserved:
            name += "'"
        return name

    def concatenate(self, parts: Sequence[Tensor], axis: int = 1) -> Tensor:
        """Return tensors joined along an axis."""
        if len(parts) == 1:
            return parts[0]
        return self.add("Concat", *parts, axis=axis)

    def gather(self, table: Array, places: Tensor) -> Tensor:
        """Return the rows of a constant table at these places."""
        return self.add("Gather", table, places, axis=0)


def add_up(*terms: Tensor | None) -> Tensor:
    """Return the sum of the terms that exist."""
    first, *others = [term for term in terms if term is not None]
    for other in others:
        first = first + other
    return first


def _hashable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        content = tuple(value.tolist()) if value.dtype.kind in "UO" else value.tobytes()
        return value.dtype.str, value.shape, content
    return tuple(value) if isinstance(value, list) else value


__all__ = ["ML_DOMAIN", "NUMBER", "TEXT", "Graph", "Node", "Tensor", "add_up"]
