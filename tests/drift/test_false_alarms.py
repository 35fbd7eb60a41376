"""A fresh sample of the same distribution is silent in at least 95 of 100 draws."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from augury.drift import check_drift, collect_reference
from tests.drift.planted import draw_difficult, draw_penguins, real_table

N_DRAWS = 100
LONG = partial(pytest.param, marks=pytest.mark.long)


def alarms(train, new, target):
    reference = collect_reference(None, train.drop(columns=target), train[target], target=target)
    report = check_drift(None, new, reference=reference, n_jobs=1, ignore=ignored(train))
    return [(finding.column, finding.kind) for finding in report.drift]


def ignored(table):
    """Return the identifier, which has other labels in each table."""
    return [name for name in table.columns if name == "ring"]


def count_alarms(draws, target):
    found = [alarms(train, new, target) for train, new in draws]
    return [each for each in found if each]


def splits(table):
    """Yield random halves, or 7 or 9 tenths, of the rows, and the others."""
    for seed in range(N_DRAWS):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(table))
        n_train = int(len(table) * rng.choice([0.5, 0.7, 0.9]))
        yield table.iloc[order[:n_train]], table.iloc[order[n_train:]]


@pytest.mark.parametrize("name", ["iris", "wine", "cancer", LONG("digits")])
def test_the_rest_of_a_real_table(name):
    found = count_alarms(splits(real_table(name)), "class")
    assert len(found) <= 5, found


@pytest.mark.parametrize(("n_train", "n_new"), [(100, 30), (500, 800)])
def test_fresh_penguins(n_train, n_new):
    draws = (
        (draw_penguins(n_train, 2 * seed), draw_penguins(n_new, 2 * seed + 1))
        for seed in range(N_DRAWS)
    )
    found = count_alarms(draws, "species")
    assert len(found) <= 5, found


@pytest.mark.parametrize(
    ("n_train", "n_new"),
    [(300, 300), (3000, 400), LONG(30_000, 10_000)],
)
def test_heavy_tails_and_many_labels(n_train, n_new):
    table = (draw_difficult(n_train + n_new, seed) for seed in range(N_DRAWS))
    draws = ((each.iloc[:n_train], each.iloc[n_train:]) for each in table)
    found = count_alarms(draws, "class")
    assert len(found) <= 5, found


def draw_random(n_rows, seed):
    """Return two columns of random labels, and two random classes with as many rows."""
    rng = np.random.default_rng(seed)
    labels = {name: rng.choice(["u", "v"], n_rows) for name in "ab"}
    codes = rng.permutation(np.arange(n_rows) % 2)
    return pd.DataFrame({**labels, "class": np.where(codes == 1, "yes", "no")})


@pytest.mark.parametrize("n_rows", [80, 200, 1000])
def test_columns_that_say_nothing_about_the_classes(n_rows):
    tables = [draw_random(n_rows, seed) for seed in range(2 * N_DRAWS)]
    found = count_alarms(zip(tables[::2], tables[1::2], strict=True), "class")
    assert len(found) <= 2, found
    found = count_alarms(((each, each) for each in tables[::2]), "class")
    assert found == []
