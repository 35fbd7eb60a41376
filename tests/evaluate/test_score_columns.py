from dataclasses import replace

import pytest

from augury.evaluate import FoldResult, mean_scores

ROW = FoldResult(
    dataset="d1", model="nb", protocol="honest", run=1, fold=1, n_train=90, n_test=10,
    accuracy=0.5, log_loss=0.7, brier=0.25, fit_seconds=0.1, predict_seconds=0.1,
)  # fmt: skip


class TestMeanScores:
    ROWS = (
        ROW,
        replace(ROW, fold=2, accuracy=1.0),
        replace(ROW, dataset="d2", accuracy=0.25),
        replace(ROW, model="lr", dataset="d2", accuracy=0.5, log_loss=0.1),
        replace(ROW, model="lr", accuracy=0.75, log_loss=0.3),
    )

    def test_columns_have_the_data_sets_in_one_order(self) -> None:
        scores = mean_scores(self.ROWS)
        assert {name: column.tolist() for name, column in scores.items()} == {
            "nb": [0.75, 0.25], "lr": [0.75, 0.5],
        }  # fmt: skip
        assert mean_scores(self.ROWS, "log_loss")["lr"].tolist() == [0.3, 0.1]

    def test_errors(self) -> None:
        with pytest.raises(ValueError, match="all models on all data sets, got none of lr on d1"):
            mean_scores(self.ROWS[:-1])
        with pytest.raises(ValueError, match="at least one row, got none"):
            mean_scores([])
        with pytest.raises(ValueError, match="one protocol, got honest, published"):
            mean_scores([*self.ROWS, replace(ROW, fold=3, protocol="published")])
        with pytest.raises(ValueError, match="score must be one of 'accuracy', 'log_loss'"):
            mean_scores(self.ROWS, "auc")
