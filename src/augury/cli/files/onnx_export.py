"""ONNX files that `augury export` writes."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augury.persist import SavedModel


def write_onnx(saved: "SavedModel", path: Path, gap: str) -> str:
    """Write a model as an ONNX file, and return what is printed about it.

    `gap` is the text that means a missing label.
    """
    from augury.interchange import to_onnx
    from augury.whole_file import write_whole

    written = to_onnx(saved.model, gap=gap, target=saved.metadata.target)
    content = written.SerializeToString()
    write_whole(path, content)
    inputs = ", ".join(each.name for each in written.graph.input)
    outputs = ", ".join(each.name for each in written.graph.output)
    return f"{path}: {len(content):,} bytes\ninputs   {inputs}\noutputs  {outputs}"


__all__ = ["write_onnx"]
