"""A good model file, and the means to make a hostile one of it."""

import io
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pandas as pd
import pytest

from augury.generative import NaiveBayes
from augury.persist import load_model, save_model

X = pd.DataFrame(
    {
        "sky": ["sun", "sun", None, "rain", "rain", "sun"],
        "wind": [3.0, 5.5, 20.0, 31.0, 28.0, None],
    }
)
Y = ["out", "out", "in", "in", "in", "out"]


@dataclass
class Forge:
    """Writes files that are not what they seem, with checksums that are right."""

    path: Path
    model: NaiveBayes

    @property
    def members(self) -> dict[str, bytes]:
        with ZipFile(self.path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    @property
    def arrays(self) -> dict[str, bytes]:
        with ZipFile(io.BytesIO(self.members["model.skops"])) as payload:
            return {n: payload.read(n) for n in payload.namelist() if n != "schema.json"}

    @property
    def schema(self) -> dict[str, Any]:
        with ZipFile(io.BytesIO(self.members["model.skops"])) as payload:
            schema: dict[str, Any] = json.loads(payload.read("schema.json"))
            return schema

    def write(
        self,
        *,
        payload: bytes | None = None,
        metadata: bytes | None = None,
        manifest: dict[str, Any] | None = None,
        others: dict[str, bytes] | None = None,
    ) -> Path:
        """Write the file anew with another model, metadata or manifest, or more members."""
        members = self.members
        members["model.skops"] = members["model.skops"] if payload is None else payload
        members["metadata.json"] = members["metadata.json"] if metadata is None else metadata
        sums = {n: sha256(members[n]).hexdigest() for n in ("metadata.json", "model.skops")}
        stated = json.loads(members["manifest.json"]) | {"sha256": sums} | (manifest or {})
        members["manifest.json"] = json.dumps(stated).encode()
        return self.write_members(members | (others or {}))

    def write_members(self, members: dict[str, bytes]) -> Path:
        with ZipFile(self.path, "w", ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return self.path

    def write_model(
        self,
        schema: dict[str, Any] | str,
        arrays: dict[str, bytes] | None = None,
        *,
        compression: int = 0,
    ) -> Path:
        """Write the file anew with another description of the model."""
        buffer = io.BytesIO()
        with ZipFile(buffer, "w", compression) as payload:
            for name, content in (self.arrays if arrays is None else arrays).items():
                payload.writestr(name, content)
            text = schema if isinstance(schema, str) else json.dumps(schema)
            payload.writestr("schema.json", text)
        return self.write(payload=buffer.getvalue())

    def write_parameter(self, node: Any) -> Path:
        """Write the file anew with a node of skops as the model's parameter `alpha`."""
        schema = self.schema
        parameters = schema["content"]["content"]
        assert "alpha" in parameters
        parameters["alpha"] = node
        return self.write_model(schema)


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    path = tmp_path / "model.augury"
    model = NaiveBayes().fit(X, Y)
    save_model(model, path, X=X, target="place")
    return Forge(path, model)


@pytest.fixture
def frame() -> pd.DataFrame:
    return X


@pytest.fixture
def loads_the_same(forge: Forge):
    """Return what tells whether a file still loads, as the model that was saved."""
    expected = forge.model.predict_proba(X).tobytes()

    def check() -> bool:
        saved = load_model(forge.path)
        return bool(saved.model.predict_proba(X).tobytes() == expected)

    return check
