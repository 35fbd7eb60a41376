"""The truths of the simulation are what they claim, and so is its theory."""

import numpy as np
import pytest
from scipy.special import expit

from benchmarks.studies import discriminant_simulation as simulation


# His table as it is remembered: the page itself was not at hand. His abstract, which was, says
# "between one half and two thirds"; the simulation below is the other witness.
@pytest.mark.parametrize(
    ("distance", "remembered"),
    [(2.0, 0.899), (2.5, 0.786), (3.0, 0.641), (3.5, 0.486), (4.0, 0.343)],
)
def test_efficiency_is_the_one_of_efron(distance, remembered):
    assert simulation.efron_efficiency(distance) == pytest.approx(remembered, abs=5e-4)


def test_exact_error_is_the_share_of_wrong_rows():
    truth, slopes = simulation.normal_classes(2.0), np.array([1.0, 0.5, -0.3, 0.0, 0.2])
    X, y = truth.sample(100_000, np.random.default_rng(0))
    wrong, _ = simulation.score(X @ slopes - 0.7, y)
    # Four standard errors of a share near 0.2.
    assert simulation.exact_error(-0.7, slopes, 2.0) == pytest.approx(wrong / 100, abs=0.005)


def test_best_rule_has_the_error_of_bayes():
    rule = np.array([2.0, 0.0, 0.0, 0.0, 0.0])
    assert simulation.exact_error(-2.0, rule, 2.0) == pytest.approx(simulation.bayes_error(2.0))


@pytest.mark.parametrize("truth", simulation.truths(), ids=lambda truth: truth.name)
def test_log_odds_are_those_of_the_rows_drawn(truth):
    X, y = truth.sample(20_000, np.random.default_rng(1))
    log_odds = truth.log_odds(X)
    residual = y - expit(log_odds)
    # Uncorrelated with any function of the row, if and only if they are the true odds.
    for weight in (np.ones(len(y)), np.clip(log_odds, -5, 5), np.tanh(log_odds) ** 2, X[:, 0] > 1):
        moment = residual * weight
        assert abs(moment.mean()) < 4 * moment.std() / np.sqrt(len(y))


def test_lda_and_lr_are_as_far_from_bayes_as_theory_says():
    excess = 2048 * simulation.simulate_normal(2.0, 2048, n_repeats=60)
    limits = simulation.limits_of_excess(2.0, simulation.N_COLUMNS)
    for name, limit in limits.items():
        assert excess[name].mean() == pytest.approx(limit, abs=4 * excess[name].sem())


def test_linear_rule_gives_the_models_log_odds():
    X, y = simulation.normal_classes(1.0).sample(200, np.random.default_rng(2))
    for model in simulation.models().values():
        intercept, slopes = simulation.linear_rule(model.fit(X, y), X.shape[1])
        log_proba = model.predict_log_proba(X)
        np.testing.assert_allclose(
            intercept + X @ slopes, log_proba[:, 1] - log_proba[:, 0], rtol=1e-9, atol=1e-9
        )
