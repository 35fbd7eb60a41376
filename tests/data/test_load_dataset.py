from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets

from augury.data import DataError, DataWarning, list_datasets, load_dataset, read_table
from augury.data.catalogue import CATALOGUE, SKLEARN_SETS, UCI_SETS
from augury.data.load import find_file

ZOO = "@relation zoo\n@attribute Animal {a,b,c,d}\n@attribute legs real\n@attribute type {x,y,z}\n"


@pytest.fixture(autouse=True)
def somewhere_empty(tmp_path, monkeypatch):
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    monkeypatch.setenv("AUGURY_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def small_zoo(monkeypatch):
    entry = CATALOGUE["zoo"]._replace(n_samples=2, n_features=1, n_missing=0, n_classes=3)
    monkeypatch.setitem(CATALOGUE, "zoo", entry)


@pytest.fixture
def offline(monkeypatch):
    def fetch(**_):
        raise URLError("no network")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)


@pytest.fixture
def openml(monkeypatch):
    """OpenML's zoo: codes and declared labels, without the row identifier `animal`."""
    calls = []

    def fetch(**parameters):
        calls.append(parameters)
        return SimpleNamespace(
            feature_names=["legs", "Type"],
            data=np.array([[4.0, 2.0], [2.5, 0.0]]),
            categories={"Type": ["x", "y", "z"]},
        )

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return calls


@pytest.mark.parametrize("folder", [".", "uci36", "data", "data/uci36"])
@pytest.mark.parametrize("by_environment", [False, True])
def test_folders(tmp_path, monkeypatch, small_zoo, folder, by_environment):
    (tmp_path / "root" / folder).mkdir(parents=True)
    file = tmp_path / "root" / folder / "zoo.arff"
    file.write_text(ZOO + "@data\na,4,x\nb,2,y\n")
    if by_environment:
        monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "root"))
        zoo = load_dataset("ZOO")
    else:
        zoo = load_dataset("zoo", data_dir=tmp_path / "root")
    assert (zoo.name, zoo.target, zoo.dropped) == ("zoo", "type", ("Animal",))
    assert zoo.source == str(file)
    assert list(zoo.X) == ["legs"]


@pytest.mark.parametrize("folder", [".", "uci36", "extra", "data", "data/uci36", "data/extra"])
@pytest.mark.parametrize("ending", [".arff", ".arff.gz"])
def test_files_that_are_not_in_the_catalogue(tmp_path, monkeypatch, folder, ending):
    assert find_file("mine") is None
    (tmp_path / "root" / folder).mkdir(parents=True)
    file = tmp_path / "root" / folder / f"mine{ending}"
    assert find_file("mine", tmp_path / "root") is None
    file.touch()
    assert find_file("mine", tmp_path / "root") == file
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "root"))
    assert find_file("mine") == file
    with pytest.raises(DataError, match="which is not a folder"):
        find_file("mine", tmp_path / "nowhere")


def test_another_version_is_refused(tmp_path, small_zoo):
    (tmp_path / "zoo.arff").write_text(ZOO + "@data\na,4,x\nb,?,y\nc,2,y\n")
    with pytest.raises(
        DataError,
        match=r"not the published zoo: it has 3 rows instead of 2, 1 missing cells instead of 0;",
    ):
        load_dataset("zoo", data_dir=tmp_path)


def test_openml_is_asked_once_and_kept_with_declared_classes(tmp_path, small_zoo, openml):
    first = load_dataset("zoo")
    assert first.source == "OpenML 62"
    assert openml[0]["data_id"] == 62
    second = load_dataset("zoo")
    assert len(openml) == 1
    assert second.source == str(tmp_path / "cache" / "zoo.arff")
    for zoo in (first, second):
        assert (zoo.target, zoo.dropped) == ("Type", ())
        assert zoo.classes == ["x", "y", "z"]
        assert zoo.y.tolist() == ["z", "x"]
        assert zoo.X["legs"].tolist() == [4.0, 2.5]


def test_wrong_openml_set_is_not_kept(tmp_path, openml):
    with pytest.raises(DataError, match="OpenML 62: this is not the published zoo: it has 2 rows"):
        load_dataset("zoo")
    assert not (tmp_path / "cache").exists()


def test_cache_that_cannot_be_written(tmp_path, monkeypatch, small_zoo, openml):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AUGURY_CACHE", str(tmp_path / "file" / "below"))
    with pytest.warns(DataWarning, match="set AUGURY_CACHE to a folder that can be written"):
        assert load_dataset("zoo").y.tolist() == ["z", "x"]


def test_offline_says_where_it_looked_and_what_to_do(tmp_path, offline):
    with pytest.raises(DataError) as caught:
        load_dataset("iris", data_dir=tmp_path)
    message = str(caught.value)
    for part in (
        "data set 'iris' was not found",
        f"{tmp_path} (the chosen folder; also in its uci36, data, data/uci36)",
        f"{tmp_path / 'cache'} (cache)",
        "OpenML 61, from which it cannot be fetched (<urlopen error no network>)",
        "choose a folder that has the file with data_dir= or the environment variable AUGURY_DATA",
        "or load 'sklearn:iris'",
    ):
        assert part in message
    with pytest.raises(DataError, match="AUGURY_DATA is not set"):
        load_dataset("vote")


def test_unknown_names(tmp_path):
    with pytest.raises(DataError, match=r"no data set named 'irsi'; did you mean 'iris'"):
        load_dataset("irsi")
    with pytest.raises(DataError, match=r"did you mean .*'sklearn:wine'\?"):
        load_dataset("wine")
    with pytest.raises(DataError, match=r"^the data folder is '.*nowhere', which is not a folder"):
        load_dataset("iris", data_dir=tmp_path / "nowhere")
    with pytest.raises(TypeError, match="name must be a string, got 3"):
        load_dataset(3)


def test_a_wrong_environment_is_reported(tmp_path, monkeypatch, openml):
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path / "nowhere"))
    message = r"^the environment variable AUGURY_DATA is '.*nowhere', which is not a folder$"
    with pytest.raises(DataError, match=message):
        load_dataset("zoo")
    with pytest.raises(DataError, match=message):
        list_datasets()
    assert openml == []
    assert list_datasets(tmp_path)["local"].sum() == 4
    assert load_dataset("sklearn:iris").X.shape == (150, 4)


@pytest.mark.parametrize("entry", SKLEARN_SETS, ids=lambda entry: entry.name)
def test_sets_of_scikit_learn(entry, offline):
    dataset = load_dataset(entry.name)
    bunch = getattr(sklearn.datasets, "load_" + entry.name.removeprefix("sklearn:"))()
    np.testing.assert_array_equal(dataset.X.to_numpy(), bunch.data)
    np.testing.assert_array_equal(dataset.y.cat.codes, bunch.target)
    assert dataset.classes == [str(name) for name in bunch.target_names]


def test_list(tmp_path, monkeypatch):
    (tmp_path / "iris.arff.gz").write_bytes(b"")
    monkeypatch.setenv("AUGURY_DATA", str(tmp_path))
    sets = list_datasets().set_index("name")
    assert len(sets) == len(UCI_SETS) + len(SKLEARN_SETS) == 40
    assert sets.loc["iris", "source"] == str(tmp_path / "iris.arff.gz")
    assert sets.loc["vote"].tolist() == [435, 16, 392, 2, "OpenML 56", False]
    assert sets.loc["sklearn:iris", ["source", "local"]].tolist() == ["scikit-learn", True]
    assert sets["local"].sum() == 5


def test_catalogue():
    assert len(UCI_SETS) == 36
    assert len({entry.openml_id for entry in UCI_SETS}) == 36


def test_read_table_and_load_dataset_differ_in_identifiers_only(shared_data):
    path = shared_data / "data" / "uci36" / "zoo.arff"
    with pytest.warns(UserWarning, match="column 'animal' looks like an identifier"):
        raw = read_table(path)
    zoo = load_dataset("zoo", shared_data)
    pd.testing.assert_frame_equal(raw.X.drop(columns="animal"), zoo.X)
