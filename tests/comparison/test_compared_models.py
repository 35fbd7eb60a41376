"""`augury.compare` on small tables that scikit-learn ships."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

import augury
from augury.comparison.compared_models import ComparedModels
from augury.data import DataError
from augury.persist import load_model

MODELS = ["nb", "lr", "forest", "majority"]


@pytest.fixture(scope="module")
def wine() -> pd.DataFrame:
    bunch = load_wine(as_frame=True)
    return bunch.frame.assign(target=bunch.target_names[bunch.target]).rename(
        columns={"target": "cultivar"}
    )


@pytest.fixture(scope="module")
def compared(wine: pd.DataFrame) -> ComparedModels:
    return augury.compare(wine, "cultivar", models=MODELS, folds=5, repeats=1, n_jobs=1)


def test_the_verdict_names_the_target_the_model_and_the_baseline(compared: ComparedModels) -> None:
    verdict = compared.verdict
    assert verdict.recommended in ("nb", "lr")
    assert verdict.text.startswith(f"Use `{verdict.recommended}` for cultivar: ")
    assert "always guessing class_1 would have 39.9 %" in verdict.text
    assert (verdict.n_rows, verdict.n_folds, verdict.n_repeats) == (178, 5, 1)
    assert verdict.find("forest").role == "yardstick"
    assert verdict.find("majority").role == "baseline"


def test_the_leaderboard_is_in_the_order_of_the_verdict(compared: ComparedModels) -> None:
    board = compared.leaderboard
    assert board.index.tolist() == [each.model for each in compared.verdict.leaderboard]
    assert board["accuracy"].is_monotonic_decreasing
    assert board.index[board["is_recommended"]].tolist() == [compared.verdict.recommended]
    assert {"log_loss", "brier", "auc", "balanced_accuracy", "ece"} <= set(board.columns)


def test_the_best_model_predicts_raw_rows(compared: ComparedModels, wine: pd.DataFrame) -> None:
    assert compared.best_ is not None
    answers = compared.best_.predict(wine.drop(columns="cultivar"))
    assert np.mean(answers == wine["cultivar"]) > 0.97


def test_the_report_and_the_notebook_say_the_same(compared: ComparedModels, tmp_path: Path) -> None:
    page = compared.report(tmp_path / "wine.html")
    content = json.loads(page.with_suffix(".json").read_text())
    verdict = content["verdict"]
    assert tuple(verdict["sentences"]) == compared.verdict.sentences
    order = [each.model for each in compared.verdict.leaderboard]
    assert [each["model"] for each in verdict["leaderboard"]] == order
    assert [each["name"] for each in content["models"]] == order
    html = compared._repr_html_()
    assert f"<b>{compared.verdict.recommended}</b>" in html
    table = html[html.index("<tbody>") :]
    assert [table.index(f">{name}<") for name in order] == sorted(
        table.index(f">{name}<") for name in order
    )
    assert repr(compared).startswith(compared.verdict.text)


def test_a_folder_keeps_the_results_and_the_model_is_saved(wine: pd.DataFrame, tmp_path: Path):
    given = {"models": ["nb", "majority"], "folds": 3, "repeats": 1, "n_jobs": 1}
    file = tmp_path / "wine.augury"
    first = augury.compare(wine, "cultivar", out=tmp_path / "out", save=file, **given)
    assert first.verdict.text.endswith(f"Fitted to all 178 rows and saved as {file}.")
    rows = wine.drop(columns="cultivar")
    assert first.best_ is not None
    assert load_model(file).model.predict(rows).tolist() == first.best_.predict(rows).tolist()
    again = augury.compare(wine, "cultivar", out=tmp_path / "out", **given)
    assert again.verdict.leaderboard == first.verdict.leaderboard
    assert again.report(tmp_path / "page.html").is_file()


def test_a_rare_class_changes_the_measure() -> None:
    bunch = load_breast_cancer(as_frame=True)
    frame = bunch.frame
    rare = pd.concat([frame[frame["target"] == 1], frame[frame["target"] == 0].head(20)])
    found = augury.compare(
        rare, "target", models=["nb", "lr", "majority"], folds=5, repeats=1, n_jobs=1
    )
    assert found.verdict.measure == "average_precision:0"
    assert "because only 5.3 % of the rows are of this class" in found.verdict.text
    asked = augury.compare(
        rare, "target", models=["nb"], measure="auc", folds=5, repeats=1, n_jobs=1
    )
    assert asked.verdict.measure == "auc"
    assert asked.leaderboard.columns[0] == "auc"


def test_polars_frames_and_weights_are_taken(wine: pd.DataFrame) -> None:
    weight = np.where(np.arange(len(wine)) % 2, 1.0, 2.0)
    given = {"models": ["nb"], "folds": 3, "repeats": 1, "n_jobs": 1}
    frames = [wine, pl.from_pandas(wine)]
    found = [augury.compare(each, "cultivar", sample_weight=weight, **given) for each in frames]
    assert found[0].verdict.find("nb").accuracy == found[1].verdict.find("nb").accuracy


def test_rows_without_a_class_are_left_out_with_a_warning(wine: pd.DataFrame) -> None:
    gaps = wine.assign(cultivar=wine["cultivar"].where(np.arange(len(wine)) % 10 != 0))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = augury.compare(gaps, "cultivar", models=["nb"], folds=3, repeats=1, n_jobs=1)
    assert found.verdict.n_rows == 160
    assert any("missing in 18 of 178 rows" in str(each.message) for each in caught)


def test_wrong_arguments_are_errors_before_the_first_fold(wine: pd.DataFrame) -> None:
    with pytest.raises(TypeError, match="models must be a sequence of names, got 'nb'"):
        augury.compare(wine, "cultivar", models="nb")
    with pytest.raises(TypeError, match="data must be a data frame"):
        augury.compare(wine.to_numpy(), "cultivar")
    with pytest.raises(TypeError, match="must have text as names"):
        augury.compare(wine.set_axis(range(14), axis=1))
    with pytest.raises(DataError, match="no column 'kind'"):
        augury.compare(wine, "kind")
    with pytest.raises(DataError, match="one class in all rows"):
        augury.compare(wine.assign(cultivar="a"), "cultivar")
    with pytest.raises(ValueError, match="sample_weight is for a data frame"):
        augury.compare("sklearn:iris", sample_weight=[1.0])
    with pytest.raises(ValueError, match="measure"):
        augury.compare(wine, "cultivar", measure="goodness")
