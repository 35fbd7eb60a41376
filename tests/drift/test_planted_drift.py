"""Each kind of drift is found where it was planted, and said in words."""

import numpy as np
import pandas as pd
import pytest

from augury.data.errors import DataError
from augury.drift import check_drift, collect_reference
from tests.drift.planted import draw_penguins

TARGET = "species"


@pytest.fixture(scope="module")
def reference():
    train = draw_penguins(600, 0).drop(columns="ring")
    return collect_reference(None, train.drop(columns=TARGET), train[TARGET], target=TARGET)


@pytest.fixture
def fresh():
    return draw_penguins(250, 1).drop(columns="ring")


def found(reference, rows, **options):
    """Return kind and sentence of the drift, by column."""
    report = check_drift(None, rows, reference=reference, n_jobs=1, **options)
    assert max(map(len, str(report).splitlines())) <= 80
    kinds = {}
    for finding in report.drift:
        kinds.setdefault(finding.column, {})[finding.kind] = finding
    return kinds


def test_fresh_rows_are_silent(reference, fresh):
    report = check_drift(None, fresh, reference=reference)
    assert report.is_silent
    assert report.n_columns == 6
    assert "No drift was found." in str(report)


def test_a_missing_column(reference, fresh):
    kinds = found(reference, fresh.drop(columns="mass"))
    assert kinds["mass"]["missing column"].sentence == "Column 'mass' is missing."
    assert set(kinds) == {"mass"}


def test_an_extra_column(reference, fresh):
    kinds = found(reference, fresh.assign(remark="none"))
    assert set(kinds) == {"remark"}
    assert set(kinds["remark"]) == {"extra column"}
    assert found(reference, fresh.assign(remark="none"), ignore=["remark"]) == {}


@pytest.mark.parametrize("name", ["Bill Length", "bill-length", "beak"])
def test_a_renamed_column(reference, fresh, name):
    kinds = found(reference, fresh.rename(columns={"bill_length": name}))
    assert set(kinds) == {"bill_length"}
    assert set(kinds["bill_length"]) == {"renamed column"}
    assert f"{name!r} may be its new name" in kinds["bill_length"]["renamed column"].sentence


def test_the_values_of_a_renamed_column_are_compared(reference, fresh):
    rows = fresh.rename(columns={"mass": "Mass"}).assign(Mass=fresh["mass"] / 1000)
    assert {"renamed column", "range", "distribution"} <= set(found(reference, rows)["mass"])


@pytest.mark.parametrize(
    ("column", "values", "held", "holds"),
    [
        ("mass", "heavy", "numbers", "text"),
        ("price", "cheap", "numbers", "text"),
        ("mass", pd.Timestamp("2024-01-01"), "numbers", "text"),
        ("seen", 7, "dates", "numbers"),
        ("seen", "last week", "dates", "text"),
        ("island", 3.5, "labels", "numbers"),
        ("wild", "maybe", "labels", "text"),
    ],
)
def test_another_kind(reference, fresh, column, values, held, holds):
    finding = found(reference, fresh.assign(**{column: values}))[column]["changed kind"]
    assert (finding.expected, finding.came) == (held, f"{holds} in 100.0 %")
    assert finding.change == 1.0


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_numbers(reference, fresh, value):
    finding = found(reference, fresh.assign(mass=value))["mass"]["changed kind"]
    assert (finding.expected, finding.came) == ("numbers", "infinite in 100.0 %")
    assert finding.sentence.startswith(
        "Column 'mass' holds numbers in the training rows. 100.0 % of the new values are infinite, "
    )


def test_some_values_of_another_kind(reference, fresh):
    rows = fresh.astype({"mass": object})
    rows.loc[:30, "mass"] = "heavy"
    finding = found(reference, rows)["mass"]["changed kind"]
    assert finding.came == "12.4 % unreadable"
    assert "'heavy'" in finding.sentence


def test_missing_values(reference, fresh):
    fresh.loc[:40, "mass"] = np.nan
    finding = found(reference, fresh)["mass"]["missing values"]
    assert finding.change > 0.1
    assert finding.sentence.startswith("Column 'mass' has no value in 18.")


def test_missing_values_that_are_filled(reference, fresh):
    rows = pd.concat([draw_penguins(1000, k) for k in range(1, 5)]).drop(columns="ring")
    assert "missing values" in found(reference, rows.fillna({"mass": 4200}))["mass"]


def test_unseen_labels(reference, fresh):
    fresh.loc[:14, "island"] = "Anvers"
    finding = found(reference, fresh)["island"]["unseen labels"]
    assert finding.change == pytest.approx(15 / 250)
    assert "'Anvers' (15)" in finding.sentence


def test_one_unseen_label_is_a_note(reference, fresh):
    fresh.loc[0, "island"] = "Anvers"
    report = check_drift(None, fresh, reference=reference)
    assert report.is_silent
    assert [note.kind for note in report.notes] == ["unseen labels"]
    assert "Note: Column 'island': 1 of 250 new rows" in str(report)


def test_many_different_unseen_labels(reference, fresh):
    fresh.loc[:29, "island"] = [f"station {k}" for k in range(30)]
    assert "unseen labels" in found(reference, fresh)["island"]


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_out_of_range(reference, fresh, sign):
    fresh.loc[:14, "mass"] = 4200 + sign * 9000
    finding = found(reference, fresh)["mass"]["range"]
    assert finding.change == pytest.approx(15 / 250)
    side = "15 above the largest" if sign > 0 else "15 below the smallest"
    assert side in finding.sentence


def test_one_number_far_out_of_range_is_a_note(reference, fresh):
    fresh.loc[3, "mass"] = 1e9
    report = check_drift(None, fresh, reference=reference)
    assert report.is_silent
    assert "up to 1e+09" in report.notes[0].sentence


def test_later_dates(reference, fresh):
    finding = found(reference, fresh.assign(seen="2026-05-01"))["seen"]["range"]
    assert finding.came == "2026-05-01 to 2026-05-01"


@pytest.mark.parametrize("shift", [200.0, -200.0])
def test_a_shifted_column_of_numbers(reference, fresh, shift):
    finding = found(reference, fresh.assign(mass=fresh["mass"] + shift))["mass"]["distribution"]
    assert 0.1 < finding.change < 0.3


def test_numbers_that_spread_less(reference, fresh):
    rows = fresh.assign(mass=4200 + (fresh["mass"] - 4200) / 2)
    assert set(found(reference, rows)["mass"]) == {"distribution"}


def test_shifted_labels(reference, fresh):
    fresh.loc[fresh.index % 3 == 0, "wild"] = True
    finding = found(reference, fresh)["wild"]["distribution"]
    assert finding.change > 0.15


def test_columns_that_no_longer_fit_each_other(reference, fresh):
    """Each column has its old distribution, but rows are improbable."""
    train = pd.DataFrame({f"x{j}": np.repeat(["a", "b"], 500) for j in range(8)})
    noise = np.random.default_rng(0).random(train.shape) < 0.02
    train = train.mask(noise, train.replace({"a": "b", "b": "a"}))
    y = np.repeat(["first", "second"], 500)
    own = collect_reference(None, train, y, target="y")
    rng = np.random.default_rng(1)
    mixed = pd.DataFrame({name: rng.permutation(train[name]) for name in train})
    report = check_drift(None, mixed, reference=own)
    assert "rare rows" in {finding.kind for finding in report.drift}
    assert not [finding for finding in report.drift if finding.kind == "distribution"]


def test_rare_rows(reference, fresh):
    fresh.loc[:9, ["bill_length", "mass", "price"]] = [60.0, 7000.0, "$30,000.00"]
    kinds = found(reference, fresh)
    assert kinds[None]["rare rows"].came.startswith("4.0 % below -")
    assert "10 of 250" in kinds[None]["rare rows"].sentence


def test_the_balance_of_predicted_classes(reference, fresh):
    rows = fresh.drop(columns=TARGET)[fresh[TARGET] != "Adelie"]
    finding = found(reference, rows)[None]["predicted classes"]
    assert "predicts 'Adelie'" in finding.sentence


def test_the_balance_of_known_classes(reference, fresh):
    rows = fresh[(fresh[TARGET] != "Gentoo") | (fresh.index % 4 == 0)]
    assert "classes" in found(reference, rows)[TARGET]


def test_unseen_classes(reference, fresh):
    fresh.loc[:14, TARGET] = "Emperor"
    assert "unseen classes" in found(reference, fresh)[TARGET]


def test_classes_that_depend_on_the_columns_in_another_way(reference, fresh):
    swapped = fresh[TARGET].sample(frac=1.0, random_state=0).to_numpy()
    kinds = found(reference, fresh.assign(**{TARGET: swapped}))
    assert set(kinds) == {None}
    assert set(kinds[None]) == {"relation"}


def test_small_changes_of_many_rows_are_not_reported():
    rng = np.random.default_rng(0)
    train = pd.DataFrame({"x": rng.normal(0, 1, 40_000), "z": rng.normal(0, 1, 40_000)})
    own = collect_reference(None, train, rng.choice(["a", "b"], 40_000), target="y")
    new = pd.DataFrame({"x": rng.normal(0, 1, 400_000), "z": rng.normal(0.08, 1, 400_000)})
    assert check_drift(None, new, reference=own, min_change=0.1).is_silent
    assert not check_drift(None, new, reference=own).is_silent


def test_a_table_without_rows(reference, fresh):
    with pytest.raises(DataError, match="there are no rows"):
        check_drift(None, fresh.iloc[:0], reference=reference)


def test_few_rows(reference, fresh):
    report = check_drift(None, fresh.iloc[:4], reference=reference)
    assert report.is_silent
    assert "4 rows are too few to compare distributions." in report.remarks
    assert not check_drift(None, fresh.iloc[:4].assign(mass=9e9), reference=reference).is_silent


def test_an_ignored_column_must_exist(reference, fresh):
    with pytest.raises(DataError, match=r"'bill_lenght' cannot be ignored.*'bill_length'"):
        check_drift(None, fresh, reference=reference, ignore=["bill_lenght"])


@pytest.mark.parametrize(("name", "value"), [("alpha", 0), ("alpha", 1), ("min_change", -0.1)])
def test_wrong_parameters(reference, fresh, name, value):
    with pytest.raises(ValueError, match=f"check_drift: {name} must"):
        check_drift(None, fresh, reference=reference, **{name: value})


def test_a_model_without_statistics(fresh):
    with pytest.raises(DataError, match="no statistics of its training rows"):
        check_drift(None, fresh)
