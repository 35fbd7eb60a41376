"""Issue 11, section "Models": tables that are larger than the memory."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from augury.counts import FamilyCounts, FeatureCounts, PairCounts
from augury.discriminative import C45Tree, LogisticRegression
from augury.discriminative.readers.matrix_reader import MatrixReader
from augury.ensemble import BaggedNetworks, BoostedNaiveBayes
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
    KDependenceBayes,
    LinearDiscriminantAnalysis,
    MixtureDiscriminantAnalysis,
    MultinomialNaiveBayes,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import BlendedNaiveBayes
from augury.structure import Structure

GIB = 1 << 30


@pytest.fixture
def available(monkeypatch):
    """Return what sets how many bytes there seem to be."""

    def limit(n_bytes):
        monkeypatch.setattr("augury.memory.available_bytes", lambda: n_bytes)

    return limit


def table(n_states, n_rows=60, seed=0):
    """Return a frame with declared labels, so many for each column, and three classes."""
    rng = np.random.default_rng(seed)
    columns = {
        f"c{j}": pd.Categorical.from_codes(rng.integers(0, n, n_rows), [f"s{k}" for k in range(n)])
        for j, n in enumerate(n_states)
    }
    return pd.DataFrame(columns), rng.permutation(np.arange(n_rows) % 3)


# "Tables of pairs and families: the bytes needed are computed before anything is allocated, and
# compared with the memory that the machine (or the cgroup) has; too much is a ValueError that
# names the columns and what to do. Today NumPy's bare MemoryError (13 to 20 GiB) comes through."
def test_triples_of_30_000_states_are_refused_with_columns_and_advice(available):
    available(16 * GIB)
    X, y = table([30_000, 3, 30_000])
    with pytest.raises(ValueError) as caught:
        AveragedOneDependence(n_parents=2).fit(X, y)
    assert str(caught.value) == (
        "AveragedOneDependence: the counts of all triples of 60,003 states in 3 classes need 4.6 "
        "PiB of memory, and 16.0 GiB are available; the columns with the most states are 'c0' "
        "(30,000), 'c2' (30,000): leave these columns out, group their labels, or take n_parents=1"
    )


def test_pairs_whatever_the_class_are_refused_too(available):
    available(17 << 20)
    X, y = table([3_000, 3, 3_000], n_rows=200_000)
    with pytest.raises(ValueError, match=r"^CorrelationWeightedNaiveBayes: .* 24\.\d MiB.*'c0'"):
        CorrelationWeightedNaiveBayes().fit(X, y)


def test_rows_that_must_be_in_memory_are_refused(available):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40_000, 20)), np.arange(40_000) % 2
    available(20 << 20)
    with pytest.raises(ValueError, match=r"^MixtureDiscriminantAnalysis: 40,000 rows of 20 col"):
        MixtureDiscriminantAnalysis().fit(X, y)


@pytest.mark.parametrize(
    "model", [TreeAugmentedNaiveBayes(), AveragedOneDependence(), HiddenNaiveBayes()], ids=repr
)
def test_pairs_of_many_rows_are_refused_with_columns_and_advice(model, available):
    available(40 << 20)
    X, y = table([3_000, 3, 3_000], n_rows=200_000)
    with pytest.raises(ValueError) as caught:
        model.fit(X, y)
    assert str(caught.value) == (
        f"{type(model).__name__}: the counts of 3 pairs of columns in 3 classes need 49.6 MiB of "
        "memory, and 40.0 MiB are available; the columns with the most states are 'c0' (3,000), "
        "'c2' (3,000): leave these columns out, group their labels, or take a model without "
        "pairs, such as NaiveBayes"
    )


@pytest.mark.parametrize(
    "model",
    [
        TreeAugmentedNaiveBayes(),
        AveragedOneDependence(),
        HiddenNaiveBayes(),
        KDependenceBayes(),
        CorrelationWeightedNaiveBayes(),
        BayesianNetworkClassifier(),
        BaggedNetworks(n_estimators=2, random_state=0),
        NaiveBayes(),
        BoostedNaiveBayes(n_estimators=2),
        C45Tree(),
    ],
    ids=lambda m: type(m).__name__,
)
def test_models_that_need_no_such_table_fit_in_little_memory(model, available):
    available(GIB)
    X, y = table([30_000, 3, 30_000])
    proba = model.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


def test_a_network_of_a_given_structure_names_the_family_that_is_too_large(available):
    available(17 << 20)
    X, y = table([3, 2_000, 3, 900], n_rows=100_000)
    model = BayesianNetworkClassifier(structure=Structure(((), (3,), (0,), ())))
    with pytest.raises(
        ValueError,
        match=r"^BayesianNetworkClassifier: the tables of columns with their parents, up to "
        r"800,000 combinations of states in 3 classes, need 18.3 MiB .* 'c1' \(2,000\), 'c3' "
        r"\(900\): leave these columns out, group their labels, or allow fewer parents",
    ):
        model.fit(X, y)


@pytest.mark.parametrize("parents", [((), (0,)), ((), (0,), (1, 0))], ids=repr)
def test_families_of_billions_of_combinations_are_counted_by_their_rows(parents, available):
    available(17 << 20)
    X, y = table([60_000] * len(parents))
    model = BayesianNetworkClassifier(structure=Structure(parents)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_more_combinations_than_64_bits_can_code_are_refused_on_any_machine(available):
    available(None)
    X, y = table([60_000] * 4)
    model = BayesianNetworkClassifier(structure=Structure(((), (), (), (0, 1, 2))))
    with pytest.raises(
        ValueError,
        match=r"^BayesianNetworkClassifier: the 12,960,864,021,600,240,001 combinations of states "
        r"of a column and its parents need 89.9 EiB of memory, more than can be counted; .*'c0' "
        r"\(60,000\), 'c1' \(60,000\).*: allow fewer parents",
    ):
        model.fit(X, y)


def test_an_ensemble_speaks_in_its_own_name(available):
    available(GIB)
    X, y = table([30_000, 30_000])
    model = BoostedNaiveBayes(AveragedOneDependence(n_parents=2))
    with pytest.raises(ValueError, match=r"^BoostedNaiveBayes: the counts of all triples .* 'c0' "):
        model.fit(X, y)


def test_what_is_computed_of_counts_is_asked_for_too(available, monkeypatch):
    # Pair counts of 710 states take 12 MB; to make the factors of one column takes four times that.
    monkeypatch.setattr("augury.generative.bases.pair_model._BYTES_TO_KEEP", 0)
    X, y = table([700, 10])
    available(30 << 20)
    TreeAugmentedNaiveBayes().fit(X, y)  # its families are small
    for model in (HiddenNaiveBayes(), AveragedOneDependence()):
        model.fit(X, y)  # without such factors
        monkeypatch.setattr(type(model), "_reads_wide_pairs", False)
        with pytest.raises(ValueError, match=r"the factors of all 712 states .* 'c0' \(700\)"):
            model.fit(X, y)
    available(GIB)
    np.testing.assert_allclose(HiddenNaiveBayes().fit(X, y).predict_proba(X).sum(axis=1), 1.0)


def test_batches_that_do_not_fit_together_are_refused(available):
    X, y = table([2_000, 10])
    model = TreeAugmentedNaiveBayes().fit(X, y)
    available(50 << 20)
    with pytest.raises(ValueError, match=r"^TreeAugmentedNaiveBayes: the counts of all pairs"):
        model.partial_fit(X, y)
    more = model.statistics_
    with pytest.raises(ValueError, match=r"The summed counts of pairs need 92\.\d MiB of memory"):
        more + more


@pytest.mark.parametrize(
    "make",
    [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, MixtureDiscriminantAnalysis],
)
def test_covariances_of_many_indicators_are_refused(make, available):
    available(GIB)
    X, y = table([20_000, 3])
    with pytest.raises(
        ValueError,
        match=rf"^{make.__name__}: the covariances of 20,001 columns .* need \d+\.\d GiB",
    ):
        make().fit(X, y)


def test_indicators_of_many_rows_are_refused(available):
    available(100 << 20)
    X, y = table([2_000, 3], n_rows=10_000)
    with pytest.raises(
        ValueError,
        match=r"^LinearDiscriminantAnalysis: 10,000 rows with an indicator for each state, 2,001 "
        r"columns in all, need 152.7 MiB .*'c0' \(1,999\)",
    ):
        LinearDiscriminantAnalysis().fit(X, y)
    with pytest.raises(ValueError, match=r"2,003 columns in all, need 152.8 MiB .* sparse=True"):
        MatrixReader("onehot", sparse=False).learn(X, y)


@pytest.mark.parametrize("make", [LogisticRegression, BlendedNaiveBayes])
def test_coefficients_of_many_states_are_refused(make, available):
    available(30 << 20)
    X, y = table([60_000, 3])
    with pytest.raises(ValueError, match=rf"^{make.__name__}: the .* search, .*'c0' \(60,000\)"):
        make().fit(X, y)


def test_sums_of_a_large_vocabulary_are_refused(available):
    available(30 << 20)
    X = csr_array((np.ones(4), ([0, 1, 2, 3], [0, 1, 1, 5])), shape=(4, 1 << 20))
    with pytest.raises(
        ValueError, match=r"^MultinomialNaiveBayes: the sums of 1,048,576 columns in 2 classes"
    ):
        MultinomialNaiveBayes().fit(X, [0, 1, 0, 1])


def test_statistics_alone_are_refused_before_they_are_counted(available):
    available(GIB)
    codes, y = np.zeros((2, 2), dtype=np.uint32, order="F"), np.array([0, 1])
    n_states = [1 << 31, 1 << 31]
    for collect in (
        lambda: FeatureCounts.collect(codes, n_states, y, 2),
        lambda: PairCounts.collect(codes, n_states, y, 2, all_dense=True),
    ):
        with pytest.raises(ValueError, match=r"1\.0 GiB are available"):
            collect()
    with pytest.raises(ValueError, match="more than can be counted"):
        FamilyCounts.collect(codes, n_states, ((), (0,)), y, 2)


def test_a_limit_of_the_process_is_seen_and_nothing_is_allocated():
    script = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
import numpy as np, pandas as pd
from augury.generative import AveragedOneDependence
codes = np.random.default_rng(0).integers(0, 30_000, (50, 2))
labels = [f"s{k}" for k in range(30_000)]
X = pd.DataFrame({j: pd.Categorical.from_codes(codes[:, j], labels) for j in range(2)})
try:
    AveragedOneDependence(n_parents=2).fit(X, np.arange(50) % 3)
except ValueError as error:
    print(str(error)[:120])
status = open("/proc/self/status").read()
print(int(status.partition("VmHWM:")[2].split()[0]) < 1 << 20)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=200, check=True
    )
    said, small = done.stdout.splitlines()
    assert said.startswith("AveragedOneDependence: the counts of all triples of 60,000 states in 3")
    assert small == "True"
