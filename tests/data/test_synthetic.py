import itertools
from math import comb

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

import augury
from augury.data import DataError, load_dataset, read_table, write_arff
from augury.data.synthetic import (
    make_corral,
    make_m_of_n,
    make_many_labels,
    make_monks,
    make_normal_classes,
    make_poisson_classes,
    make_random_network,
    make_waveform,
    sample_network,
)
from augury.structure import Structure


def numbers(dataset):
    """Return rows of ints with the class last, as the rules below read them."""
    frame = dataset.X.assign(**{"class": dataset.y})
    return [tuple(map(int, row)) for row in frame.itertuples(index=False)]


# --- properties of all functions ---------------------------------------------------------

NETWORK = make_random_network(3, n_states=[2, 3, 4], n_classes=2, random_state=0)
MAKERS = {
    "corral": lambda **kw: make_corral(50, **kw),
    "m of n": lambda **kw: make_m_of_n(n_samples=50, **kw),
    "many labels": lambda **kw: make_many_labels(50, n_labels=[30, 7], **kw),
    "monks": lambda **kw: make_monks(3, 50, noise=0.1, **kw),
    "waveform": lambda **kw: make_waveform(50, n_noise=2, **kw),
    "network": lambda **kw: sample_network(50, *NETWORK, **kw),
}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@every_maker
def test_the_same_seed_gives_the_same_rows(make):
    first, second, other = (make(random_state=seed) for seed in (7, np.int64(7), 8))
    pd.testing.assert_frame_equal(first.X, second.X)
    pd.testing.assert_series_equal(first.y, second.y)
    assert not first.X.equals(other.X)
    seeded = make(random_state=np.random.default_rng(7))
    pd.testing.assert_frame_equal(first.X, seeded.X)


@every_maker
def test_a_generator_goes_on_and_none_differs(make):
    generator = np.random.default_rng(0)
    assert not make(random_state=generator).X.equals(make(random_state=generator).X)
    assert not make(random_state=None).X.equals(make(random_state=None).X)


@every_maker
@pytest.mark.parametrize(
    ("random_state", "error"),
    [(-1, ValueError), ("7", TypeError), (True, TypeError), (1.0, TypeError)],
)
def test_what_is_no_random_state(make, random_state, error):
    with pytest.raises(error, match=r"^\w+: random_state must be None, an integer >= 0 or a"):
        make(random_state=random_state)


@every_maker
def test_a_data_set_as_if_read_from_a_file(make, tmp_path):
    made = make(random_state=0)
    assert made.y.name == made.target == "class"
    write_arff(made.X.assign(**{"class": made.y}), tmp_path / "made.arff", made.name)
    read = read_table(tmp_path / "made.arff")
    pd.testing.assert_frame_equal(read.X, made.X)
    pd.testing.assert_series_equal(read.y, made.y)


@every_maker
def test_the_source_says_how_it_was_made(make):
    source = make(random_state=3).source
    assert source.startswith(("make_", "sample_network"))
    assert "n_samples=50" in source
    assert "random_state=3" in source


def test_it_is_reached_from_the_package():
    assert augury.data.synthetic.make_corral is make_corral
    with pytest.raises(AttributeError, match=r"module 'augury\.data' has no attribute 'made_up'"):
        augury.data.made_up  # noqa: B018


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: make_corral(0), "make_corral: n_samples must be an integer >= 1, got 0"),
        (lambda: make_m_of_n(m=0), "make_m_of_n: m must be an integer >= 1, got 0"),
        (lambda: make_m_of_n(m=8), "make_m_of_n: m must be at most n = 7, got 8"),
        (lambda: make_m_of_n(n=11), "make_m_of_n: n must be at most n_attributes = 10, got 11"),
        (lambda: make_m_of_n(n_attributes=40), "n_samples must be an integer for 40 attributes"),
        (lambda: make_monks(4), "make_monks: problem must be 1, 2 or 3, got 4"),
        (lambda: make_monks(1, 433), "make_monks: n_samples must be at most 432"),
        (lambda: make_monks(noise=1.5), "make_monks: noise must be a number between 0 and 1"),
        (lambda: make_monks(noise=-0.1), "make_monks: noise must be a number >= 0, got -0.1"),
        (lambda: make_waveform(0), "make_waveform: n_samples must be an integer >= 1, got 0"),
        (lambda: make_many_labels(9, n_labels=[10]), "n_labels must be at most n_samples = 9"),
        (lambda: make_many_labels(9, n_columns=1, n_labels=[2, 3]), "2 wide columns, and n_col"),
        (lambda: make_waveform(9, n_noise=-1), "make_waveform: n_noise must be an integer >= 0"),
    ],
)
def test_bad_numbers_raise(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_wide_columns_have_all_their_labels_and_some_columns_tell_the_class():
    table = make_many_labels(2000, n_columns=9, n_labels=[2000, 300], random_state=0)
    assert table.X["wide1"].is_unique
    assert table.X["wide2"].nunique() == 300
    assert all(2 <= table.X[f"x{j}"].nunique() <= 8 for j in range(1, 8))
    bits = [
        mutual_info_score(table.X[name].cat.codes, table.y) for name in ("x2", "x5", "x3", "x6")
    ]
    assert min(bits[:2]) > 10 * max(bits[2:])
    assert mutual_info_score(table.X["x1"].cat.codes, table.X["wide2"].cat.codes % 8) > 0.3


# --- concepts -------------------------------------------------------------------------


def test_the_corral_table_is_that_of_mlc():
    table = make_corral()
    rows = numbers(table)
    # The first eight rows as printed in corral.names.
    assert rows[:8] == [
        (0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 1, 0),
        (0, 0, 0, 0, 1, 0, 0),
        (0, 0, 0, 0, 1, 0, 0),
        (0, 0, 0, 0, 1, 0, 0),
        (0, 0, 0, 0, 1, 1, 0),
    ]
    for combination in itertools.product((0, 1), repeat=5):
        same = [row for row in rows if row[:5] == combination]
        assert len(same) == 4
        assert sum(row[5] == row[6] for row in same) == 3
    assert sum(row[6] for row in rows) == 56
    assert list(table.X.columns) == ["A0", "A1", "B0", "B1", "Irrelevant", "Correlated"]


def test_corral_follows_its_formula():
    rows = numbers(make_corral(20_000, random_state=0))
    for a0, a1, b0, b1, _, _, c in (*rows, *numbers(make_corral())):
        assert c == int(a0 + a1 == 2 or b0 + b1 == 2)
    # Four standard deviations of a share of 20,000 are below 0.015.
    assert np.mean([row[5] == row[6] for row in rows]) == pytest.approx(0.75, abs=0.015)
    assert np.mean([row[4] == row[6] for row in rows]) == pytest.approx(0.5, abs=0.015)


@pytest.mark.parametrize(("m", "n", "n_attributes"), [(3, 7, 10), (1, 3, 3), (2, 2, 5), (4, 6, 7)])
def test_the_m_of_n_table_is_complete_and_true(m, n, n_attributes):
    table = make_m_of_n(m, n, n_attributes)
    rows = numbers(table)
    assert [row[:-1] for row in rows] == list(itertools.product((0, 1), repeat=n_attributes))
    before = -(-(n_attributes - n) // 2)
    for *bits, c in rows:
        assert c == int(sum(bits[before : before + n]) >= m)
    ones = sum(comb(n, k) for k in range(m, n + 1)) * 2 ** (n_attributes - n)
    assert sum(row[-1] for row in rows) == ones
    assert table.name == f"mofn-{m}-{n}-{n_attributes}"


def test_the_relevant_bits_of_mofn_3_7_10_are_those_of_the_published_file():
    # PMLB's copy has 1324 rows: this table and 300 drawn ones, with 1032 of class 1.
    # Its correlations with the class are zero for Bit-0, Bit-1 and Bit-9 only.
    table = make_m_of_n()
    bits = table.X.astype(int)
    dependent = [name for name in bits if abs(np.corrcoef(bits[name], table.y == "1")[0, 1]) > 0.01]
    assert dependent == [f"Bit-{j}" for j in range(2, 9)]
    assert (table.y == "1").sum() == 792


def test_drawn_rows_of_m_of_n_follow_the_rule():
    rows = numbers(make_m_of_n(n_samples=500, random_state=1))
    assert len(rows) == 500
    assert all(c == int(sum(bits[2:9]) >= 3) for *bits, c in rows)
    assert make_m_of_n(n_attributes=40, n_samples=5).X.shape == (5, 40)


def one_of_us(problem, a1, a2, a3, a4, a5, a6):
    if problem == 1:
        return a1 == a2 or a5 == 1
    if problem == 2:
        return [a1, a2, a3, a4, a5, a6].count(1) == 2
    return (a5 == 3 and a4 == 1) or not (a5 == 4 or a2 == 3)


@pytest.mark.parametrize(("problem", "n_ones"), [(1, 216), (2, 142), (3, 228)])
def test_the_monks_tables_are_complete_and_true(problem, n_ones):
    table = make_monks(problem)
    rows = numbers(table)
    robots = [row[:-1] for row in rows]
    assert robots == list(itertools.product(*(range(1, n + 1) for n in (3, 3, 2, 3, 4, 2))))
    assert all(c == int(one_of_us(problem, *robot)) for *robot, c in rows)
    assert sum(c for *_, c in rows) == n_ones
    assert table.classes == ["0", "1"]


def test_a_sample_of_monks_has_different_robots_and_its_noise():
    rows = numbers(make_monks(3, 122, noise=0.05, random_state=0))
    assert len({row[:-1] for row in rows}) == 122
    assert sum(c != int(one_of_us(3, *robot)) for *robot, c in rows) == 6  # as published
    assert make_monks(3, 5).X["a5"].cat.categories.tolist() == ["1", "2", "3", "4"]
    assert all(c != int(one_of_us(2, *robot)) for *robot, c in numbers(make_monks(2, noise=1)))


# --- waves ----------------------------------------------------------------------------


def triangle(i, peak):
    return max(6 - abs(i - peak), 0)


def test_the_means_of_the_waves_are_means_of_two_triangles():
    waves = make_waveform(60_000, n_noise=19, random_state=0)
    assert waves.X.shape == (60_000, 40)
    assert waves.name == "waveform-40"
    for label, peaks in {"0": (7, 15), "1": (7, 11), "2": (15, 11)}.items():
        rows = waves.X[waves.y == label]
        assert len(rows) == pytest.approx(20_000, abs=500)
        expected = [sum(triangle(i, peak) for peak in peaks) / 2 for i in range(1, 22)]
        # u has variance 1/12 and meets differences of at most 6: a standard error below 0.02.
        np.testing.assert_allclose(rows.iloc[:, :21].mean(), expected, atol=0.08)
        np.testing.assert_allclose(rows.iloc[:, 21:].mean(), 0.0, atol=0.04)
        spread = [
            1 + (triangle(i, peaks[0]) - triangle(i, peaks[1])) ** 2 / 12 for i in range(1, 22)
        ]
        np.testing.assert_allclose(rows.iloc[:, :21].var(), spread, rtol=0.06)
        np.testing.assert_allclose(rows.iloc[:, 21:].var(), 1.0, rtol=0.06)


def test_waves_are_those_of_the_published_file(shared_data):
    published = load_dataset("waveform-5000", shared_data)
    made = make_waveform(50_000, n_noise=19, random_state=0)
    assert list(made.X.columns) == list(published.X.columns)
    assert made.classes == published.classes
    for label in made.classes:
        theirs, ours = (data.X[data.y == label].mean() for data in (published, made))
        np.testing.assert_allclose(theirs, ours, atol=0.2)


# --- networks -------------------------------------------------------------------------


def test_deterministic_tables_are_followed_exactly():
    prior = [0.0, 1.0, 0.0]
    x1 = np.zeros((2, 3, 3))  # [x2, own, class]: the state is x2 + 1
    x1[0, 1] = x1[1, 2] = 1.0
    x2 = np.full((2, 3), 0.5)
    x0 = np.zeros((3, 2, 4, 3))  # [x1, x2, own, class]: the state is x1 + x2
    for a, b in itertools.product(range(3), range(2)):
        x0[a, b, a + b] = 1.0
    made = sample_network(5000, [(1, 2), (2,), ()], [x0, x1, x2], prior, random_state=0)
    codes = made.X.astype(int)
    assert (made.y == "1").all()
    assert made.classes == ["0", "1", "2"]
    assert (codes["x1"] == codes["x2"] + 1).all()
    assert (codes["x0"] == codes["x1"] + codes["x2"]).all()
    assert made.X["x0"].cat.categories.tolist() == ["0", "1", "2", "3"]


def test_states_without_probability_never_occur():
    # Tenths do not sum to one in floating point; the last two states stay impossible.
    table = np.array([[0.1] * 10 + [0.0, 0.0]]).T
    made = sample_network(100_000, [()], [table], [1.0], random_state=0)
    counts = made.X["x0"].value_counts()
    assert counts["10"] == counts["11"] == 0
    assert counts.iloc[:10].min() > 9_000


def test_frequencies_are_those_of_the_tables():
    network = make_random_network(
        4, n_states=[2, 3, 5, 9], n_classes=3, max_parents=2, concentration=2.0, random_state=4
    )
    network = network._replace(prior=np.array([0.2, 0.5, 0.3]))
    n = 200_000
    made = sample_network(n, *network, random_state=5)
    y, codes = made.y.astype(int).to_numpy(), made.X.astype(int).to_numpy()
    _close_to(np.bincount(y, minlength=3), network.prior)
    for i, (above, table) in enumerate(zip(network.parents, network.tables, strict=True)):
        own = table.shape[-2]
        for *states, c in itertools.product(*map(range, (*table.shape[:-2], 3))):
            here = (y == c) & (codes[:, list(above)] == states).all(axis=1)
            _close_to(np.bincount(codes[here, i], minlength=own), table[(*states, slice(None), c)])


def _close_to(counts, probabilities):
    # Pearson's statistic has mean k and variance 2k for k degrees of freedom.
    expected = counts.sum() * probabilities
    k = len(counts) - 1
    assert ((counts - expected) ** 2 / expected).sum() < k + 6 * (2 * k) ** 0.5


def test_columns_depend_on_one_another_only_through_the_network():
    table = np.array([[0.5], [0.5]])
    made = sample_network(100_000, [(), ()], [table, table], [1.0], names="ab", random_state=0)
    assert list(made.X.columns) == ["a", "b"]
    assert (made.X["a"] == made.X["b"]).mean() == pytest.approx(0.5, abs=0.007)


GOOD = {"parents": [(), (0,)], "tables": [[[1.0]], [[[0.25], [0.75]]]], "prior": [1.0]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_samples": 0}, "n_samples must be an integer >= 1, got 0"),
        ({"parents": [(1,), (0,)]}, r"parents must have no cycle, got \d → \d → \d"),
        ({"parents": [(), (1,)]}, r"parents of column 1 must be other columns below 2, got \(1,\)"),
        ({"parents": [(), (2,)]}, r"parents of column 1 must be other columns below 2"),
        ({"parents": [(), (0, 0)]}, r"parents of column 1 must be distinct, got \(0, 0\)"),
        ({"parents": []}, "parents must have at least one column"),
        ({"prior": [0.5, 0.6]}, "prior must be non-negative and sum to 1"),
        ({"prior": [[1.0]]}, "prior must be 1 probabilities"),
        ({"prior": []}, "prior must be"),
        ({"tables": [[[1.0]]]}, "tables must be 2, one for each column, got 1"),
        ({"tables": [[[1.0]], [["a"]]]}, r"tables\[1\] must be an array of numbers"),
        ({"tables": [[[1.0]], [[1.0]]]}, r"tables\[1\] must have 3 axes \(its parents \(0,\), its"),
        (
            {"tables": [[[0.5], [0.5]], [[[0.25], [0.75]]]]},
            r"tables\[1\] must have shape \(2, 2, 1\) \(the states of its parents \(0,\), its own",
        ),
        ({"prior": [0.5, 0.5]}, r"tables\[0\] must have shape \(1, 2\)"),
        ({"tables": [np.ones((0, 1)), [[[1.0]]]]}, r"tables\[0\] must have shape \(1, 1\)"),
        (
            {"tables": [[[1.0]], [[[-0.5], [1.5]]]]},
            r"tables\[1\] must have probabilities >= 0, got -0\.5",
        ),
        (
            {"tables": [[[np.nan]], GOOD["tables"][1]]},
            r"tables\[0\] must have prob.* >= 0, got nan",
        ),
        (
            {"tables": [[[1.0]], [[[0.25], [0.25]]]]},
            r"tables\[1\] must sum to 1 over its own states \(axis 1\), got 0\.5 for parents in",
        ),
        ({"tables": [[[2.0]], GOOD["tables"][1]]}, r"tables\[0\] must .* got 2 for class 0"),
        ({"names": ["a"]}, "names must be 2, one for each column, got 1"),
        ({"names": ["a", "a"]}, "names must be different.* got 'a' more than once"),
        ({"names": ["a", "class"]}, "names must be different.* got 'class' more than once"),
    ],
)
def test_tables_that_are_not_a_network_raise(change, message):
    assert len(sample_network(3, **GOOD).y) == 3
    with pytest.raises(ValueError, match="^sample_network: " + message):
        sample_network(**({"n_samples": 3} | GOOD | change))


def test_parents_that_are_no_columns():
    with pytest.raises(TypeError, match="parents must be a sequence of column indices for each"):
        sample_network(3, [0], [[[1.0]]], [1.0])


def test_a_random_network_has_the_dependences_asked_for():
    network = make_random_network(8, n_states=3, n_classes=4, max_parents=3, random_state=0)
    structure = Structure(network.parents)  # refuses cycles
    assert sorted(map(len, structure.parents)) == [0, 1, 2, 3, 3, 3, 3, 3]
    assert network.prior.tolist() == [0.25] * 4
    for above, table in zip(network.parents, network.tables, strict=True):
        assert table.shape == (3,) * len(above) + (3, 4)
        np.testing.assert_allclose(table.sum(axis=-2), 1.0)
    again = make_random_network(8, n_states=3, n_classes=4, max_parents=3, random_state=0)
    assert again.parents == network.parents
    np.testing.assert_array_equal(again.tables[5], network.tables[5])
    assert make_random_network(2, max_parents=0, random_state=0).parents == ((), ())


def test_concentration_is_the_spread_of_the_tables():
    def largest(concentration):
        network = make_random_network(20, 4, concentration=concentration, random_state=0)
        return np.mean([table.max(axis=-2).mean() for table in network.tables])

    assert largest(0.01) > 0.95
    assert largest(1000.0) < 0.3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_features": 0}, "n_features must be an integer >= 1, got 0"),
        ({"n_states": 0}, "n_states must be an integer >= 1, got 0"),
        ({"n_states": [2, 2]}, "n_states must be 3, one for each column, got 2"),
        ({"n_states": [2, 2, 0]}, "n_states must be an integer >= 1, got 0"),
        ({"n_classes": 0}, "n_classes must be an integer >= 1, got 0"),
        ({"max_parents": -1}, "max_parents must be an integer >= 0, got -1"),
        ({"concentration": 0.0}, "concentration must be a number > 0, got 0.0"),
        ({"n_states": 2000, "max_parents": 2}, "2000×2000×2×2000 probabilities, too many: lower"),
    ],
)
def test_networks_that_cannot_be_made(arguments, message):
    with pytest.raises(ValueError, match="^make_random_network: .*" + message):
        make_random_network(**({"n_features": 3, "random_state": 0} | arguments))


class TestNames:
    def test_the_rows_of_the_function(self) -> None:
        named = load_dataset("synthetic:waveform?n_samples=50&n_noise=2&random_state=7")
        made = make_waveform(50, n_noise=2, random_state=7)
        pd.testing.assert_frame_equal(named.X, made.X)
        pd.testing.assert_series_equal(named.y, made.y)
        assert named.source == "make_waveform(n_samples=50, n_noise=2, random_state=7)"
        assert named.name == "synthetic:waveform?n_samples=50&n_noise=2&random_state=7"
        assert named.target_rule == "catalogue"

    def test_a_name_always_means_the_same_rows(self) -> None:
        for name in ("synthetic:monks?n_samples=40&noise=0.2", "synthetic:m-of-n?m=2&n_samples=9"):
            pd.testing.assert_frame_equal(load_dataset(name).X, load_dataset(name).X)
        assert len(load_dataset("synthetic:corral").X) == 128

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            (
                "waves",
                "no synthetic data set named 'waves'; .* are corral, m-of-n, many-labels, monks, ",
            ),
            ("waveform?rows=5", "waveform has no parameter 'rows'; the parameters are n_samples,"),
            ("waveform?n_samples=many", "n_samples must be a number, got 'many'"),
            ("waveform?n_samples=0", "n_samples must be an integer >= 1, got 0"),
            ("waveform?n_samples=2.5", "n_samples must be an integer >= 1, got 2"),
            ("waveform?n_samples=", "n_samples must be a number, got ''"),
        ],
    )
    def test_errors(self, name: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            load_dataset(f"synthetic:{name}")


def test_normal_classes_have_their_moments():
    means, covariances = [[0.0, 0.0], [3.0, -1.0]], [[[1, 0.8], [0.8, 1]], [[2, 0], [0, 0.5]]]
    made = make_normal_classes(
        40_000, means=means, covariances=covariances, priors=[0.25, 0.75], random_state=0
    )
    assert (made.y == "1").mean() == pytest.approx(0.75, abs=0.01)
    for k, (mean, covariance) in enumerate(zip(means, covariances, strict=True)):
        rows = made.X[made.y == str(k)]
        np.testing.assert_allclose(rows.mean(), mean, atol=0.05)
        np.testing.assert_allclose(rows.cov(), covariance, atol=0.06)
    again = make_normal_classes(
        40_000, means=means, covariances=covariances, priors=[0.25, 0.75], random_state=0
    )
    pd.testing.assert_frame_equal(made.X, again.X)


def test_poisson_classes_have_their_rates():
    made = make_poisson_classes(40_000, rates=[[1.0, 4.0], [6.0, 0.5]], random_state=0)
    for k, rates in enumerate([[1.0, 4.0], [6.0, 0.5]]):
        rows = made.X[made.y == str(k)]
        np.testing.assert_allclose(rows.mean(), rates, rtol=0.05)
        np.testing.assert_allclose(rows.var(), rates, rtol=0.06)
    assert not (made.X % 1).any(axis=None)


def test_classes_that_cannot_be_made():
    for arguments, message in [
        ({"means": [[0.0, 1.0]]}, "means must be a row of numbers for each of several classes"),
        ({"covariances": [[1.0]]}, r"covariances must be 2 x 2 numbers.*got shape \(1, 1\)"),
        ({"covariances": [[1.0, 2.0], [2.0, 1.0]]}, "covariances must be positive definite"),
        ({"priors": [0.5, 0.6]}, "priors"),
        ({"n_samples": 0}, "n_samples must be an integer >= 1, got 0"),
    ]:
        with pytest.raises(ValueError, match=f"^make_normal_classes: {message}"):
            make_normal_classes(**arguments)
    with pytest.raises(ValueError, match=r"^make_poisson_classes: rates must be numbers >= 0"):
        make_poisson_classes(rates=[[1.0], [-1.0]])
