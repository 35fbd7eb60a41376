"""Models as ONNX graphs, which other programs run without augury."""
