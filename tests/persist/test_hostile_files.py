"""Files that were made to do harm are refused, and do none."""

import io
import json
import pickle
import struct
import tracemalloc
from zipfile import ZIP_DEFLATED, ZipFile

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io

from augury.discriminative import KNearestNeighbors
from augury.discriminative.readers.matrix_reader import MatrixReader
from augury.generative import MultinomialNaiveBayes, NaiveBayes
from augury.persist import ModelFileError, load_model, read_metadata, save_model


class Evil:
    """Would make a file when unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return open, (str(self.marker), "w")


@pytest.fixture
def marker(tmp_path):
    """Return the file that must not be there afterwards, once it is sure that it could be."""
    marker = tmp_path / "was-here"
    pickle.loads(pickle.dumps(Evil(marker))).close()
    assert marker.exists()
    marker.unlink()
    yield marker
    assert not marker.exists()


def refused(path, message):
    with pytest.raises(ModelFileError, match=message) as caught:
        load_model(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_the_forge_forges(forge, loads_the_same):
    """What is refused below is not refused for the way in which it was written."""
    assert loads_the_same()
    forge.write()
    assert loads_the_same()
    forge.write_model(forge.schema)
    assert loads_the_same()
    forge.write_parameter({"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode",
                           "content": "1.0", "is_json": True})  # fmt: skip
    assert loads_the_same()


# ---- pickles ------------------------------------------------------------------------


def test_a_pickle(forge, marker):
    forge.path.write_bytes(pickle.dumps(Evil(marker)))
    refused(forge.path, "is a pickle, which could run any program")


@pytest.mark.parametrize(("compress", "message"), [(0, "is a pickle"), (3, "is not a model file")])
def test_a_file_of_joblib(forge, marker, compress, message):
    joblib.dump(Evil(marker), forge.path, compress=compress)
    refused(forge.path, message)


def test_a_pickle_with_the_right_checksum(forge, marker):
    refused(forge.write(payload=pickle.dumps(Evil(marker))), "was not loaded")


def test_a_pickle_in_an_array(forge, marker):
    buffer = io.BytesIO()
    np.save(buffer, np.array([Evil(marker)], dtype=object), allow_pickle=True)
    for name in forge.arrays:
        path = forge.write_model(forge.schema, forge.arrays | {name: buffer.getvalue()})
        refused(path, "an array .* of objects, which only a pickle could hold")


# ---- what skops can describe ----------------------------------------------------------

TEXT = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode", "is_json": True}


def text(value):
    return TEXT | {"content": json.dumps(value)}


def node(name, loader, **others):
    module, _, last = name.rpartition(".")
    return {"__class__": last, "__module__": module, "__loader__": loader, **others}


def several(*nodes, kind="tuple"):
    return node(f"builtins.{kind}", f"{kind.title()}Node", content=list(nodes))


def mapping(key_types=None, **values):
    types = key_types or [node("builtins.str", "TypeNode")] * len(values)
    return node("builtins.dict", "DictNode", content=values, key_types=several(*types, kind="list"))


def command(marker):
    return several(text(f"touch {marker}"))


NAIVE_BAYES = "augury.generative.NaiveBayes"

HOSTILE = {
    "a call": lambda m: node("os.system", "ConstructorFromReduceNode", content=command(m)),
    "a call of eval": lambda m: node(
        "builtins.eval",
        "ConstructorFromReduceNode",
        content=several(text(f"open({str(m)!r}, 'w')")),
    ),
    "a constructor of ours": lambda m: node(
        NAIVE_BAYES, "ConstructorFromReduceNode", content=several()
    ),
    "an object": lambda m: node("subprocess.Popen", "ObjectNode", content=mapping()),
    "a function": lambda m: node("os.system", "FunctionNode"),
    "a function of ours": lambda m: node("augury.persist.model_file.save_model", "FunctionNode"),
    "a type": lambda m: node("subprocess.Popen", "TypeNode"),
    "a partial": lambda m: node(
        "functools.partial",
        "PartialNode",
        content={
            "func": node("os.system", "FunctionNode"),
            "args": command(m),
            "kwds": mapping(),
            "namespace": text(None),
        },
    ),
    "a method": lambda m: node(
        "builtins.str", "MethodNode", content={"func": "format", "obj": text("{}")}
    ),
    "a method caller": lambda m: node(
        "operator.methodcaller", "OperatorFuncNode", attrs=several(text("system"))
    ),
    "a list that is a call": lambda m: node("os.system", "ListNode", content=[text(f"touch {m}")]),
    "a set that is a call": lambda m: node("os.system", "SetNode", content=[]),
    "a list of ours": lambda m: node(NAIVE_BAYES, "ListNode", content=[]),
    "a dict that is a call": lambda m: node(
        "os.fork", "DictNode", content={}, key_types=several(kind="list")
    ),
    "a tuple of another type": lambda m: node("os.stat_result", "TupleNode", content=[]),
    "a default dict": lambda m: node(
        "collections.defaultdict",
        "DefaultDictNode",
        content={"main": mapping(), "default_factory": node("os.getcwd", "FunctionNode")},
    ),
    "keys made by a call": lambda m: mapping(
        [node("os.system", "TypeNode")], **{f"touch {m}": TEXT}
    ),
    "keys made by a function": lambda m: mapping([node("numpy.log", "FunctionNode")], a=text(1)),
    "an array of another type": lambda m: node(
        "numpy.memmap", "NdArrayNode", type="numpy", file="0.npy"
    ),
    "a number that becomes large": lambda m: node(
        "numpy.void", "NdArrayNode", type="numpy", file="0.npy"
    ),
    "an array that is elsewhere": lambda m: node(
        "numpy.ndarray", "NdArrayNode", type="numpy", file="../../etc/passwd"
    ),
    "a loss": lambda m: node(
        NAIVE_BAYES, "LossNode", content=mapping(), __reduce__={"args": several()}
    ),
    "a tree": lambda m: node(
        "sklearn.tree._tree.Tree",
        "TreeNode",
        content=mapping(),
        __reduce__={"args": several()},
    ),
    "a sparse matrix": lambda m: node(
        "scipy.sparse._csr.csr_matrix", "SparseMatrixNode", type="scipy", file="0.npy"
    ),
    "a generator of numbers": lambda m: node(
        "numpy.random._generator.Generator",
        "RandomGeneratorNode",
        content={"bit_generator": mapping(bit_generator=text("seed")), "seed_seq": mapping()},
    ),
    "an estimator that is none": lambda m: node(
        "sklearn.utils._testing.TempMemmap", "ObjectNode", content=mapping()
    ),
    "an unknown loader": lambda m: node("builtins.dict", "NoNode"),
    "no loader": lambda m: {"__class__": "dict", "__module__": "builtins"},
    "no node": lambda m: 7,
    "a reference to nothing": lambda m: node("builtins.str", "CachedNode", __id__=10**9),
    "a reference without loader": lambda m: {"__id__": 1},
    "a reference to what is around it": lambda m: node("builtins.str", "CachedNode", __id__=1),
    "a number twice": lambda m: node("builtins.list", "ListNode", content=[], __id__=1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_node_that_no_model_has(forge, marker, name):
    refused(forge.write_parameter(HOSTILE[name](marker)), "was not loaded: it holds")


def test_what_skops_makes_of_an_object_with_reduce(forge, marker):
    dumped = skops.io.dumps({"a": Evil(marker), "b": print, "c": lambda: 1})
    with ZipFile(io.BytesIO(dumped)) as payload:
        forge.write_model(json.loads(payload.read("schema.json")), {})
    refused(forge.path, "was not loaded")


@pytest.mark.parametrize("root", ["dict", "encoder"])
def test_what_is_no_model(forge, root):
    if root == "dict":
        dumped = {**mapping(a=text(1)), "protocol": 2}
        refused(forge.write_model(dumped, {}), "holds a dict, which predicts nothing")
    else:
        encoder = forge.schema["content"]["content"]["encoder_"]
        refused(
            forge.write_model({**encoder, "protocol": 2}),
            "holds a TableEncoder, which|holds a reference to an",
        )


def test_another_model_than_it_says(forge):
    metadata = json.loads(forge.members["metadata.json"]) | {"model": "HiddenNaiveBayes"}
    refused(
        forge.write(metadata=json.dumps(metadata).encode()),
        "holds a NaiveBayes, and says that it is a HiddenNaiveBayes",
    )


@pytest.mark.parametrize("protocol", [None, -1, 0, 1, 3, 99, "2", [], 2.5])
def test_another_protocol_of_skops(forge, protocol):
    refused(forge.write_model(forge.schema | {"protocol": protocol}), "protocol .* of skops")


# ---- bombs --------------------------------------------------------------------------

N_BYTES = 1 << 25


def refused_in_little_memory(path, message):
    load_model_once(path)
    tracemalloc.start()
    try:
        refused(path, message)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < N_BYTES / 4


def load_model_once(path):
    """Have everything imported, so that it is not counted."""
    with pytest.raises(ModelFileError):
        load_model(path)


def test_a_zip_bomb(forge):
    path = forge.write(payload=bytes(N_BYTES))
    assert path.stat().st_size < 50_000
    refused_in_little_memory(path, r"would grow from 32,\d\d\d to 33,554,432 bytes")


def test_a_zip_bomb_as_metadata(forge):
    path = forge.write(metadata=bytes(N_BYTES))
    refused_in_little_memory(path, r"metadata\.json would grow")
    with pytest.raises(ModelFileError, match="would grow"):
        read_metadata(path)


def test_a_zip_bomb_as_manifest(forge):
    path = forge.write_members(forge.members | {"manifest.json": b" " * N_BYTES})
    refused_in_little_memory(path, r"manifest\.json has 33,554,432 bytes .* limit of 65,536")


def test_a_zip_bomb_that_lies_about_its_size(forge):
    path = forge.write(payload=bytes(N_BYTES))
    content = path.read_bytes()
    lie = content.replace(struct.pack("<L", N_BYTES), struct.pack("<L", 1000))
    assert lie != content
    path.write_bytes(lie)
    refused_in_little_memory(path, r"model\.skops (cannot be read|is not what)")


def test_a_zip_bomb_in_the_model(forge):
    arrays = forge.arrays | {"7.npy": bytes(N_BYTES)}
    path = forge.write_model(forge.schema, arrays, compression=ZIP_DEFLATED)
    refused_in_little_memory(path, "members that are compressed once more")


def test_members_in_the_place_of_others(forge):
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as payload:
        payload.writestr("0.npy", bytes(100_000))
        (first,) = payload.infolist()
        for k in range(1, 9):
            copy = type(first)(f"{k}.npy")
            for name in ("CRC", "file_size", "compress_size", "header_offset"):
                setattr(copy, name, getattr(first, name))
            payload.filelist.append(copy)
        payload.writestr("schema.json", json.dumps(forge.schema))
    refused(forge.write(payload=buffer.getvalue()), "members that overlap")


def test_an_array_that_says_it_is_large(forge):
    buffer = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": (10**11,)}
    np.lib.format.write_array_header_1_0(buffer, header)
    for name in forge.arrays:
        path = forge.write_model(forge.schema, forge.arrays | {name: buffer.getvalue()})
        refused_in_little_memory(path, "an array .* that has not the size it says")


def test_references_that_multiply(forge):
    inner = node("builtins.list", "ListNode", content=[], __id__=1000)
    for k in range(1001, 1100):
        again = node("builtins.list", "CachedNode", __id__=k - 1)
        inner = node("builtins.list", "ListNode", content=[inner, again], __id__=k)
    refused(forge.write_parameter(inner), "references that multiply")


@pytest.mark.parametrize("depth", [1000, 100_000])
def test_lists_in_lists_in_lists(forge, depth):
    schema = json.dumps(forge.schema | {"deep": "HERE"})
    start = '{"__class__":"list","__module__":"builtins","__loader__":"ListNode","content":['
    path = forge.write_model(schema.replace('"HERE"', start * depth + "]}" * depth))
    refused(path, "cannot be read .*nests deeper than 300 brackets")


def test_a_limit_of_ones_own(forge):
    size = len(forge.members["model.skops"])
    assert load_model(forge.path, max_bytes=20 * size).metadata.model == "NaiveBayes"
    with pytest.raises(ModelFileError, match=r"bytes of memory"):
        load_model(forge.path, max_bytes=2 * size)
    with pytest.raises(ModelFileError, match=f"limit of {size - 1:,}: .* pass max_bytes="):
        load_model(forge.path, max_bytes=2 * size - 1)


def test_a_model_that_could_not_be_loaded_is_not_saved(tmp_path):
    model = NaiveBayes().fit([["a"], ["b"]], [0, 1])
    save_model(model, tmp_path / "small.augury")
    with pytest.raises(ModelFileError, match=r"load_model would refuse it: .* Pass .*max_bytes"):
        save_model(model, tmp_path / "large.augury", max_bytes=1000)
    assert not (tmp_path / "large.augury").exists()


def test_save_refuses_what_load_refuses_for_its_description_or_arrays(tmp_path):
    file = tmp_path / "model.augury"
    many = pd.DataFrame({f"x{j}": ["a", "b"] for j in range(200)})
    models = (
        NaiveBayes().fit(many, [0, 1]),
        KNearestNeighbors().fit(np.zeros((50_000, 9)), [0, 1] * 25_000),
    )
    for model in models:
        save_model(model, file)
        size = ZipFile(file).getinfo("model.skops").file_size
        limits = [int(k * size) for k in np.geomspace(1.9, 200, 25)]
        answers = [(_saves(model, tmp_path, limit), _loads(file, limit)) for limit in limits]
        assert {saves is None for saves, _ in answers} == {True, False}
        for saves, loads in answers:
            assert (saves is None) == (loads is None)
            assert saves is None or ("max_bytes" in saves and "max_bytes" in loads)
            assert loads is None or "Do not use it" not in loads


def _saves(model, folder, max_bytes):
    """Return the error of saving, or None."""
    try:
        save_model(model, folder / "again.augury", max_bytes=max_bytes)
    except ModelFileError as error:
        return str(error)
    return None


def _loads(file, max_bytes):
    """Return the error of loading, or None."""
    try:
        load_model(file, max_bytes=max_bytes)
    except ModelFileError as error:
        return str(error)
    return None


# ---- models that were made up ---------------------------------------------------------


def test_a_column_of_indicators_that_is_not_there(frame):
    model = MultinomialNaiveBayes().fit(frame, [0, 0, 1, 1, 1, 0])
    model.encoder_._columns_of_codes[0][:] = 10**9
    with pytest.raises(ValueError, match="column 1000000000 is outside of a matrix"):
        model.predict(frame)


def test_a_state_that_is_not_there(frame):
    reader = MatrixReader("onehot").learn(frame, np.array([0, 0, 1, 1, 1, 0]), None, "reader")
    object.__setattr__(reader.encoder._columns[0], "missing_code", 255)
    with pytest.raises(ValueError, match="outside of a matrix"):
        reader.read(frame)
