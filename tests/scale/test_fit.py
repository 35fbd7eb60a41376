"""A model that is fitted to partitions equals the one that is fitted to all rows at once."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augury import HiddenNaiveBayes, LogisticRegression, NaiveBayes
from augury.generative import TreeAugmentedNaiveBayes
from augury.scale import fit, fit_with_report
from tests.scale.same_model import (
    EVENT_MODELS,
    EXACT,
    MIXED_MODELS,
    REGRESSIONS,
    assert_same_model,
    assert_same_statistics,
    fit_in_memory,
)
from tests.scale.tables import TARGET, WEIGHT, count_table, in_parts, mixed_table

SIZES = (120, 1, 0, 199)
MODELS = [(model, "mixed") for model in MIXED_MODELS.values()]
MODELS += [(model, "counts") for model in EVENT_MODELS.values()]


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize(("model", "kind"), MODELS, ids=[*MIXED_MODELS, *EVENT_MODELS])
def test_streamed_equals_in_memory(model, kind: str, weighted: bool) -> None:
    table = mixed_table() if kind == "mixed" else count_table()
    expected = fit_in_memory(model, table, weighted=weighted)
    data = table if weighted else table.drop(columns=WEIGHT)
    weight = WEIGHT if weighted else None
    for n_jobs in (1, 2):
        found = fit(model, in_parts(data, SIZES), TARGET, weight=weight, n_jobs=n_jobs)
        assert_same_model(found, expected, table)


@given(
    sizes=st.lists(st.integers(0, 90), max_size=12),
    by_class=st.booleans(),
    without_weight=st.integers(0, 200),
    model=st.sampled_from(
        [HiddenNaiveBayes(), TreeAugmentedNaiveBayes(), NaiveBayes(continuous="gaussian"), EXACT]
    ),
)
@settings(max_examples=40)
def test_any_partitioning_gives_the_same_model(
    sizes: list[int], by_class: bool, without_weight: int, model
) -> None:
    """Partitions may be empty, lack a class, or have rows of weight zero only."""
    table = mixed_table(200)
    table.loc[table.index < without_weight - 30, WEIGHT] = 0.0
    if by_class:
        table = table.sort_values(TARGET, ignore_index=True)
    found = fit(model, in_parts(table, sizes), TARGET, weight=WEIGHT, n_jobs=2)
    assert_same_model(found, fit_in_memory(model, table, weighted=True), table)


@given(
    first=st.sampled_from([3, 60]),
    sizes=st.lists(st.integers(0, 60), min_size=2, max_size=6),
    late=st.sampled_from(["label", "class", "missing", "class without weight", "nothing"]),
    model=st.sampled_from([NaiveBayes(), HiddenNaiveBayes(), NaiveBayes(continuous="gaussian")]),
    weighted=st.booleans(),
)
def test_labels_that_the_first_partition_may_lack(
    first: int, sizes: list[int], late: str, model, weighted: bool
) -> None:
    """Labels are counted in one pass; if a later partition has another one, in two."""
    table = mixed_table(200)[["colour", "place", "is_new", WEIGHT, TARGET]][:180]
    table = table.assign(colour=table["colour"].fillna("none"), place="here")
    if late in ("label", "missing"):
        table.loc[150, "colour"] = "pink" if late == "label" else None
    elif late != "nothing":
        table.loc[150, TARGET] = "quince"
        table.loc[150, WEIGHT] = 0.0 if late == "class without weight" else 2.0
    table.loc[160:, TARGET] = table[TARGET][160:].where(table.index[160:] % 3 > 0, None)
    kept = table[table[TARGET].notna()]
    found, report = fit_with_report(
        model,
        in_parts(table if weighted else table.drop(columns=WEIGHT), [first, *sizes]),
        TARGET,
        weight=WEIGHT if weighted else None,
        n_jobs=1,
    )
    assert report.n_unlabelled == len(table) - len(kept)
    assert_same_model(found, fit_in_memory(model, kept, weighted=weighted), kept)


@pytest.mark.parametrize("columns", [["colour", "is_new"], ["colour", "width"]])
@pytest.mark.parametrize("model", [NaiveBayes(), HiddenNaiveBayes()], ids=["nb", "hnb"])
def test_rows_sorted_by_class(columns: list[str], model) -> None:
    """The first partition of several has one class only."""
    table = mixed_table().sort_values(TARGET, ignore_index=True)[[*columns, WEIGHT, TARGET]]
    found = fit(model, in_parts(table, (3, 0, 120)), TARGET, weight=WEIGHT)
    assert_same_model(found, fit_in_memory(model, table, weighted=True), table)


@pytest.mark.parametrize("columns", [["colour", "is_new"], ["colour", "width"]])
def test_a_class_whose_rows_have_no_weight_is_a_class(columns: list[str]) -> None:
    """Labels alone are counted in one pass, columns with numbers after a survey."""
    table = mixed_table()[[*columns, WEIGHT, TARGET]]
    table.loc[table[TARGET] == "quince", WEIGHT] = 0.0
    found = fit(NaiveBayes(), in_parts(table, SIZES), TARGET, weight=WEIGHT)
    assert "quince" in found.classes_.tolist()
    assert_same_model(found, fit_in_memory(NaiveBayes(), table, weighted=True), table)


@pytest.mark.parametrize("columns", [["colour"], ["width"]])
def test_weights_that_are_shares_are_refused(columns: list[str]) -> None:
    table = mixed_table()[[*columns, WEIGHT, TARGET]].assign(**{WEIGHT: 1 / 400})
    with pytest.raises(ValueError, match=r"the weights in column 'n' must be numbers of rows"):
        fit(NaiveBayes(), in_parts(table, SIZES), TARGET, weight=WEIGHT)


def test_row_groups_and_files_give_the_same_model(tmp_path: Path) -> None:
    table = mixed_table()
    for name, rows, size in (("a", slice(0, 250), 60), ("b", slice(250, 251), 1),
                             ("c", slice(251, None), 1000)):  # fmt: skip
        arrow = pa.Table.from_pandas(table[rows], preserve_index=False)
        pq.write_table(arrow, tmp_path / f"{name}.parquet", row_group_size=size)
    for model in (HiddenNaiveBayes(), EXACT):
        found = fit(model, tmp_path, TARGET, weight=WEIGHT)
        assert_same_model(found, fit_in_memory(model, table, weighted=True), table)


def test_a_label_and_a_class_that_one_partition_has_are_learned() -> None:
    table = mixed_table()
    source = in_parts(table.drop(columns=WEIGHT), [380])
    model = fit(NaiveBayes(), source, TARGET)
    assert not table[TARGET][:380].eq("quince").any()
    assert not table["place"][:380].eq("elsewhere").any()
    assert model.classes_.tolist() == ["apple", "pear", "plum", "quince"]
    places = model.encoder_.encode(table.drop(columns=[TARGET, WEIGHT])).states[4]
    assert "elsewhere" in places


def test_declared_classes_without_rows_are_classes() -> None:
    table = mixed_table()
    declared = pd.CategoricalDtype(["quince", "plum", "pear", "fig", "apple"])
    table[TARGET] = table[TARGET].astype(declared)
    found = fit(NaiveBayes(), in_parts(table, [100, 100]), TARGET, weight=WEIGHT)
    assert "fig" in found.classes_.tolist()
    assert_same_model(found, fit_in_memory(NaiveBayes(), table, weighted=True), table)


def test_fractional_weights_differ_by_rounding_only() -> None:
    table = mixed_table()
    table[WEIGHT] = np.random.default_rng(1).random(len(table)) + 0.1
    found = fit(NaiveBayes(), in_parts(table, SIZES), TARGET, weight=WEIGHT)
    expected = fit_in_memory(NaiveBayes(), table, weighted=True)
    assert_same_statistics(found.statistics_, expected.statistics_, 1e-13)


def test_rows_without_a_class_are_left_out_and_counted() -> None:
    table = mixed_table().drop(columns=WEIGHT)
    gaps = table.copy()
    gaps.loc[::7, TARGET] = None
    found, report = fit_with_report(NaiveBayes(), in_parts(gaps, SIZES), TARGET)
    kept = gaps[gaps[TARGET].notna()].assign(**{WEIGHT: 1.0})
    assert (report.n_rows, report.n_unlabelled) == (len(kept), len(gaps) - len(kept))
    assert_same_model(found, fit_in_memory(NaiveBayes(), kept, weighted=False), kept)


def test_columns_are_surveyed_again_where_rows_without_a_class_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The meta-features of this hybrid are cut; they are surveyed after the other columns."""
    monkeypatch.setattr("augury.scale.training.labelled_frames._BLOCK_ROWS", 50)
    table = mixed_table()
    table.loc[::7, TARGET] = None
    found = fit(REGRESSIONS["nb-lr"], in_parts(table.drop(columns=WEIGHT), [200]), TARGET)
    kept = table[table[TARGET].notna()].reset_index(drop=True)
    assert_same_model(found, fit_in_memory(REGRESSIONS["nb-lr"], kept, weighted=False), kept)


def test_a_regression_that_does_not_converge_warns_once() -> None:
    source = in_parts(mixed_table().drop(columns=WEIGHT), SIZES)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(LogisticRegression(max_iter=1), source, TARGET, n_jobs=2)
    assert ["raise max_iter or tol" in str(each.message) for each in caught] == [True]
