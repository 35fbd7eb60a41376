import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.data import DataError, read_table, write_arff


def test_reading_gives_back_the_frame(tmp_path):
    labels = ["?", "it's", "a,b", "50%", "back\\slash", "", " x", "tab\there", "plain"]
    frame = pd.DataFrame(
        {
            "odd name": pd.Categorical(["?", None, *labels[1:-1]], categories=labels),
            "number": [0.1, np.nan, 1 / 3, 1e-300, 5e-324, -0.0, 1e22, 2.0, 3.0],
            "text": pd.array(["x", None, "?", "new\nline", "'", '"', "%", "{", "}"], dtype="str"),
            "class": pd.Categorical(list("abababaab"), categories=list("cba")),
        }
    )
    write_arff(frame, tmp_path / "new folder" / "f.arff", "a relation")
    again = read_table(tmp_path / "new folder" / "f.arff")
    pd.testing.assert_frame_equal(again.X.assign(**{"class": again.y}), frame)
    assert again.name == "a relation"
    assert [file.name for file in (tmp_path / "new folder").iterdir()] == ["f.arff"]


def test_booleans_and_integers(tmp_path):
    frame = pd.DataFrame({"b": [True, False], "i": [1, 2], "c": pd.Categorical(["u", "v"])})
    write_arff(frame, tmp_path / "f.arff", "r")
    again = read_table(tmp_path / "f.arff").X
    assert again["b"].tolist() == ["True", "False"]
    assert again["i"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"d": pd.to_datetime(["2001-01-01"])}), "column 'd' has type datetime64"),
        (pd.DataFrame({"z": [1j]}), "column 'z' has 1j, which ARFF cannot hold as a number"),
        (pd.DataFrame({"o": pd.Series(["a", 1], dtype=object)}), "column 'o' has 1 among its tex"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns are named 'a'"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "two columns are named '1'"),
        (
            pd.DataFrame({"c": pd.Categorical([1, "1"])}),
            "column 'c' has two labels that are both '1' as text",
        ),
        (pd.DataFrame({"c": pd.Categorical([None])}), "column 'c' declares no label"),
        (pd.DataFrame({"t": ["a\0b"]}), "column 't' has 'a.x00b', with a character that no text"),
        (pd.DataFrame({"t": pd.Series(["\ud800"], dtype=object)}), "column 't' has '.ud800', with"),
        (pd.DataFrame({"a": [1.0]}).iloc[:0], "the frame has 0 rows, 1 columns"),
        (pd.DataFrame(index=[0]), "the frame has 1 rows, 0 columns"),
    ],
)
def test_a_frame_that_could_not_be_read_again_raises_and_leaves_no_file(tmp_path, frame, message):
    with pytest.raises(DataError, match="^write_arff: " + message):
        write_arff(frame, tmp_path / "f.arff", "r")
    assert not list(tmp_path.iterdir())


def test_a_relation_that_no_file_can_name(tmp_path):
    with pytest.raises(DataError, match=r"^write_arff: the relation's name has 'a.x00', with a "):
        write_arff(pd.DataFrame({"a": [1]}), tmp_path / "f.arff", "a\0")


def test_infinity_is_written_as_java_reads_it(tmp_path):
    frame = pd.DataFrame({"n": [np.inf, -np.inf], "c": ["u", "v"]})
    write_arff(frame, tmp_path / "f.arff", "r")
    assert (tmp_path / "f.arff").read_text().splitlines()[-2:] == ["Infinity,u", "-Infinity,v"]
    assert read_table(tmp_path / "f.arff").X["n"].tolist() == [np.inf, -np.inf]


# Reading converts line ends; null characters and surrogates raise an error.
TEXT = st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=8)


@given(
    labels=st.lists(TEXT, min_size=1, max_size=5, unique=True),
    name=TEXT.filter(lambda text: text not in ("", "class")),
    numbers=st.lists(st.none() | st.floats(allow_nan=False), min_size=1, max_size=6),
)
def test_any_labels_names_and_numbers_survive(tmp_path_factory, labels, name, numbers):
    codes = [i % (len(labels) + 1) - 1 for i in range(len(numbers))]
    frame = pd.DataFrame(
        {
            name: pd.Categorical.from_codes(codes, pd.Index(labels, dtype="str")),
            name + "x": np.array(numbers, dtype=np.float64),
            "class": pd.Categorical.from_codes([0] * len(numbers), pd.Index(labels, dtype="str")),
        }
    )
    path = tmp_path_factory.mktemp("arff") / "f.arff"
    write_arff(frame, path, name)
    again = read_table(path, target="class")
    pd.testing.assert_frame_equal(again.X.assign(**{"class": again.y}), frame)
