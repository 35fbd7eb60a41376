"""Models in the formats of other programs.

- `to_onnx`: a fitted classifier as an ONNX model
- `read_bif`, `write_bif`: Bayesian networks in BIF, the interchange format of Cozman
- `read_xmlbif`, `write_xmlbif`: the same in XMLBIF 0.3, the format of WEKA
- `from_pgmpy`, `to_pgmpy`, `from_pyagrum`, `to_pyagrum`: the same as objects of pgmpy and pyAgrum
- `NetworkFileError`: a file or an object is not a network that can be read
- `NetworkExportError`: a model is not a network of discrete nodes
- `OnnxExportError`: a model cannot be written as ONNX; the message gives the reason
"""

from typing import TYPE_CHECKING, Any

from augury.lazy_folder import LazyFolder

if TYPE_CHECKING:  # the names of the folder, for type checkers
    from augury.errors import NetworkExportError as NetworkExportError
    from augury.errors import NetworkFileError as NetworkFileError
    from augury.errors import OnnxExportError as OnnxExportError
    from augury.interchange.networks.bif import read_bif as read_bif
    from augury.interchange.networks.bif import write_bif as write_bif
    from augury.interchange.networks.pgmpy_networks import from_pgmpy as from_pgmpy
    from augury.interchange.networks.pgmpy_networks import to_pgmpy as to_pgmpy
    from augury.interchange.networks.pyagrum_networks import from_pyagrum as from_pyagrum
    from augury.interchange.networks.pyagrum_networks import to_pyagrum as to_pyagrum
    from augury.interchange.networks.xmlbif import read_xmlbif as read_xmlbif
    from augury.interchange.networks.xmlbif import write_xmlbif as write_xmlbif
    from augury.interchange.onnx.export import to_onnx as to_onnx

_folder = LazyFolder(
    __name__,
    also={
        "NetworkExportError": "networks.described_network",
        "NetworkFileError": "networks.described_network",
        "OnnxExportError": "onnx.columns",
        "from_pgmpy": "networks.pgmpy_networks",
        "from_pyagrum": "networks.pyagrum_networks",
        "read_bif": "networks.bif",
        "read_xmlbif": "networks.xmlbif",
        "to_onnx": "onnx.export",
        "to_pgmpy": "networks.pgmpy_networks",
        "to_pyagrum": "networks.pyagrum_networks",
        "write_bif": "networks.bif",
        "write_xmlbif": "networks.xmlbif",
    },
)


def __getattr__(name: str) -> Any:
    return _folder.load(name)


def __dir__() -> list[str]:
    return _folder.listing()
