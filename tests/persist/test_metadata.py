import json
import operator
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import augury
from augury.compatibility import TEXT_DTYPE
from augury.encode import WordIndices
from augury.generative import MultinomialNaiveBayes, NaiveBayes
from augury.persist import (
    ModelColumn,
    ModelFileError,
    ModelMetadata,
    load_model,
    read_metadata,
    save_model,
)
from augury.persist.metadata import describe_model


def test_what_is_known_of_a_model(forge):
    metadata = load_model(forge.path).metadata
    assert metadata == read_metadata(forge.path)
    assert metadata.model == "NaiveBayes"
    assert metadata.parameters == "NaiveBayes()"
    assert metadata.columns == (
        ModelColumn("sky", "labels", str(TEXT_DTYPE)),
        ModelColumn("wind", "numbers", "float64"),
    )
    assert metadata.named
    assert metadata.classes == ("in", "out")
    assert metadata.target == "place"
    assert metadata.n_rows == 6
    age = datetime.now(UTC) - datetime.fromisoformat(metadata.created)
    assert timedelta(seconds=-2) < age < timedelta(hours=1)
    assert metadata.versions["augury"] == augury.__version__
    assert metadata.versions["numpy"] == np.__version__
    assert metadata.versions["scikit-learn"] == version("scikit-learn")


def test_it_is_text_that_anyone_can_read(forge):
    assert json.loads(forge.members["metadata.json"])["classes"] == ["in", "out"]
    again = ModelMetadata.from_json(json.loads(forge.members["metadata.json"]))
    assert again == read_metadata(forge.path)


def test_metadata_need_no_skops(forge):
    code = (
        "import sys\n"
        "from augury.persist import read_metadata\n"
        f"assert read_metadata({str(forge.path)!r}).model == 'NaiveBayes'\n"
        "assert 'skops' not in sys.modules\n"
    )
    source = str(Path(augury.__file__).parents[1])
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": source})


def test_without_the_table(forge, tmp_path):
    save_model(forge.model, tmp_path / "m")
    metadata = read_metadata(tmp_path / "m")
    assert metadata.columns == (ModelColumn("sky"), ModelColumn("wind"))
    assert metadata.n_rows is None
    assert metadata.target is None


@pytest.mark.parametrize(
    ("X", "columns"),
    [
        (
            pl.DataFrame({"a": ["x", "y"], "b": [1, 2]}),
            (ModelColumn("a", "labels", "String"), ModelColumn("b", "numbers", "Int64")),
        ),
        (np.array([[1.0], [2.0]]), (ModelColumn("x0", "numbers", "float64"),)),
        (
            np.array([["u", 1], ["v", 2]], dtype=object),
            (ModelColumn("x0", "labels", "object"), ModelColumn("x1", "numbers", "object")),
        ),
    ],
    ids=["polars", "array", "objects"],
)
def test_other_tables(X, columns, tmp_path):
    metadata = save_model(NaiveBayes().fit(X, [0, 1]), tmp_path / "m", X=X)
    assert metadata.columns == columns
    assert metadata.named == isinstance(X, pl.DataFrame)
    assert read_metadata(tmp_path / "m") == metadata


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_dates_before_a_pipeline(library, tmp_path):
    days = [datetime(2026, 1, day) for day in (1, 2, 3, 4)]
    X = library.DataFrame({"day": days, "sky": ["sun", "rain", "sun", "rain"]})
    choose = FunctionTransformer(operator.itemgetter(["sky"]))
    model = make_pipeline(choose, NaiveBayes()).fit(X, [0, 1, 0, 1])
    metadata = describe_model(model, X, "wet")
    assert [column.kind for column in metadata.columns] == ["others", "labels"]
    if library is pd:
        assert metadata.select_columns(X) is not None
        with pytest.raises(ModelFileError, match="'day' has numbers, where the model knows others"):
            metadata.select_columns(X.assign(day=1))


def test_a_sparse_table(tmp_path):
    X = sparse.csr_array(np.array([[1, 0], [0, 2]]))
    metadata = save_model(MultinomialNaiveBayes().fit(X, [0, 1]), tmp_path / "m", X=X)
    assert metadata.columns == tuple(ModelColumn(f"x{j}", "numbers", "int64") for j in range(2))
    assert metadata.n_rows == 2


@pytest.mark.parametrize("columns", [["wind", "sky"], ["sky"], ["sky", "wind", "wet"]])
def test_a_table_that_the_model_was_not_fitted_to(forge, frame, columns, tmp_path):
    X = frame.assign(wet=1)[columns]
    with pytest.raises(ValueError, match=r"^save_model: X must be the table that NaiveBayes was"):
        save_model(forge.model, tmp_path / "m", X=X)


@pytest.mark.parametrize(
    "rows", [[["u", "x"], ["v", "y"]], [[1.0, 2.0], [3.0, 4.0]], [[1, 2], [3, 4]]]
)
def test_a_list_of_rows(rows, tmp_path):
    metadata = save_model(NaiveBayes().fit(rows, [0, 1]), tmp_path / "m", X=rows)
    assert metadata.n_rows == 2
    kind = "labels" if isinstance(rows[0][0], str) else "numbers"
    assert [(c.name, c.kind) for c in metadata.columns] == [("x0", kind), ("x1", kind)]
    np.testing.assert_array_equal(metadata.select_columns(rows), rows)


def test_word_indices(tmp_path):
    words = WordIndices([[0, 1, 1], [2]])
    metadata = save_model(MultinomialNaiveBayes().fit(words, [0, 1]), tmp_path / "m", X=words)
    assert (metadata.n_rows, len(metadata.columns)) == (2, 3)


class TestSelectColumns:
    @pytest.fixture
    def metadata(self, forge):
        return read_metadata(forge.path)

    def test_others_are_left_out_and_the_order_is_the_models(self, metadata, frame, forge):
        X = frame.assign(place="out", day=1)[["wind", "day", "place", "sky"]]
        selected = metadata.select_columns(X)
        pd.testing.assert_frame_equal(selected, frame)
        assert forge.model.predict(selected).shape == (6,)

    def test_a_column_is_not_there(self, metadata, frame):
        said = r"^days\.csv: the model needs columns that are not there: 'sky'; there are 'Sky', 'w"
        with pytest.raises(ModelFileError, match=said):
            metadata.select_columns(frame.rename(columns={"sky": "Sky"}), "days.csv")

    def test_numbers_in_the_place_of_labels(self, metadata, frame):
        said = rf"^d: column 'sky' has numbers, where .* labels \(its type was {TEXT_DTYPE}\)"
        with pytest.raises(ModelFileError, match=said):
            metadata.select_columns(frame.assign(sky=1), "d")

    def test_labels_in_the_place_of_numbers(self, metadata, frame):
        said = "^X: column 'wind' has labels, where the model knows numbers"
        with pytest.raises(ModelFileError, match=said):
            metadata.select_columns(frame.assign(wind="strong"))

    def test_labels_of_another_type_are_labels(self, metadata, frame):
        assert metadata.select_columns(frame.astype({"sky": "category"})).shape == (6, 2)

    def test_a_column_without_values_has_any_type(self, metadata, frame):
        assert metadata.select_columns(frame.assign(sky=np.nan)).shape == (6, 2)
        assert metadata.select_columns(frame.assign(wind=None)).shape == (6, 2)

    def test_columns_without_names_are_counted(self, tmp_path):
        X = np.array([[1.0, 5.0], [2.0, 6.0]])
        metadata = save_model(NaiveBayes().fit(X, [0, 1]), tmp_path / "m", X=X)
        assert metadata.select_columns(pd.DataFrame(X)).shape == (2, 2)
        with pytest.raises(ModelFileError, match=r"^X: has 1 columns, the model was fitted to 2"):
            metadata.select_columns(pd.DataFrame(X[:, :1]))

    def test_kinds_that_nobody_told_are_not_checked(self, forge, frame, tmp_path):
        metadata = save_model(forge.model, tmp_path / "m")
        assert metadata.select_columns(frame.assign(sky=1)).shape == (6, 2)

    @pytest.mark.parametrize("convert", [pl.from_pandas, pa.Table.from_pandas], ids=["pl", "pa"])
    def test_frames_of_other_libraries(self, convert, frame, tmp_path):
        X = convert(frame)
        model = NaiveBayes().fit(X, [0, 1] * 3)
        metadata = save_model(model, tmp_path / "m", X=X)
        given = convert(frame.assign(place="out", day=1)[["wind", "day", "place", "sky"]])
        selected = metadata.select_columns(given)
        assert type(selected) is type(given)
        np.testing.assert_array_equal(model.predict_proba(selected), model.predict_proba(X))
        with pytest.raises(ModelFileError, match="'sky' has numbers, where the model knows labels"):
            metadata.select_columns(convert(frame.assign(sky=1)))
        with pytest.raises(ModelFileError, match="columns that are not there: 'wind'"):
            metadata.select_columns(convert(frame[["sky"]]))
        empty = convert(frame.assign(sky=pd.Series([None] * 6, dtype="float64")))
        assert metadata.select_columns(empty).shape == (6, 2)

    def test_an_array_in_the_place_of_a_frame(self, metadata):
        with pytest.raises(ModelFileError, match="columns that are not there: 'sky', 'wind'"):
            metadata.select_columns(np.zeros((2, 2)))
