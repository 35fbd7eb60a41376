"""Parts of the study of split hybrids."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from augury.data import load_dataset
from augury.discriminative import LiblinearLogisticRegression
from augury.generative import NaiveBayes
from augury.hybrid import HBayesNB
from benchmarks.studies import split_study


@pytest.fixture(scope="module")
def iris(shared_data):
    return load_dataset("iris", shared_data)


def test_sizes_leave_rows_for_testing():
    def table(n_rows):
        return SimpleNamespace(X=np.zeros((n_rows, 2)))

    assert split_study.sizes_for(table(40)) == []
    assert split_study.sizes_for(table(43)) == [30]  # 13 rows for testing
    assert split_study.sizes_for(table(428)) == [30, 100, 300]


def test_all_splits_of_iris(iris, shared_data, monkeypatch):
    """Score every split by products of probabilities, and compare the counts of the table."""
    monkeypatch.setenv("AUGURY_DATA", str(shared_data))
    monkeypatch.setattr(split_study, "EXHAUSTIVE", ("iris",))
    X, y = iris.X, np.asarray(iris.y)
    greedy = HBayesNB().fit(X, y).score(X, y)
    scores = []
    for size in range(5):
        for moved in combinations(X.columns, size):
            rest = [name for name in X if name not in moved]
            log_scores = np.zeros((len(X), 3))
            if rest:
                naive = NaiveBayes().fit(X[rest], y)
                log_scores += naive.predict_joint_log_proba(X[rest])
                if moved:
                    log_scores -= naive.log_prior_
            if moved:
                regression = LiblinearLogisticRegression(
                    encoding="onehot", scaling=None, tol=1e-6
                ).fit(X[list(moved)], y)
                log_scores += regression.predict_log_proba(X[list(moved)])
            scores.append((np.unique(y)[log_scores.argmax(axis=1)] == y).mean())
    n_better = sum(score > greedy + 1e-9 for score in scores)
    [line] = [line for line in split_study.greedy_table() if line.startswith("| iris")]
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    assert cells[3] == f"{100 * greedy:.2f}"
    assert cells[5:] == [f"{100 * max(scores):.2f}", f"{n_better} of 16"]


def test_columns_of_iris(iris):
    _, _, line, shares = split_study.column_table([iris])
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    assert cells[:3] == ["iris", "150", "4"]
    moved = split_study.splits()["information"].fit(iris.X, iris.y).discriminative_columns_
    assert cells[4] == str(len(moved)) == "1"
    assert shares.split("|")[5].strip() == "25 %"


def test_signs_and_p_values():
    assert split_study.count_signs(np.array([0.1, 0.0, -0.2, 1e-14, 0.3])) == (2, 1)
    same = np.array([0.5, 0.6, 0.7])
    assert split_study.p_value(same, same) == "equal"
    assert split_study.p_value(same + np.array([0.1, 0.2, 0.3]), same) == "0.250"
