"""Explanations in notebooks: bars that sum to the log odds."""

import re

import pandas as pd

from augury import NaiveBayes

X = pd.DataFrame({"sky": ["sun", "sun", "rain", None] * 3, "<b>": range(12)})
Y = ["out", "out", "in", "in"] * 3


def test_bars_sum_to_the_log_odds():
    explained = NaiveBayes().fit(X, Y).explain(X.iloc[:2])
    shown = explained._repr_html_()
    assert shown.count("<table") == 2
    total = explained.iloc[0].sum()
    assert f"log odds of out against in: {total:+.2f}".replace("-", "−") in shown
    numbers = re.findall(r"<td>([+−]\d+\.\d\d)</td></tr>", shown)
    expected = [f"{value:+.2f}".replace("-", "−") for value in explained.iloc[0]]
    assert sorted(numbers[:3]) == sorted(expected)
    assert "<td>sun</td>" in shown
    assert "<b>" not in shown
    assert "&lt;b&gt;" in shown


def test_missing_values_and_many_rows():
    shown = NaiveBayes().fit(X, Y).explain(X)._repr_html_()
    assert "<td>missing</td>" in shown
    assert "7 more rows." in shown


def test_what_is_derived_is_an_ordinary_frame():
    explained = NaiveBayes().fit(X, Y).explain(X)
    for derived in (explained.iloc[:2], explained.abs(), explained[["sky"]], explained.copy()):
        assert type(derived) is pd.DataFrame
    assert explained.attrs["method"] == "terms"
    pd.testing.assert_frame_equal(explained.copy(), pd.DataFrame(explained))


def test_each_row_has_its_own_classes():
    y = ["a", "b", "c"] * 4
    explained = NaiveBayes().fit(X, y).explain(X.iloc[:3], positive="b")
    assert all(
        "log odds of b against" in part for part in explained._repr_html_().split("<table")[1:]
    )
