"""Bagging of generative models with random cut points."""

from copy import copy, deepcopy
from io import BytesIO
from pathlib import Path
from pickle import dumps, loads
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss

from augury.bases.held_out import PredictsHeldOut
from augury.encode import MISSING
from augury.encode.merged_intervals import MergedEncoder
from augury.ensemble import RandomCutEnsemble
from augury.ensemble.sampling.bootstrap import Bootstrap
from augury.fitted_state import FittedStateError
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)
from augury.memory import TableTooLargeError
from augury.persist import load_model, save_model
from augury.persist.payload import dump_model
from augury.time_limit import TooLongError
from tests.mixed_rows import MIXED, Y


def numbers(n=300, seed=0):
    """Return four numbers, of which the first two decide the class, and the classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n) > 0, "yes", "no")


def cuts_of(model, name="x0"):
    return [member.encoder_.cut_points_[name] for member in model.estimators_]


# ---- members --------------------------------------------------------------------------------


def test_members_have_random_cut_points_between_training_values():
    X, y = numbers(2000)
    X[:, 0] = np.arange(2000) % 20
    model = RandomCutEnsemble(n_estimators=6, n_intervals=(2, 30), random_state=0).fit(X, y)
    cuts = cuts_of(model)
    assert [len(c) for c in cuts[::2]] == [1, 1, 1]
    assert all(10 < len(c) < 20 for c in cuts[1::2])  # 29 draws of 20 values
    assert len({tuple(c) for c in cuts}) == 6
    assert set(np.concatenate(cuts)) <= set(np.arange(19) + 0.5)  # none above the largest value
    # 2,000 values are 254 intervals of equal weight.
    assert len(model.encoder_.cut_points_["x1"]) == 253
    assert set(np.concatenate(cuts_of(model, "x1"))) <= set(model.encoder_.cut_points_["x1"])


def test_cut_points_are_drawn_by_the_weight_of_the_values():
    X = np.repeat([[0.0], [1.0], [2.0]], 10, axis=0)
    y = np.arange(30) % 2
    model = RandomCutEnsemble(n_estimators=300, n_intervals=2, random_state=0)
    weight = np.repeat([6.0, 3.0, 1.0], 10)
    cuts = [tuple(c) for c in cuts_of(model.fit(X, y, sample_weight=weight))]
    shares = [cuts.count(c) / 300 for c in [(0.5,), (1.5,), ()]]
    np.testing.assert_allclose(shares, [0.6, 0.3, 0.1], atol=0.08)


def test_a_member_is_the_model_of_its_sample():
    X, y = numbers()
    model = RandomCutEnsemble(n_estimators=3, random_state=0).fit(X, y)
    for member in model.estimators_:
        assert isinstance(member, HiddenNaiveBayes)
        assert member.statistics_.features.class_counts.sum() == 300
        # A member reads rows by itself, with its own cut points.
        assert (member.predict(X) == y).mean() > 0.8
        n_cuts = [len(member.encoder_.cut_points_[name]) for name in ("x0", "x1", "x2", "x3")]
        assert member.encoder_.n_states_.tolist() == [n + 1 for n in n_cuts]


def test_the_prediction_is_the_mean_of_the_members():
    new = MIXED.iloc[:4].copy()
    new["label"] = ["never", None, "red", "blue"]
    new["number"] = [np.nan, 100.0, -7.0, 2.0]
    new["whole"] = [2.5, np.nan, 3.0, 1e9]
    for missing in ("state", "replace", "ignore"):
        model = RandomCutEnsemble(missing=missing, random_state=0).fit(MIXED, Y)
        mean = np.mean([member.predict_proba(new) for member in model.estimators_], axis=0)
        np.testing.assert_allclose(model.predict_proba(new), mean, rtol=1e-10)


def test_missing_values_are_a_state_of_every_member():
    model = RandomCutEnsemble(n_estimators=4, random_state=0).fit(MIXED, Y)
    for member in model.estimators_:
        states = dict(zip(member.encoder_.table_names_, member.encoder_.states_, strict=True))
        assert states["number"][-1] is MISSING
        assert MISSING not in states["whole"]


def test_members_of_a_table_without_numbers_differ_by_their_samples():
    X = MIXED[["label", "category", "flag"]]
    model = RandomCutEnsemble(n_estimators=5, random_state=0).fit(X, Y)
    states = {tuple(member.encoder_.n_states_) for member in model.estimators_}
    samples = {tuple(member.statistics_.features.class_counts) for member in model.estimators_}
    assert len(states) == 1
    assert len(samples) > 1


def test_labels_of_few_rows_share_a_state():
    X, y = numbers()
    frame = pd.DataFrame(X, columns=list("abcd")).assign(key=[f"k{i}" for i in range(300)])
    model = RandomCutEnsemble(n_estimators=6, random_state=0).fit(frame, y)
    assert len(model.encoder_.infrequent_labels_["key"]) == 300
    assert model.oob_score_ > 0.75


@pytest.mark.parametrize("estimator", [NaiveBayes(alpha=0.5), AveragedOneDependence()], ids=repr)
def test_members_of_another_kind(estimator):
    X, y = numbers()
    model = RandomCutEnsemble(estimator, n_estimators=8, random_state=0).fit(X, y)
    assert {type(member) for member in model.estimators_} == {type(estimator)}
    assert {member.alpha for member in model.estimators_} == {estimator.alpha}
    assert model.oob_score_ > 0.75
    assert estimator.discretizer == "mdl"


def test_members_of_many_pairs_are_naive_bayes_by_default(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 100)), np.arange(120) % 2
    X[:, :3] += 2 * y[:, None]
    model = RandomCutEnsemble(random_state=0).fit(X, y)
    assert {type(member) for member in model.estimators_} == {NaiveBayes}
    assert model.oob_score_ > 0.7
    save_model(model, tmp_path / "model.augury")
    loaded = load_model(tmp_path / "model.augury").model
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    few = RandomCutEnsemble(random_state=0).fit(X[:, :20], y)
    assert {type(member) for member in few.estimators_} == {HiddenNaiveBayes}
    asked_for = RandomCutEnsemble(HiddenNaiveBayes(), n_estimators=1, random_state=0).fit(X, y)
    assert type(asked_for.estimators_[0]) is HiddenNaiveBayes


# ---- rows out of the bag --------------------------------------------------------------------


def test_random_classes_cannot_be_predicted_out_of_the_bag():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 6)), rng.choice(3, 600, p=[0.6, 0.3, 0.1])
    model = RandomCutEnsemble(random_state=0)
    held = model.fit_held_out(X, y)
    entropy = -np.sum([p * np.log(p) for p in np.bincount(y) / 600])
    assert entropy * 0.97 < log_loss(y, held) < entropy * 1.25
    assert log_loss(y, model.predict_proba(X)) < 0.8 * entropy  # the rows in the bag
    assert model.oob_log_loss_ == pytest.approx(log_loss(y, held))
    assert model.oob_score_ == pytest.approx((held.argmax(axis=1) == y).mean())


def test_the_loss_out_of_the_bag_is_that_of_new_rows():
    X, y = numbers(500)
    new_X, new_y = numbers(4000, seed=1)
    model = RandomCutEnsemble(random_state=0).fit(X, y)
    assert model.oob_log_loss_ == pytest.approx(
        log_loss(new_y, model.predict_proba(new_X)), rel=0.2
    )


def test_fit_held_out_fits_the_same_model():
    model = RandomCutEnsemble(n_estimators=6, random_state=0)
    assert isinstance(model, PredictsHeldOut)
    held = model.fit_held_out(MIXED, Y)
    assert held.shape == (8, 3)
    np.testing.assert_allclose(held.sum(axis=1), 1)
    expected = clone(model).fit(MIXED, Y).predict_proba(MIXED)
    np.testing.assert_array_equal(model.predict_proba(MIXED), expected)
    np.testing.assert_array_equal(clone(model).fit_held_out(MIXED, Y), held)


def test_rows_that_every_sample_has_get_the_shares_of_the_classes():
    X, y = np.arange(4.0)[:, None], [0, 1, 0, 1]
    model = RandomCutEnsemble(n_estimators=1, random_state=0)
    held = model.fit_held_out(X, y)
    drawn = model.estimators_[0].statistics_.features.class_counts
    assert drawn.sum() == 4
    in_sample = np.isclose(held, 0.5).all(axis=1)  # (2 + 1) / (4 + 2)
    assert 1 <= in_sample.sum() <= 3


def test_rows_of_weight_zero_are_predicted_by_the_model():
    weight = np.array([1, 2, 0, 1, 3, 1, 0, 2])
    model = RandomCutEnsemble(n_estimators=6, random_state=0)
    held = model.fit_held_out(MIXED, Y, sample_weight=weight)
    without = clone(model)
    expected = without.fit_held_out(MIXED[weight > 0], Y[weight > 0], weight[weight > 0])
    np.testing.assert_array_equal(held[weight > 0], expected)
    np.testing.assert_array_equal(held[weight == 0], model.predict_proba(MIXED[weight == 0]))


@pytest.mark.parametrize("n_single", [1 << 21, 0])
def test_held_out_rows_of_whole_weights_are_repeated_rows(n_single, monkeypatch):
    monkeypatch.setattr("augury.ensemble.sampling.bootstrap._MAX_SINGLE_DRAWS", n_single)
    weight = np.array([1, 2, 1, 1, 3, 1, 1, 2])
    repeated = np.repeat(np.arange(8), weight)
    model = RandomCutEnsemble(n_estimators=6, random_state=0)
    held = clone(model).fit_held_out(MIXED, Y, sample_weight=weight)
    longhand = model.fit_held_out(MIXED.iloc[repeated], Y[repeated])
    np.testing.assert_allclose(held[repeated], longhand, rtol=1e-7)


def test_copies_of_rows_that_are_drawn_are_out_of_the_bag_in_part():
    X = pd.DataFrame({"label": ["a", "a", "b", "c"]})
    rows = NaiveBayes().read_training(X, [0, 0, 1, 1], sample_weight=[1, 3, 1, 0.5])
    left = Bootstrap(rows).left_out(np.array([0, 2, 0, 1]))
    np.testing.assert_allclose(left, [0.75**2, 0.75**2, 1, 0])


def test_rows_of_large_weights_are_out_of_the_bag_in_part():
    X, y = numbers(150)
    model = RandomCutEnsemble(n_estimators=12, random_state=0)
    heavy = clone(model).fit(X, y, sample_weight=np.full(150, 10.0))
    # Every row has copies in every sample, and predictions as good as those of known rows.
    assert heavy.oob_score_ > model.fit(X, y).oob_score_


# ---- parameters and refusals ----------------------------------------------------------------


def test_threads_change_nothing():
    X, y = numbers()
    model = RandomCutEnsemble(n_estimators=6, random_state=3)
    expected = clone(model).fit_held_out(X, y)
    np.testing.assert_array_equal(model.set_params(n_jobs=2).fit_held_out(X, y), expected)
    other = RandomCutEnsemble(n_estimators=6, random_state=4).fit_held_out(X, y)
    assert not np.array_equal(other, expected)


@pytest.mark.parametrize("given", [0, (4, 0), (), [2.5], "8"])
def test_wrong_numbers_of_intervals(given):
    with pytest.raises(
        (ValueError, TypeError), match=r"^RandomCutEnsemble: n_intervals must be an integer >= 1"
    ):
        RandomCutEnsemble(n_intervals=given).fit(MIXED, Y)


def test_one_interval_is_allowed():
    X, y = numbers(50)
    model = RandomCutEnsemble(n_estimators=2, n_intervals=1, random_state=0).fit(X, y)
    assert [len(c) for c in cuts_of(model)] == [0, 0]


def test_models_that_keep_numbers_are_refused():
    X, y = numbers(50)
    with pytest.raises(TypeError, match=r"^RandomCutEnsemble: estimator must be .* cuts numbers"):
        RandomCutEnsemble(LinearDiscriminantAnalysis()).fit(X, y)
    with pytest.raises(ValueError, match=r"^RandomCutEnsemble: estimator must cut numbers"):
        RandomCutEnsemble(NaiveBayes(continuous="gaussian")).fit(X, y)


def test_too_many_pairs_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr("augury.encode.TableEncoder.learn_and_encode", pytest.fail)
    X, y = np.zeros((20, 4_000), dtype=np.int8), np.arange(20) % 4
    text = r"^RandomCutEnsemble: the predictions of 24,000 rows from all pairs of 4,000 columns"
    with pytest.raises(TooLongError, match=text):
        RandomCutEnsemble(HiddenNaiveBayes()).fit(X, y)


def test_members_that_do_not_fit_in_memory_are_refused(monkeypatch):
    X, y = numbers(200)
    sizes = []

    def require(n_bytes, what, *_, **__):
        if "other" in what:
            sizes.append((n_bytes, what))
            if len(sizes) == 3:
                raise TableTooLargeError("", what, n_bytes, 100, [], "take fewer members")

    monkeypatch.setattr("augury.ensemble.random_cut_ensemble.require_bytes", require)
    with pytest.raises(TableTooLargeError, match=r"^RandomCutEnsemble: .* other 21 members"):
        RandomCutEnsemble(HiddenNaiveBayes(), random_state=0).fit(X, y)
    # Members of 3, 5 and 8 intervals: the pair tables grow with their squares.
    of_first, _, of_all = (n_bytes for n_bytes, _ in sizes)
    assert of_all > 2 * of_first


# ---- files ----------------------------------------------------------------------------------


def test_a_file_does_not_grow_with_members_times_columns(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 60)), np.arange(40) % 2
    sizes = {}
    for n_members in (3, 30):
        model = RandomCutEnsemble(NaiveBayes(), n_members, random_state=0).fit(X, y)
        with ZipFile(BytesIO(dump_model(model))) as archive:
            sizes[n_members] = len(archive.read("schema.json")), len(archive.namelist())
        save_model(model, tmp_path / "model.augury")
        loaded = load_model(tmp_path / "model.augury").model
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    (few_texts, few_arrays), (texts, arrays) = sizes[3], sizes[30]
    assert texts - few_texts < 27 * 20_000  # 140,000 with plans of 60 columns
    assert arrays - few_arrays < 27 * 20  # 120 and more


@pytest.mark.parametrize("copied", [copy, deepcopy, lambda model: loads(dumps(model))])
def test_copies_predict_the_same(copied):
    model = RandomCutEnsemble(n_estimators=3, random_state=0).fit(MIXED, Y)
    again = copied(model)
    np.testing.assert_array_equal(again.predict_proba(MIXED), model.predict_proba(MIXED))
    assert all(member.encoder_.whole is again.encoder_ for member in again.estimators_)
    assert all(hasattr(member, "encoder_") for member in model.estimators_)


def test_a_member_is_saved_by_itself(tmp_path):
    member = RandomCutEnsemble(n_estimators=1, random_state=0).fit(MIXED, Y).estimators_[0]
    save_model(member, tmp_path / "model.augury", X=MIXED)
    loaded = load_model(tmp_path / "model.augury").model
    np.testing.assert_array_equal(loaded.predict_proba(MIXED), member.predict_proba(MIXED))
    assert loaded.encoder_.states_ == member.encoder_.states_


def test_a_file_with_plans_of_each_member_is_read():
    """The file was written at 0fa8a26, before members had their cut points as arrays."""
    file = Path(__file__).parents[1] / "persist" / "random-cuts-of-early-0.2.augury"
    loaded = load_model(file).model
    model = RandomCutEnsemble(n_estimators=3, random_state=0).fit(MIXED, Y)
    np.testing.assert_array_equal(loaded.predict_proba(MIXED), model.predict_proba(MIXED))


@pytest.mark.parametrize(
    ("places", "message"),
    [
        (np.array([1, 1]), "kept_cuts must be ascending"),
        (np.array([-1, 2]), "kept_cuts must be below"),
        (np.array([0, 10**6]), "kept_cuts must be below"),
        (np.array([0.5]), "kept_cuts must be whole numbers"),
    ],
)
def test_cut_points_of_a_file_that_no_encoder_has(places, message):
    encoder = RandomCutEnsemble(n_estimators=1, random_state=0).fit(MIXED, Y).encoder_
    with pytest.raises(FittedStateError, match=message):
        MergedEncoder.of(encoder, places)._check_fitted_state()
