"""A graph as an ONNX model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from augury import __version__
from augury.arrays import Array
from augury.interchange.onnx.graph import ML_DOMAIN, TEXT, Graph, Node, Tensor
from augury.optional import import_extra

if TYPE_CHECKING:
    import onnx

# Operator sets: the labels of set 4 of ai.onnx.ml, and trees that set 5 replaces.
OPERATOR_SET, ML_OPERATOR_SET, IR_VERSION = 18, 4, 9
_ROWS = "N"


@dataclass(frozen=True, eq=False, slots=True)
class Output:
    """An output of a model: its value, the type of its elements, and its shape."""

    tensor: Tensor
    dtype: np.dtype[Any]
    shape: tuple[str | int, ...]


def write_model(
    graph: Graph,
    outputs: Mapping[str, Output],
    metadata: Mapping[str, str],
    title: str,
) -> onnx.ModelProto:
    """Return the model, checked by ONNX."""
    onnx_module: Any = import_extra("onnx", extra="onnx", purpose="to_onnx")
    writer = _Writer(onnx_module, graph, outputs)
    helper = onnx_module.helper
    written = helper.make_graph(
        writer.nodes(),
        title,
        [writer.describe_input(name, kind) for name, kind in graph.inputs.items()],
        [
            helper.make_tensor_value_info(name, writer.element_type(each.dtype), each.shape)
            for name, each in outputs.items()
        ],
        writer.constants(),
    )
    model: onnx.ModelProto = helper.make_model(
        written,
        producer_name="augury",
        producer_version=__version__,
        ir_version=IR_VERSION,
        opset_imports=[
            helper.make_opsetid("", OPERATOR_SET),
            helper.make_opsetid(ML_DOMAIN, ML_OPERATOR_SET),
        ],
    )
    helper.set_model_props(model, dict(metadata))
    onnx_module.checker.check_model(model, full_check=True)
    return model


class _Writer:
    """Nodes, constants and types of a graph in ONNX."""

    def __init__(self, onnx_module: Any, graph: Graph, outputs: Mapping[str, Output]) -> None:
        self._onnx = onnx_module
        self._graph = graph
        self._outputs = outputs

    def nodes(self) -> list[Any]:
        """Return the nodes, and one for each output."""
        copies = [
            self._onnx.helper.make_node("Identity", [each.tensor.name], [name])
            for name, each in self._outputs.items()
        ]
        return [*map(self._node, self._graph.nodes), *copies]

    def _node(self, node: Node) -> Any:
        attributes = {name: self._attribute(name, v) for name, v in node.attributes.items()}
        return self._onnx.helper.make_node(
            node.operator,
            node.inputs,
            [node.output],
            domain=node.domain,
            **attributes,
        )

    def _attribute(self, name: str, value: Any) -> Any:
        if name == "to":
            return self.element_type(np.dtype(value))
        if isinstance(value, np.ndarray):
            return self._onnx.numpy_helper.from_array(value, name)
        return value

    def element_type(self, dtype: np.dtype[Any]) -> int:
        """Return the ONNX type of the elements of an array."""
        if dtype.kind in "UO":
            return int(self._onnx.TensorProto.STRING)
        return int(self._onnx.helper.np_dtype_to_tensor_dtype(dtype))

    def describe_input(self, name: str, kind: str) -> Any:
        """Return the description of the input of a column."""
        types = self._onnx.TensorProto
        return self._onnx.helper.make_tensor_value_info(
            name, types.STRING if kind == TEXT else types.DOUBLE, [_ROWS, 1]
        )

    def constants(self) -> list[Any]:
        """Return the constants."""
        return [
            self._onnx.numpy_helper.from_array(_as_written(value), name)
            for name, value in self._graph.constants.items()
        ]


def _as_written(value: Array) -> Array:
    return value.astype(object) if value.dtype.kind == "U" else value


__all__ = ["Output", "write_model"]
