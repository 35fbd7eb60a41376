"""Models in the formats of other programs.

- `to_onnx`: a fitted classifier as an ONNX model
- `OnnxExportError`: a model cannot be written as ONNX; the message gives the reason
"""

from augury.interchange.onnx.errors import OnnxExportError
from augury.interchange.onnx.export import to_onnx

__all__ = ["OnnxExportError", "to_onnx"]
