import numpy as np

from augury.counts import floored_log, laplace_log_probability, log_normalize, normalize


def test_laplace_by_hand():
    counts = np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(
        np.exp(laplace_log_probability(counts, 1.0)),
        [[3 / 6, 1 / 3], [2 / 6, 1 / 3], [1 / 6, 1 / 3]],
    )
    np.testing.assert_allclose(
        np.exp(laplace_log_probability(counts, 0.5)),
        [[2.5 / 4.5, 1 / 3], [1.5 / 4.5, 1 / 3], [0.5 / 4.5, 1 / 3]],
    )


def test_without_smoothing_zero_is_tiny_and_nothing_is_uniform():
    log = laplace_log_probability(np.array([[2.0, 0.0], [0.0, 0.0]]), 0.0)
    assert log[0, 0] == 0
    assert log[1, 0] == np.log(np.finfo(float).tiny)
    np.testing.assert_allclose(log[:, 1], np.log(0.5))
    assert np.isfinite(floored_log(np.array([0.0]))).all()


def test_normalisation_survives_any_constant():
    joint = np.log(np.array([[0.1, 0.3, 0.6], [0.2, 0.2, 0.6]]))
    many = np.tile(joint, (1, 10))
    for shift in (0.0, -1e5, 700.0):
        np.testing.assert_allclose(normalize(joint + shift), np.exp(joint))
        np.testing.assert_allclose(log_normalize(joint + shift), joint, atol=1e-10)
        np.testing.assert_allclose(normalize(many + shift).sum(axis=1), 1)
        np.testing.assert_allclose(np.exp(log_normalize(many + shift)).sum(axis=1), 1)
