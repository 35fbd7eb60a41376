"""Model files that were made to exhaust memory, to crash the process or to predict nonsense."""

import io
import json
import os
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression as SklearnLogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import augury
from augury.discriminative import C45Tree, KNearestNeighbors, LogisticRegression
from augury.ensemble import BoostedNaiveBayes
from augury.generative import (
    HiddenNaiveBayes,
    LinearDiscriminantAnalysis,
    MultinomialNaiveBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.persist import load_model, save_model
from augury.persist.probe import _takes_long
from tests.attacks.opened_model_file import (
    File,
    X,
    Y,
    array_node,
    node,
    npy,
    refused,
    several,
    value,
)


@pytest.fixture
def file(tmp_path):
    return File(tmp_path / "model.augury", NaiveBayes())


def refused_in_memory(path, n_bytes, message, **options):
    refused(path, message, **options)  # once before: everything is imported
    tracemalloc.start()
    try:
        refused(path, message, **options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < n_bytes


# ---- "One 16 MB array of zeros named 200 times in the tree" -------------------------------


def test_one_array_named_200_times(file):
    file.arrays["99.npy"] = npy(np.zeros(2_000_000))
    file.state()["alpha"] = several([array_node("99.npy") for _ in range(200)])
    path = file.write()
    assert path.stat().st_size < 50_000
    refused_in_memory(path, 1 << 26, "an array 99.npy that is named more than once")


def test_references_to_one_array_are_counted_each(file):
    file.arrays["99.npy"] = npy(np.zeros(1 << 15))
    again = node("builtins.list", "CachedNode", __id__=900)
    file.state()["alpha"] = several([array_node("99.npy", __id__=900), *[again] * 40])
    path = file.write()
    refused(path, "more than .* bytes, those with several references counted", max_bytes=1 << 23)
    refused(path, "alpha must be a number")  # there is room, but it is no alpha


def test_all_that_is_made_counts(file):
    """The file as bytes and the arrays made of it are in memory at the same time."""
    file.arrays["99.npy"] = npy(np.arange(1 << 20, dtype=np.float64))
    file.state()["alpha"] = array_node("99.npy")
    path = file.write()
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("model.skops").file_size
    few = size + (size >> 1)
    refused_in_memory(path, 1 << 20, "it was not opened. Loading takes twice that", max_bytes=few)
    message = "arrays that take more than|bytes of memory"
    refused_in_memory(path, 2 * size, message, max_bytes=2 * size)


@pytest.mark.parametrize("text", ["[],", "{},", '"a",', "1.5,", '{"__loader__":[]},'])
def test_a_description_that_grows_when_it_is_parsed(file, text):
    schema = json.dumps(file.schema | {"more": "HERE"})
    path = file.write(schema.replace('"HERE"', f"[{text * 300_000} 1]"))
    refused_in_memory(path, 1 << 26, "it may take .* bytes of memory", max_bytes=12 << 20)


def test_a_description_that_nests_deeply_where_recursion_is_not_limited(file):
    schema = json.dumps(file.schema | {"deep": "HERE"})
    path = file.write(schema.replace('"HERE"', "[" * 200_000 + "]" * 200_000))
    program = f"""if True:
        import sys
        from augury.persist import ModelFileError, load_model
        sys.setrecursionlimit(10**7)
        try:
            load_model({str(path)!r})
        except ModelFileError as error:
            print(error)
    """
    assert "nests deeper than" in run_python(program)


def run_python(program):
    """Return what a program prints in a process of its own; it must not crash."""
    source = str(Path(augury.__file__).parents[1])
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_list_in_the_place_of_a_value(file):
    file.state()["alpha"] = node("builtins.str", "JsonNode", content="[[], []]", is_json=True)
    refused(file.write(), "neither text nor a number")


@pytest.mark.parametrize("shape", [(0, 10**12), (10**9, 0, 10**9)])
def test_an_array_without_values_that_is_wide(file, shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    file.arrays[file.state()["log_prior_"]["file"]] = content
    refused(file.write(), "arrays that take more than")


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(3, dtype="i4,f8"),
        np.zeros(3, dtype="c16"),
        np.zeros(3, dtype="M8[s]"),
        np.zeros(3, dtype="V100"),
        np.zeros(3, dtype="S10"),
        np.zeros(3, dtype=np.longdouble),
    ],
    ids=lambda array: str(array.dtype),
)
def test_values_that_no_model_has(file, array):
    file.put(file.state()["log_prior_"], array)
    refused(file.write(), "of values that no model has")


def test_truth_values_and_characters_that_do_not_exist(file):
    nominal = file.state("encoder_")["is_nominal_"]
    file.arrays[nominal["file"]] = npy(np.array([True, False]))[:-2] + b"\x02\x00"
    refused(file.write(), "neither true nor false")
    file.put(nominal, np.array([True, False]))
    content = npy(np.array(["in", "out"]))
    file.arrays[file.state()["classes_"]["file"]] = content[:-4] + b"\x00\x00\x11\x00"
    refused(file.write(), "characters that do not exist")


def test_the_other_byte_order(file):
    expected = load_model(file.path).model.predict_proba(X)
    table = file.state()["_log_table"]
    file.put(table, file.array(table).astype(">f8"))
    found = load_model(file.write()).model.predict_proba(X)
    np.testing.assert_array_equal(found, expected)


# ---- "A `RandomState` with `pos=2**30` is accepted" ----------------------------------------


@pytest.mark.parametrize(
    "wrong", ["pos", "negative pos", "short key", "other type", "zeros", "gauss", "generator"]
)
def test_a_random_state_that_numpy_would_follow_out_of_bounds(tmp_path, wrong):
    random = np.random.RandomState(0)
    model = DummyClassifier(strategy="stratified", random_state=random)
    file = File(tmp_path / "m.augury", model)
    saved = file.schema["content"]["content"]["random_state"]["content"]["content"]
    load_model(file.path).model.predict_proba(X)
    state = saved["state"]["content"]
    if "pos" in wrong:
        state["pos"] = value(2**30 if wrong == "pos" else -1)
    elif wrong == "gauss":
        saved["gauss"] = value(float("nan"))
    elif wrong == "generator":
        saved["bit_generator"] = value("PCG64")
    else:
        keys = {
            "short key": np.ones(3, np.uint32),
            "other type": np.ones(624),
            "zeros": np.zeros(624, np.uint32),
        }
        file.put(state["key"], keys[wrong])
    refused(file.write(), "a RandomState whose state no generator has")


def test_sparse_columns_of_an_encoder_that_are_not_there(tmp_path):
    """SciPy would write outside of the matrix that OneHotEncoder makes."""
    rows = X[["sky"]].fillna("fog")
    model = make_pipeline(OneHotEncoder(), SklearnLogisticRegression())
    file = File(tmp_path / "m.augury", model, rows)
    encoder = file.schema["content"]["content"]["steps"]["content"][0]["content"][1]
    encoder["content"]["content"]["_n_features_outs"]["content"] = [value(1)]
    refused(file.write(), "_n_features_outs must be")


def test_words_without_a_column(tmp_path):
    model = make_pipeline(CountVectorizer(), SklearnLogisticRegression())
    path = tmp_path / "m.augury"
    model.fit(["a word", "another word"], Y[1:3])
    save_model(model, path)
    file = File.__new__(File)
    file.path = path
    with zipfile.ZipFile(path) as archive:
        file.members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(io.BytesIO(file.members["model.skops"])) as inner:
        file.schema = json.loads(inner.read("schema.json"))
        file.arrays = {n: inner.read(n) for n in inner.namelist() if n != "schema.json"}
    words = file.schema["content"]["content"]["steps"]["content"][0]["content"][1]["content"]
    vocabulary = words["content"]["vocabulary_"]["content"]
    vocabulary["word"] = value(10**9)
    refused(file.write(), "vocabulary_ must be a column for each word")


@pytest.mark.parametrize(
    "name",
    [
        "sklearn.svm._classes.SVC",
        "sklearn.neighbors._classification.KNeighborsClassifier",
        "sklearn.cluster._kmeans.KMeans",
        "sklearn.ensemble._gb.GradientBoostingClassifier",
        "sklearn.preprocessing._polynomial.PolynomialFeatures",
    ],
)
def test_estimators_that_follow_numbers_of_a_file_unchecked(file, name):
    file.state()["alpha"] = node(name, "ObjectNode", content=value(None))
    refused(file.write(), f"types that are not trusted: {name}")


def test_more_processes_than_a_machine_has(file):
    file.state()["n_jobs"] = value(10**6)
    refused(file.write(), "n_jobs must be None or a whole number up to 1024")


def test_an_attribute_in_the_place_of_a_method(file):
    attributes = file.schema["content"]
    attributes["content"]["predict_proba"] = value(1)
    types = attributes["key_types"]["content"]
    types.append({name: part for name, part in types[0].items() if name != "__id__"})
    refused(file.write(), "'predict_proba' in the place of its own")


def test_the_one_missing_value_cannot_be_given_attributes(file):
    label = file.state("encoder_")["_columns"]["content"][0]["content"]["content"]
    state = file.real(label["states"])["content"][-1]
    assert state["__class__"] == "_Missing"
    state["content"] = node(
        "builtins.dict",
        "DictNode",
        content={"x": value(1)},
        key_types=several([node("builtins.str", "TypeNode")]),
    )
    refused(file.write(), "a missing value with attributes")


# ---- "Of 700 files with random changes and valid checksums, 29 raise in `predict`" --------


def fill(number):
    return lambda array: np.full_like(array, number)


@pytest.mark.parametrize("name", ["log_prior_", "_log_table"])
@pytest.mark.parametrize(
    "change",
    [fill(np.nan), fill(np.inf), fill(-np.inf), fill(1e308), lambda a: a[:-1], lambda a: a[None],
     lambda a: a.astype("f4"), lambda a: a.astype("i8"), lambda a: a[:0], lambda a: a.astype("U3")],
)  # fmt: skip
def test_logarithms_that_are_none(file, name, change):
    place = file.state()[name]
    file.put(place, change(file.array(place)))
    refused(file.write(), f"{name} must be")


@pytest.mark.parametrize(
    ("places", "change", "message"),
    [
        (("classes_",), lambda a: a[[0, 0]], "classes_ must be two or more distinct"),
        (("classes_",), lambda a: a[:1], "classes_ must be two or more distinct"),
        (("encoder_", "n_states_"), lambda a: a + 1, "statistics_ must be"),
        (("encoder_", "n_states_"), fill(2**62), "statistics_ must be"),
        (("encoder_", "n_states_"), fill(-1), "statistics_ must be"),
        (("encoder_", "is_nominal_"), lambda a: ~a, "must be"),
        (("encoder_", "is_nominal_"), lambda a: a[:1], "is_nominal_ must be"),
        (("statistics_", "counts", "n_states"), lambda a: a + 1, "counts of its classes"),
        (("statistics_", "counts", "table"), fill(-1.0), "table must be"),
        (("statistics_", "counts", "class_counts"), fill(np.inf), "class_counts must be"),
    ],
    ids=lambda part: "/".join(part) if isinstance(part, tuple) else None,
)
def test_parts_that_do_not_fit_each_other(file, places, change, message):
    *above, name = places
    place = file.state(*above)[name]
    file.put(place, change(file.array(place)))
    refused(file.write(), message)


@pytest.mark.parametrize("wrong", ["order", "nan", "too many", "missing_code", "source", "states"])
def test_a_column_that_would_give_codes_without_a_state(file, wrong):
    label, wind = (
        column["content"]["content"] for column in file.state("encoder_")["_columns"]["content"]
    )
    cuts = file.array(wind["cuts"])
    if wrong in ("order", "nan", "too many"):
        others = {"order": [2.0, 1.0], "nan": [np.nan], "too many": np.arange(9.0)}
        file.put(wind["cuts"], np.array(others[wrong]))
    elif wrong == "states":
        file.real(label["states"])["content"].append(value("snow"))
    else:
        label[wrong] = value(7)
    assert len(cuts) == 1
    refused(file.write())


def test_a_file_of_other_columns_and_classes_than_its_model(file):
    metadata = json.loads(file.members["metadata.json"])
    for name, other in (
        ("classes", ["in", "under"]),
        ("classes", []),
        ("named", False),
        ("columns", metadata["columns"][::-1]),
        ("columns", metadata["columns"][:1]),
    ):
        file.members["metadata.json"] = json.dumps(metadata | {name: other}).encode()
        refused(file.write(), "metadata.json does not describe the model")
    # Text where the model reads numbers: the rows that the file describes fail.
    labels = [column | {"kind": "labels"} for column in metadata["columns"]]
    file.members["metadata.json"] = json.dumps(metadata | {"columns": labels}).encode()
    refused(file.write(), "it cannot predict .*held numbers in fit")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (HiddenNaiveBayes(), "weights_"),
        (TreeAugmentedNaiveBayes(), "_offsets"),
        (LinearDiscriminantAnalysis(), "_white_means"),
        (LogisticRegression(), "_beta"),
        (LogisticRegression(), "_present"),
        (KNearestNeighbors(), "_y"),
        (MultinomialNaiveBayes(), "_log_weights"),
        (BoostedNaiveBayes(n_estimators=2), "estimator_weights_"),
    ],
    ids=lambda part: part if isinstance(part, str) else type(part).__name__,
)
@pytest.mark.parametrize("change", ["far", "shorter", "other type"])
def test_numbers_that_no_fit_leaves(tmp_path, model, name, change):
    file = File(tmp_path / "m.augury", model)
    load_model(file.path)
    place = file.state()[name]
    array = file.array(place)
    far = 1e200 if array.dtype.kind == "f" else 10**9
    changed = {"far": -np.full_like(array, far), "shorter": array[:-1], "other type": array > 0}
    file.put(place, changed[change])
    refused(file.write(), r"\w+ must be")


def test_a_tree_whose_branches_lead_nowhere(tmp_path):
    file = File(tmp_path / "m.augury", C45Tree(min_samples_leaf=1, prune=False))
    parts = file.state()["tree_"]["content"]
    weights, probabilities = parts[0], parts[1]
    good = file.array(probabilities), file.array(weights)
    file.put(probabilities, np.full_like(good[0], 0.7))
    refused(file.write(), "probabilities must be 1 in their sum")
    file.put(probabilities, good[0])
    file.put(weights, np.zeros_like(good[1]))
    refused(file.write(), "branches must be nodes with rows")
    file.put(weights, good[1])
    for branches in (10**6, -1, 0, 3):
        parts[4]["content"][0] = value(branches)
        refused(file.write())


def test_steps_of_a_pipeline_that_do_not_fit_together(tmp_path):
    rows = np.arange(12.0).reshape(6, 2)
    model = make_pipeline(StandardScaler(), SklearnLogisticRegression())
    file = File(tmp_path / "m.augury", model, rows)
    step = file.schema["content"]["content"]["steps"]["content"][1]["content"][1]
    coefficients = step["content"]["content"]["coef_"]
    file.put(coefficients, np.zeros((1, 5)))
    refused(file.write(), "it cannot predict")
    file.put(coefficients, np.full((1, 2), np.nan))
    refused(file.write(), "not finite")


# "No accepted file may crash the process": parts that refer twice to the next one never end.
def test_a_model_whose_parts_refer_twice_to_the_next_one_has_no_trial():
    model = NaiveBayes().fit([["a"], ["b"]], [0, 1])
    for _ in range(40):
        outer = VotingClassifier([("one", model), ("two", model)], voting="soft")
        outer.estimators_ = [model, model]
        model = outer
    assert _takes_long(model)
    assert not _takes_long(NaiveBayes().fit([["a"], ["b"]], [0, 1]))
