"""HBayes-NB in the published protocol: another program's means, and the printed ones."""

import pytest

from augury.data import load_dataset
from augury.evaluate import WekaFolds, cross_validate, summarize
from augury.hybrid import HBayesNB
from augury.papers import find_paper

# Of an independent prototype with LIBLINEAR on the moved columns, which visits rows at
# random (facts.md of the shared data, 1.11); diabetes and breast-w agree as well.
PROTOTYPE = {"iris": 94.27, "balance-scale": 69.99, "labor": 95.20, "glass": 75.19}


def mean_accuracy(name, shared_data):
    rows = cross_validate(
        [load_dataset(name, shared_data)],
        {"HBayes-NB": HBayesNB.as_published()},
        WekaFolds(),
        protocol="published",
    )
    [summary] = summarize(rows)
    return summary.accuracy_mean


@pytest.mark.parametrize("name", PROTOTYPE)
def test_means_are_the_prototype_s(name, shared_data):
    assert mean_accuracy(name, shared_data) == pytest.approx(PROTOTYPE[name], abs=0.006)


# The paper does not say enough for its own digits. Two of the sets where we come nearest:
# a guard against change. docs/results/hybrid-2022.md has all 36, the furthest 1.25 off.
@pytest.mark.parametrize("name", ["heart-c", "hepatitis"])
def test_means_are_near_the_printed_ones(name, shared_data):
    printed = find_paper("hybrid-2022").cell(name, "HBayes-NB")
    assert mean_accuracy(name, shared_data) == pytest.approx(float(printed.mean), abs=0.2)
