"""Errors of the ONNX export."""


class OnnxExportError(ValueError):
    """A model cannot be written as ONNX; the message says why, and what can be done."""


__all__ = ["OnnxExportError"]
