"""Models in the formats of other programs.

- `to_onnx`: a fitted classifier as an ONNX model
- `OnnxExportError`: a model cannot be written as ONNX; the message gives the reason
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.errors import OnnxExportError as OnnxExportError
    from augury.interchange.onnx.export import to_onnx as to_onnx

_folder = LazyFolder(__name__, also={"OnnxExportError": "onnx.columns", "to_onnx": "onnx.export"})


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
