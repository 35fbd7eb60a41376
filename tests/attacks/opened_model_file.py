"""Model files taken apart, changed, and written anew with right checksums."""

import io
import json
import zipfile
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from augury.persist import ModelFileError, load_model, save_model

X = pd.DataFrame(
    {
        "sky": ["sun", "sun", "rain", "rain", None, "sun"],
        "wind": [3.0, 5.5, 20.0, 31.0, 28.0, np.nan],
    }
)


Y = ["out", "out", "in", "in", "in", "out"]


class File:
    """A model file taken apart, to be changed and written anew with right checksums."""

    def __init__(self, path, model, rows=X, target=Y):
        self.path = path
        save_model(model.fit(rows, target), path, X=rows)
        with zipfile.ZipFile(path) as archive:
            self.members = {name: archive.read(name) for name in archive.namelist()}
        with zipfile.ZipFile(io.BytesIO(self.members["model.skops"])) as inner:
            self.schema = json.loads(inner.read("schema.json"))
            self.arrays = {n: inner.read(n) for n in inner.namelist() if n != "schema.json"}

    def state(self, *names):
        """Return the nodes of the attributes of the model, or of an object in it."""
        node = self.schema["content"]["content"]
        for name in names:
            node = self.real(node[name])["content"]["content"]
        return node

    def real(self, node):
        """Return a node, or the one that it refers to."""
        if node["__loader__"] != "CachedNode":
            return node
        waiting = [self.schema]
        while waiting:
            thing = waiting.pop()
            if isinstance(thing, dict):
                if thing.get("__id__") == node["__id__"] and thing["__loader__"] != "CachedNode":
                    return thing
                waiting.extend(thing.values())
            elif isinstance(thing, list):
                waiting.extend(thing)
        raise KeyError(node["__id__"])

    def array(self, node):
        return np.load(io.BytesIO(self.arrays[self.real(node)["file"]]))

    def put(self, node, array):
        self.arrays[self.real(node)["file"]] = npy(array)

    def write(self, schema_text=None):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as archive:
            for name, content in self.arrays.items():
                archive.writestr(name, content)
            archive.writestr("schema.json", schema_text or json.dumps(self.schema))
        members = self.members | {"model.skops": inner.getvalue()}
        sums = {n: sha256(members[n]).hexdigest() for n in ("metadata.json", "model.skops")}
        manifest = json.loads(members["manifest.json"]) | {"sha256": sums}
        members["manifest.json"] = json.dumps(manifest).encode()
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return self.path


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def node(name, loader, **others):
    module, _, last = name.rpartition(".")
    return {"__class__": last, "__module__": module, "__loader__": loader, **others}


def array_node(name, **others):
    return node("numpy.ndarray", "NdArrayNode", type="numpy", file=name, **others)


def several(nodes):
    return node("builtins.list", "ListNode", content=nodes)


def value(thing):
    return node("builtins.str", "JsonNode", content=json.dumps(thing), is_json=True)


def refused(path, message="was not loaded|is not as fit leaves it|does not describe", **options):
    with pytest.raises(ModelFileError, match=message) as caught:
        load_model(path, **options)
    assert str(caught.value).startswith(f"{path}: ")
