"""Cross-validation of pieces equals the one in memory with the same folds."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from augury import AugmentedClassifier, HiddenNaiveBayes, NaiveBayes
from augury.data.errors import DataError
from augury.encode import TidyColumns
from augury.generative import AveragedOneDependence, TreeAugmentedNaiveBayes
from augury.scale import cross_validate
from augury.scale.cross_validating import FailedFold, open_folds
from augury.scale.summaries.survey_settings import SurveySettings
from tests.scale.hash_folds import assert_same_results, fold_of_row, in_memory
from tests.scale.same_model import COUNT_MODELS, EVENT_MODELS, EXACT, NUMBER_MODELS, REGRESSIONS
from tests.scale.tables import (
    TARGET,
    WEIGHT,
    FaultyPartition,
    count_table,
    in_partitions,
    in_parts,
    mixed_table,
    part_of,
)

SIZES = (120, 1, 0, 199)
N_FOLDS = 3


def table_of(n_rows: int = 400) -> pd.DataFrame:
    return mixed_table(n_rows).drop(columns=WEIGHT)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    "models", [COUNT_MODELS, NUMBER_MODELS, EVENT_MODELS], ids=["counts", "numbers", "events"]
)
def test_generative_models_have_the_results_of_memory(models: dict[str, Any], n_jobs: int) -> None:
    of_events = models is EVENT_MODELS
    table = count_table().drop(columns=WEIGHT) if of_events else table_of()
    found = cross_validate(models, in_parts(table, SIZES), TARGET, folds=N_FOLDS, n_jobs=n_jobs)
    assert_same_results(found, in_memory(models, table, TARGET, N_FOLDS))


def test_regressions_have_the_results_of_memory() -> None:
    table = table_of()
    found = cross_validate(REGRESSIONS, in_parts(table, SIZES), TARGET, folds=2, random_state=5)
    assert_same_results(found, in_memory(REGRESSIONS, table, TARGET, 2, seed=5), 1e-6)


@given(
    sizes=st.lists(st.integers(0, 90), max_size=10),
    by_class=st.booleans(),
    n_folds=st.integers(2, 5),
    seed=st.integers(0, 3),
    n_jobs=st.sampled_from([1, 2]),
)
@settings(max_examples=10)
def test_any_partitioning_gives_the_same_results(
    sizes: list[int], by_class: bool, n_folds: int, seed: int, n_jobs: int
) -> None:
    """Rows without a class count in the numbers of the rows, and are left out."""
    table = table_of(200)
    table.loc[::11, TARGET] = None
    if by_class:
        table = table.sort_values(TARGET, ignore_index=True)
    models = {"hnb": HiddenNaiveBayes(), "tan": TreeAugmentedNaiveBayes(), "lr": EXACT}
    options = {"folds": n_folds, "random_state": seed, "n_jobs": n_jobs}
    found = cross_validate(models, in_parts(table, sizes), TARGET, **options)
    assert_same_results(found, in_memory(models, table, TARGET, n_folds, seed), 1e-9)


def test_models_behind_tidy_columns_have_the_results_of_memory() -> None:
    """Each training set decides about its own columns: one has a constant, one dates, and so on."""
    table = table_of(300)
    folds = np.array([fold_of_row(row, 0, N_FOLDS) for row in range(len(table))])
    table["price"] = [f"${x:,.2f}" for x in np.random.default_rng(0).gamma(2, 900, len(table))]
    table["nearly"] = np.where(folds == 1, table["size"], 7)  # constant without fold 1
    table["code"] = [f"row {i}" for i in range(len(table))]
    table["when"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(table["size"], unit="D")
    table = table[[*table.columns.drop(TARGET), TARGET]]
    models = {
        name: make_pipeline(TidyColumns(), model)
        for name, model in {
            "nb": NaiveBayes(),
            "aode": AveragedOneDependence(),
            "hybrid": AugmentedClassifier(NaiveBayes(), EXACT),
        }.items()
    }
    found = cross_validate(models, in_parts(table, SIZES), TARGET, folds=N_FOLDS)
    assert_same_results(found, in_memory(models, table, TARGET, N_FOLDS), 1e-6)


def test_a_label_and_a_class_that_only_one_fold_has() -> None:
    table = table_of(300)[["size", "width", "colour", TARGET]]
    table = table[table[TARGET] != "quince"].reset_index(drop=True)
    own = [row for row in range(len(table)) if fold_of_row(row, 0, N_FOLDS) == 1]
    table.loc[own[:9], "colour"] = "violet"
    table.loc[own[9:20], TARGET] = "medlar"
    models = {"nb": NaiveBayes(), "hnb": HiddenNaiveBayes(), "lr": EXACT}
    found = cross_validate(models, in_parts(table, SIZES), TARGET, folds=N_FOLDS)
    assert_same_results(found, in_memory(models, table, TARGET, N_FOLDS), 1e-9)


def test_rows_are_counted_once_where_training_sets_read_them_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    n_counted = []
    collect = NaiveBayes._collect

    def counting(self: NaiveBayes, table: Any, y: Any, weight: Any) -> Any:
        n_counted.append(len(y))
        return collect(self, table, y, weight)

    monkeypatch.setattr(NaiveBayes, "_collect", counting)
    labels = table_of()[["is_new", TARGET]].assign(sky=["sun", "rain"] * 200)
    cross_validate({"nb": NaiveBayes()}, in_parts(labels, SIZES), TARGET, folds=N_FOLDS, n_jobs=1)
    assert sum(n_counted) == len(labels)
    n_counted.clear()
    numbers = table_of()[["height", TARGET]]  # cut points differ between the training sets
    cross_validate({"nb": NaiveBayes()}, in_parts(numbers, SIZES), TARGET, folds=N_FOLDS, n_jobs=1)
    assert sum(n_counted) == (N_FOLDS - 1) * len(numbers)


class CountingProgress:
    """Notes the passes over partitions."""

    def __init__(self) -> None:
        self.tasks: list[str] = []

    def begin(self, task: str, n_partitions: int, n_rows: int | None) -> None:
        self.tasks.append(task)

    def advance(self, n_partitions: int, n_rows: int | None) -> None:
        pass


def test_the_number_of_passes_does_not_depend_on_folds_and_models() -> None:
    for n_folds in (2, 5):
        progress = CountingProgress()
        models = {name: COUNT_MODELS[name] for name in ("nb", "hnb", "aode", "tan")}
        source = in_parts(table_of(), SIZES)
        cross_validate(models, source, TARGET, folds=n_folds, progress=progress)
        # Numbers of rows, which these partitions do not know; survey, bins, counts, scores.
        assert progress.tasks == [f"pass {number}" for number in range(1, 6)]


def test_texts_of_more_numbers_than_are_kept_are_read_as_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The texts are more than the survey keeps, and so are their numbers: a column is bounded."""
    few = partial(SurveySettings, max_labels=900, max_values=900, max_sample=1500)
    monkeypatch.setattr("augury.scale.cross_validating.SurveySettings", few)
    n_rows = 4000
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n_rows)
    numbers = rng.permutation(n_rows) / 100 + 20 * y
    table = pd.DataFrame({"price": [f"${x:,.2f}" for x in numbers], TARGET: y})
    table["size"] = rng.integers(0, 2, n_rows)
    models = {"nb": make_pipeline(TidyColumns(drop_identifiers=False), NaiveBayes())}
    results = []
    with open_folds(models, in_parts(table, [1500, 700]), TARGET, folds=2) as opened:
        opened.run(models, results.append)
        report = opened.report()
    assert list(report.bounded_cuts) == ["price"]
    assert 0 < report.bounded_cuts["price"] < 0.02
    expected = in_memory(models, table, TARGET, 2)
    assert_same_results(results, expected, 0.01)


def test_the_checksum_depends_on_values_and_not_on_partitions() -> None:
    table = table_of()

    def checksum(rows: pd.DataFrame, sizes: tuple[int, ...]) -> str:
        with open_folds({"nb": NaiveBayes()}, in_parts(rows, sizes), TARGET, folds=3) as opened:
            return opened.checksum()

    assert checksum(table, SIZES) == checksum(table, (7, 200))
    for column, value in (("colour", "red"), ("height", 0.0), (TARGET, "pear")):
        other = table.copy()
        row = int(np.argmax(table[column] != value))
        other.loc[row, column] = value
        assert checksum(other, SIZES) != checksum(table, SIZES)


# ---- errors ----------------------------------------------------------------------------------


def test_a_model_that_needs_all_rows_is_refused_before_any_row_is_read() -> None:
    broken = FaultyPartition(
        name="part 0", columns=("a", TARGET), frame=pd.DataFrame(), error=OSError("never read")
    )
    models = {"nb": NaiveBayes(), "tree": DecisionTreeClassifier()}
    with pytest.raises(TypeError, match="DecisionTreeClassifier needs all rows in memory"):
        cross_validate(models, in_partitions([broken]), TARGET)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds must be an integer >= 2, got 1"),
        ({"folds": 1001}, "folds must be at most 1000, got 1001"),
        ({"random_state": -1}, "random_state must be an integer >= 0, got -1"),
        ({"target": "kinds"}, "there is no column 'kinds'.* did you mean 'kind'"),
        ({"folds": 900}, r"of 900 folds have no rows, since there are 400 rows .*choose fewer"),
    ],
)
def test_errors_name_what_is_wrong(options: dict[str, Any], message: str) -> None:
    options = {"target": TARGET} | options
    with pytest.raises(ValueError, match=message):
        cross_validate({"nb": NaiveBayes()}, in_parts(table_of(), SIZES), **options)


def test_models_behind_different_tidy_columns_are_refused() -> None:
    models = {"a": NaiveBayes(), "b": make_pipeline(TidyColumns(), NaiveBayes())}
    with pytest.raises(ValueError, match="models must all be behind the same TidyColumns"):
        cross_validate(models, in_parts(table_of(), SIZES), TARGET)


@pytest.mark.parametrize("model", [NaiveBayes(), EXACT], ids=["nb", "lr"])
def test_a_partition_that_fails_is_named(model: Any) -> None:
    table = table_of()
    bad = FaultyPartition(
        name="part 7", columns=tuple(table.columns), frame=table[200:], error=OSError("gone")
    )
    source = in_partitions([part_of(table[:200], 0), bad])
    with pytest.raises(RuntimeError, match="part 7: OSError: gone"):
        cross_validate({"model": model}, source, TARGET, folds=2)


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    table = pa.Table.from_pandas(table_of(), preserve_index=False)
    for name in ("a", "b"):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    whole = (tmp_path / "b.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"b\.parquet"):
        cross_validate({"nb": NaiveBayes()}, tmp_path, TARGET)


class FailingNaiveBayes(NaiveBayes):
    """Fails if it is fitted to so many rows."""

    n_failing = 0

    def _estimate(self, statistics: Any) -> None:
        if statistics.counts.class_counts.sum() == self.n_failing:
            raise ValueError("these rows are too many")
        super()._estimate(statistics)


def test_a_model_that_fails_on_a_fold_is_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of()
    n_rows = [sum(fold_of_row(row, 0, 3) != fold for row in range(400)) for fold in range(3)]
    monkeypatch.setattr(FailingNaiveBayes, "n_failing", n_rows[2])
    assert n_rows.count(n_rows[2]) == 1
    kept: list[Any] = []
    models = {"failing": FailingNaiveBayes(), "nb": NaiveBayes()}
    with open_folds(models, in_parts(table, SIZES), TARGET, folds=3) as opened:
        opened.run(models, kept.append)
    failed = [(each.model, each.fold) for each in kept if isinstance(each, FailedFold)]
    assert failed == [("failing", 3)]
    expected = in_memory({"nb": NaiveBayes()}, table, TARGET, 3)
    assert_same_results([each for each in kept if each.model == "nb"], expected)
    with pytest.raises(ValueError, match="these rows are too many") as caught:
        cross_validate(models, in_parts(table, SIZES), TARGET, folds=3)
    assert caught.value.__notes__ == ["(failing, fold 3)"]
