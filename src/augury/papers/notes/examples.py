"""Worked examples and formulas of the lecture notes.

The left side of each comparison is the printed number, or the printed formula in NumPy. The right
side is a fitted model.
"""

from functools import cache, partial
from pathlib import Path

import numpy as np

from augury.arrays import Array, FloatArray
from augury.data import load_dataset
from augury.data.synthetic import make_normal_classes, make_poisson_classes
from augury.discriminative import LogisticRegression
from augury.generative import (
    BernoulliNaiveBayes,
    LinearDiscriminantAnalysis,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from augury.generative.densities.normal_density import NormalDensity
from augury.kernels import find_intervals
from augury.reproduce.worked_example import WorkedExample, read_printed_numbers

# The four mails: how often the words 1, 2 and 3 occur, and whether the mail is spam.
MAILS = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 0, 3]])
IS_SPAM = np.array([1, 0, 0, 1])
NEW_MAIL = np.array([[0, 1, 1]])
_AREAS = (300.0, 500.0, 1000.0, 1500.0, 1700.0)
_AREA_CUTS = np.array([400.0, 800.0, 1200.0, 1600.0])
_ALPHA = 0.3


def normal_rows() -> tuple[FloatArray, Array]:
    """Return two normal classes with one covariance, the model of section 2 of the notes."""
    made = make_normal_classes(200, priors=[0.6, 0.4], random_state=0)
    return made.X.to_numpy(), made.y.astype(int).to_numpy()


@cache
def _iris() -> tuple[FloatArray, Array]:
    iris = load_dataset("sklearn:iris")
    return iris.X.to_numpy(), np.asarray(iris.y.cat.codes)


# ---- notes ------------------------------------------------------------------------------


def _mails(alpha: float) -> MultinomialNaiveBayes:
    return MultinomialNaiveBayes(alpha=alpha).fit(MAILS, IS_SPAM)


@cache
def _our_numbers() -> list[float]:
    """Return the numbers of notes.csv from the models, in the order of the file."""
    codes = 1 + find_intervals(np.array(_AREAS), _AREA_CUTS)
    spam = _mails(0.0)
    phi, prior = np.exp(spam.log_probability_), np.exp(spam.log_prior_)
    posterior = spam.predict_proba(NEW_MAIL)[0]
    return [*codes, *phi[:, 1], *phi[:, 0], prior[1], prior[0], posterior[1]]


def _printed_examples() -> list[WorkedExample]:
    return [
        WorkedExample(
            number.place,
            number.name,
            partial(float, number.value),
            partial(_our_number, k),
            printed=number.text,
        )
        for k, number in enumerate(read_printed_numbers(Path(__file__).parent))
    ]


def _our_number(k: int) -> float:
    return _our_numbers()[k]


def _density_by_formula() -> FloatArray:
    """Evaluate the density of section 2.1 for the three covariances of its picture."""
    x = np.array([[0.0, 0.0], [1.0, -1.0], [0.5, 2.0]])
    values = []
    for covariance in COVARIANCES:
        squares = np.einsum("ij,jk,ik->i", x, np.linalg.inv(covariance), x)
        values.append(np.exp(-squares / 2) / (2 * np.pi * np.sqrt(np.linalg.det(covariance))))
    return np.array(values)


def _density_by_model() -> FloatArray:
    x = np.array([[0.0, 0.0], [1.0, -1.0], [0.5, 2.0]])
    models = [NormalDensity.of(np.zeros(2), c, np.ones(2), 0.0) for c in COVARIANCES]
    return np.exp([model.log_density(x) for model in models])


COVARIANCES = tuple(np.array([[1.0, r], [r, 1.0]]) for r in (0.0, 0.5, 0.8))


def _gda_by_formula() -> tuple[float, FloatArray, FloatArray]:
    """Return φ, the means and Σ by the sums of section 2.2."""
    x, y = normal_rows()
    means = np.stack([x[y == c].sum(axis=0) / (y == c).sum() for c in (0, 1)])
    deviations = x - means[y]
    covariance = sum(np.outer(d, d) for d in deviations) / len(x)
    return float((y == 1).mean()), means, np.asarray(covariance)


@cache
def _gda() -> LinearDiscriminantAnalysis:
    return LinearDiscriminantAnalysis().fit(*normal_rows())


def _logistic_form() -> FloatArray:
    """Return p(y = 1 | x) = 1 / (1 + exp(-θᵀx)) of section 2.3, θ from φ, μ and Σ."""
    phi, means, covariance = _gda_by_formula()
    inverse = np.linalg.inv(covariance)
    slope = inverse @ (means[1] - means[0])
    intercept = np.log(phi / (1 - phi)) - 0.5 * (
        means[1] @ inverse @ means[1] - means[0] @ inverse @ means[0]
    )
    return np.asarray(1.0 / (1.0 + np.exp(-(normal_rows()[0] @ slope + intercept))))


def _poisson_by_formula() -> FloatArray:
    """Return the logistic posterior of Poisson classes, θ = (log φ/(1-φ) - λ1 + λ0, log λ1/λ0)."""
    made = make_poisson_classes(200, random_state=0)
    x, y = made.X["x1"].to_numpy(), made.y.astype(int).to_numpy()
    low, high = (float(x[y == c].mean()) for c in (0, 1))
    share = float((y == 1).mean())
    odds = np.log(share / (1 - share)) - high + low + x * np.log(high / low)
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def _poisson_by_model() -> FloatArray:
    made = make_poisson_classes(200, random_state=0)
    model = PoissonNaiveBayes(alpha=0.0).fit(made.X, made.y.astype(int))
    return np.asarray(model.predict_proba(made.X)[:, 1])


def _bernoulli_by_formula(alpha: int) -> FloatArray:
    """Return φ(j | y) of sections 3 and 4; the fourth word occurs in no mail, as NIPS does."""
    x, y = np.column_stack([MAILS > 0, np.zeros(4, dtype=bool)]), IS_SPAM
    return np.stack(
        [(x[y == c].sum(axis=0) + alpha) / (np.sum(y == c) + 2 * alpha) for c in (0, 1)],
        axis=1,
    )


def _bernoulli_by_model(alpha: float) -> FloatArray:
    x = np.column_stack([MAILS, np.zeros(4)])
    model = BernoulliNaiveBayes(alpha=alpha).fit(x, IS_SPAM)
    return np.asarray(np.exp(model.log_probability_))


def _smoothed_mails_by_formula() -> FloatArray:
    y = IS_SPAM
    sums = np.stack([MAILS[y == c].sum(axis=0) for c in (0, 1)], axis=1)
    return np.asarray((sums + 1) / (sums.sum(axis=0) + 3))


_NOTES = (
    WorkedExample(
        "notes 2.1", "normal density, Σ of the picture", _density_by_formula, _density_by_model
    ),
    WorkedExample(
        "notes 2.2", "φ of GDA", lambda: _gda_by_formula()[0], lambda: np.exp(_gda().log_prior_[1])
    ),
    WorkedExample(
        "notes 2.2", "μ0 and μ1 of GDA", lambda: _gda_by_formula()[1], lambda: _gda().means_
    ),
    WorkedExample(
        "notes 2.2", "Σ of GDA", lambda: _gda_by_formula()[2], lambda: _gda().covariance_
    ),
    WorkedExample(
        "notes 2.3",
        "posterior of GDA, logistic in x",
        _logistic_form,
        lambda: _gda().predict_proba(normal_rows()[0])[:, 1],
    ),
    WorkedExample(
        "notes 2.3",
        "posterior of Poisson classes, logistic in x",
        _poisson_by_formula,
        _poisson_by_model,
    ),
    WorkedExample(
        "notes 3",
        "φ(j | y) of the Bernoulli model",
        lambda: _bernoulli_by_formula(0),
        lambda: _bernoulli_by_model(0.0),
    ),
    WorkedExample(
        "notes 4",
        "φ(j | y) with Laplace smoothing",
        lambda: _bernoulli_by_formula(1),
        lambda: _bernoulli_by_model(1.0),
    ),
    WorkedExample(
        "notes 5",
        "φ(k | y) of the mails with Laplace smoothing",
        _smoothed_mails_by_formula,
        lambda: np.exp(_mails(1.0).log_probability_),
    ),
)


# ---- lecture ----------------------------------------------------------------------------


@cache
def _gaussian() -> NaiveBayes:
    # The lecture has no smallest variance, and its prior is the share of the rows.
    model = NaiveBayes(continuous="gaussian", variance_floor=0.0, alpha=0.0)
    return model.fit(*_iris())


def _moments() -> FloatArray:
    """Return means and variances with divisor n_i - 1 of each class (Eq. 2)."""
    x, y = _iris()
    rows = [x[y == c] for c in range(3)]
    return np.array([[r.mean(axis=0) for r in rows], [r.var(axis=0, ddof=1) for r in rows]])


def _program() -> FloatArray:
    """Run the printed program of section 1.1 on all rows of iris."""
    x, y = _iris()
    mean, variance = _moments()
    share = np.bincount(y) / len(y)
    labels = []
    for row in x:
        scores = [
            share[i] * np.prod(variance[i]) ** -0.5
            * np.exp(-0.5 * (row - mean[i]).dot((row - mean[i]) / variance[i]))
            for i in range(3)
        ]  # fmt: skip
        labels.append(int(np.argmax(scores)))
    return np.array(labels, dtype=np.float64)


def _lda_terms() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return class shares, means and the shared covariance of iris."""
    x, y = _iris()
    means = np.stack([x[y == c].mean(axis=0) for c in range(3)])
    deviations = x - means[y]
    return np.bincount(y) / len(y), means, np.asarray(deviations.T @ deviations / len(y))


@cache
def _lda() -> LinearDiscriminantAnalysis:
    return LinearDiscriminantAnalysis().fit(*_iris())


def _boundaries() -> FloatArray:
    """Return a and b of each pair of classes k, l (Eqs. 12 and 13)."""
    share, means, covariance = _lda_terms()
    inverse = np.linalg.inv(covariance)
    rows = []
    for k, l in ((0, 1), (0, 2), (1, 2)):  # noqa: E741
        a = inverse @ (means[k] - means[l])
        b = np.log(share[k] / share[l]) - 0.5 * (means[k] + means[l]) @ a
        rows.append([*a, b])
    return np.array(rows)


def _boundaries_of_model() -> FloatArray:
    terms = np.column_stack([_lda().coef_, _lda().intercept_])
    return np.stack([terms[k] - terms[other] for k, other in ((0, 1), (0, 2), (1, 2))])


def _discriminants(covariances: FloatArray) -> FloatArray:
    """Return Eq. 14 or 15, with -½ log |Σ_k|, relative to the first class."""
    x, _ = _iris()
    share, means, _ = _lda_terms()
    scores = []
    for k, covariance in enumerate(covariances):
        d = x - means[k]
        squares = np.einsum("ij,jk,ik->i", d, np.linalg.inv(covariance), d)
        scores.append(np.log(share[k]) - 0.5 * (squares + np.log(np.linalg.det(covariance))))
    relative: FloatArray = np.stack(scores, axis=1) - scores[0][:, None]
    return relative


def _own_covariances() -> FloatArray:
    x, y = _iris()
    return np.stack([np.cov(x[y == c].T, bias=True) for c in range(3)])


def _regularized() -> FloatArray:
    return _ALPHA * _own_covariances() + (1 - _ALPHA) * _lda_terms()[2]


def _log_odds(model: LinearDiscriminantAnalysis | QuadraticDiscriminantAnalysis) -> FloatArray:
    joint = model.predict_joint_log_proba(_iris()[0])
    return np.asarray(joint - joint[:, :1])


def _n_parameters_of_lda() -> int:
    # The covariance is symmetric. No two other entries are equal on iris.
    n_distinct = np.unique(_lda().covariance_.round(12)).size
    return _lda().means_.size + n_distinct + _lda().log_prior_.size - 1


def _n_parameters_of_regression() -> int:
    model = LogisticRegression(coefficients="reference", continuous="standardize").fit(*_iris())
    return int(np.count_nonzero(np.column_stack([model.coef_, model.intercept_])))


_LECTURE = (
    WorkedExample(
        "lecture Eq. 2",
        "means and variances of Gaussian naive Bayes",
        _moments,
        lambda: np.stack([_gaussian().mean_.T, _gaussian().variance_.T]),
    ),
    WorkedExample(
        "lecture Eq. 4",
        "P(C) of iris",
        lambda: np.full(3, 50 / 150),
        lambda: np.exp(_gaussian().log_prior_),
    ),
    WorkedExample(
        "lecture 1.1",
        "labels by the printed program",
        _program,
        lambda: _gaussian().predict(_iris()[0]),
    ),
    WorkedExample(
        "lecture Eq. 13",
        "a and b of LDA's boundaries",
        _boundaries,
        _boundaries_of_model,
        tolerance=1e-8,
    ),
    WorkedExample(
        "lecture Eq. 14",
        "linear discriminant functions",
        lambda: _discriminants(np.stack([_lda_terms()[2]] * 3)),
        lambda: _log_odds(_lda()),
        tolerance=1e-8,
    ),
    WorkedExample(
        "lecture Eq. 15",
        "quadratic discriminant functions, with -½ log |Σ|",
        lambda: _discriminants(_own_covariances()),
        lambda: _log_odds(QuadraticDiscriminantAnalysis().fit(*_iris())),
        tolerance=1e-8,
    ),
    WorkedExample(
        "lecture Eq. 17",
        "regularised covariances, α = 0.3",
        _regularized,
        lambda: RegularizedDiscriminantAnalysis(alpha=_ALPHA).fit(*_iris()).covariances_,
    ),
    WorkedExample(
        "lecture Eq. 17",
        "discriminant functions, α = 0.3",
        lambda: _discriminants(_regularized()),
        lambda: _log_odds(RegularizedDiscriminantAnalysis(alpha=_ALPHA).fit(*_iris())),
        tolerance=1e-8,
    ),
    WorkedExample(
        "lecture 3",
        "Kp + p(p+1)/2 + (K-1) parameters of LDA on iris",
        lambda: 3 * 4 + 4 * 5 / 2 + 2,
        _n_parameters_of_lda,
    ),
    WorkedExample(
        "lecture 3",
        "(K-1)(p+1) parameters of logistic regression on iris",
        lambda: 2 * 5,
        _n_parameters_of_regression,
    ),
)

EXAMPLES = (
    *sorted([*_NOTES, *_printed_examples()], key=lambda example: example.place),
    *_LECTURE,
)

__all__ = ["COVARIANCES", "EXAMPLES", "IS_SPAM", "MAILS", "NEW_MAIL", "normal_rows"]
