import math
from dataclasses import replace

import numpy as np
import pytest

from augury.evaluate import FoldResult, summarize

ROW = FoldResult(
    dataset="d", model="m", protocol="honest", run=1, fold=1, n_train=9, n_test=1, accuracy=1.0,
    log_loss=0.5, brier=0.25, fit_seconds=0.25, predict_seconds=0.5,
)  # fmt: skip


def test_mean_and_sample_deviation_in_percent() -> None:
    rows = [
        replace(ROW, fold=1, accuracy=1.0, log_loss=0.0, brier=0.0, fit_seconds=0.5),
        replace(ROW, fold=2, accuracy=0.5, log_loss=1.0, brier=1.0, fit_seconds=1.0),
        replace(ROW, fold=3, accuracy=0.0, log_loss=2.0, brier=0.5, fit_seconds=1.5),
    ]
    [summary] = summarize(rows)
    assert (summary.accuracy_mean, summary.accuracy_std) == (50.0, 50.0)  # √((50² + 50²) / 2)
    assert (summary.log_loss_mean, summary.brier_mean) == (1.0, 0.5)
    assert (summary.fit_seconds_mean, summary.predict_seconds_mean) == (1.0, 0.5)
    assert (summary.dataset, summary.model, summary.protocol) == ("d", "m", "honest")
    assert summary.n_folds == 3


def test_groups_in_order_of_appearance() -> None:
    keys = [
        ("b", "x", "honest"),
        ("a", "x", "honest"),
        ("b", "y", "honest"),
        ("b", "x", "published"),
    ]
    rows = [replace(ROW, dataset=d, model=m, protocol=p) for d, m, p in keys * 2]
    summaries = summarize(rows)
    assert [(s.dataset, s.model, s.protocol) for s in summaries] == keys
    assert {s.n_folds for s in summaries} == {2}


def test_order_of_rows_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    rows = [replace(ROW, accuracy=value) for value in rng.random(100)]
    assert summarize(rows) == summarize(rows[::-1])
    percent = [100 * row.accuracy for row in rows]
    [summary] = summarize(rows)
    assert summary.accuracy_mean == pytest.approx(np.mean(percent), rel=1e-14)
    assert summary.accuracy_std == pytest.approx(np.std(percent, ddof=1), rel=1e-14)


def test_one_fold_has_no_deviation() -> None:
    [summary] = summarize([ROW])
    assert math.isnan(summary.accuracy_std)
    assert summarize([]) == []
