"""Naive Bayes against additive logistic regression on classes with log-spline densities.

The second comparison of Rubinstein and Hastie (1997); `discriminant_simulation` is the first.
`python -m benchmarks additive_simulation` prints tables of docs/results/learning-curves.md and
draws its figures. It takes about twenty minutes on one core.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline
from scipy.stats import norm

from augury.discriminative import AdditiveLogisticRegression, LogisticRegression
from augury.discriminative.logistic.spline_terms import SplineTerms
from augury.generative import NaiveBayes
from augury.report import Line, line_chart
from benchmarks.studies.discriminant_simulation import Truth, normal_classes, save, score

N_COLUMNS = 5
SIZES = (25, 50, 100, 200, 400, 800, 1600)
REPEATS = 40
N_TEST = 20_000
CORRELATION = 0.6
# Log densities: cubic splines through random heights at these knots, straight beyond them.
KNOTS = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
# Penalties of log-spline densities, of which AIC chooses one.
PENALTIES = (100.0, 10.0, 1.0, 0.1, 0.01)
HEIGHT, TAIL_SLOPE = 0.7, 2.0
# Models in the figures.
DRAWN = ("NB, kernel", "NB, log-spline", "NB, log-spline by AIC", "GAM", "GAM, C by folds")
GRID = np.linspace(-12.0, 12.0, 24_001)


# ---- classes ------------------------------------------------------------------------------


class LogSpline:
    """A density whose logarithm is a cubic spline with straight tails.

    >>> density = LogSpline(np.zeros(5))
    >>> float(np.sum(np.exp(density.log(GRID))) * (GRID[1] - GRID[0])).__round__(6)
    1.0
    """

    def __init__(self, heights: np.ndarray) -> None:
        ends = ((1, TAIL_SLOPE), (1, -TAIL_SLOPE))
        self._spline = CubicSpline(KNOTS, heights, bc_type=ends)
        self._log_total = 0.0
        mass = np.exp(self.log(GRID)) * (GRID[1] - GRID[0])
        self._log_total = float(np.log(mass.sum()))
        self._below = np.cumsum(mass) / mass.sum()

    def log(self, x: np.ndarray) -> np.ndarray:
        """Return the log density."""
        beyond = np.abs(x) - KNOTS[-1]
        inside = self._spline(np.clip(x, KNOTS[0], KNOTS[-1]))
        return inside - TAIL_SLOPE * np.maximum(beyond, 0.0) - self._log_total

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """Return the value below which there is this share."""
        return np.interp(share, self._below, GRID)

    def score(self, x: np.ndarray) -> np.ndarray:
        """Return Φ⁻¹ of the share below x."""
        return norm.ppf(np.clip(np.interp(x, GRID, self._below), 1e-15, 1 - 1e-15))


def draw_scores(n_rows: int, correlation: float, rng: np.random.Generator) -> np.ndarray:
    """Draw standard normal columns with one correlation of all pairs."""
    shared = rng.standard_normal((n_rows, 1))
    own = rng.standard_normal((n_rows, N_COLUMNS))
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own


def log_copula(scores: np.ndarray, correlation: float) -> np.ndarray:
    """Return the log density of the normal copula, without its constant."""
    matrix = np.full((N_COLUMNS, N_COLUMNS), correlation) + (1 - correlation) * np.eye(N_COLUMNS)
    excess = np.linalg.inv(matrix) - np.eye(N_COLUMNS)
    return -0.5 * np.einsum("ij,jk,ik->i", scores, excess, scores)


def spline_classes(name: str, correlation: float) -> Truth:
    """Return classes with log-spline columns and a normal copula, the same in both classes."""
    columns = random_columns()

    def draw(y, rng):
        share = norm.cdf(draw_scores(len(y), correlation, rng))
        pairs = [
            [density.quantile(share[:, j]) for density in column]
            for j, column in enumerate(columns)
        ]
        return np.column_stack([np.where(y == 1, one, zero) for zero, one in pairs])

    def log_odds(X):
        logs = []
        for k in range(2):
            own = [column[k] for column in columns]
            total = sum(density.log(X[:, j]) for j, density in enumerate(own))
            if correlation:
                scores = np.column_stack([d.score(X[:, j]) for j, d in enumerate(own)])
                total = total + log_copula(scores, correlation)
            logs.append(total)
        return logs[1] - logs[0]

    return Truth(name, draw, log_odds)


def random_columns() -> list[tuple[LogSpline, LogSpline]]:
    """Return the densities of each column in both classes; the same in every call."""
    rng = np.random.default_rng(1997)
    return [
        tuple(LogSpline(HEIGHT * rng.standard_normal(len(KNOTS))) for _ in range(2))
        for _ in range(N_COLUMNS)
    ]


@dataclass(frozen=True)
class AdditiveTruth(Truth):
    """Dependent columns, and classes whose log odds are a sum of functions of the columns."""

    def sample(self, n_rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw rows, then their classes."""
        X = self.draw(np.zeros(n_rows, dtype=int), rng)
        share = 1.0 / (1.0 + np.exp(-self.log_odds(X)))
        return X, (rng.random(n_rows) < share).astype(int)


def additive_classes() -> Truth:
    """Return rows of the first class of dependent columns, with additive log odds."""
    columns = random_columns()

    def log_odds(X):
        return sum(one.log(X[:, j]) - zero.log(X[:, j]) for j, (zero, one) in enumerate(columns))

    dependent = spline_classes("", CORRELATION)
    centre = log_odds(dependent.draw(np.zeros(N_TEST, dtype=int), np.random.default_rng(0))).mean()
    return AdditiveTruth(
        "additive log odds, dependent columns", dependent.draw, lambda X: log_odds(X) - centre
    )


def truths() -> list[Truth]:
    """Return the distributions, chosen before any result was known."""
    return [
        normal_classes(2.0),
        spline_classes("log-spline, independent columns", 0.0),
        spline_classes("log-spline, dependent columns", CORRELATION),
        additive_classes(),
    ]


# ---- models -------------------------------------------------------------------------------


@dataclass
class LogSplineNaiveBayes:
    """Naive Bayes whose log densities are the splines of `AdditiveLogisticRegression`.

    The coefficients β of a column in a class maximise Σ log f(x) - λ |β|² / 2, where log f is β
    times the terms of `SplineTerms` and z², minus the log of the integral.
    """

    penalties: tuple[float, ...] = (1.0,)
    n_knots: int = 6
    densities: list[list[Callable]] = field(default_factory=list)
    log_odds_of_prior: float = 0.0

    def fit(self, X: np.ndarray, y: np.ndarray) -> "LogSplineNaiveBayes":
        """Estimate the density of each column in each class, and the class shares."""
        n_one = int(y.sum())
        self.log_odds_of_prior = np.log((n_one + 1) / (len(y) - n_one + 1))
        self.densities = [
            [fit_log_spline(X[y == k, j], self.n_knots, self.penalties) for k in range(2)]
            for j in range(X.shape[1])
        ]
        return self

    def log_odds(self, X: np.ndarray) -> np.ndarray:
        """Return the log odds of the second class."""
        parts = [one(X[:, j]) - zero(X[:, j]) for j, (zero, one) in enumerate(self.densities)]
        return self.log_odds_of_prior + np.sum(parts, axis=0)


def fit_log_spline(
    x: np.ndarray, n_knots: int, penalties: tuple[float, ...]
) -> Callable[[np.ndarray], np.ndarray]:
    """Return the log density of penalised maximum likelihood; AIC chooses the penalty."""
    mean, deviation = x.mean(), x.std()
    z = (x - mean) / deviation
    splines = SplineTerms.learn(z, None, n_knots)
    # Beyond these bounds the density is negligible.
    grid = np.linspace(min(z.min(), -4.0) - 6.0, max(z.max(), 4.0) + 6.0, 1001)
    # The square keeps a column with few knots, or straight tails that rise, a density.
    on_grid, at_rows = (with_square(splines.expand(v), v) for v in (grid, z))
    beta = np.zeros(on_grid.shape[1])
    beta[-1] = -0.5
    best = (np.inf, beta, 0.0)
    for penalty in penalties:  # each search begins where the previous one ended
        beta, hessian = maximize_likelihood(on_grid, at_rows, penalty, beta)
        log_mass = on_grid @ beta
        log_total = np.logaddexp.reduce(log_mass) + np.log(grid[1] - grid[0])
        n_free = len(beta) - penalty * np.trace(np.linalg.inv(hessian))
        aic = n_free - np.sum(at_rows @ beta - log_total)
        if aic < best[0]:
            best = (aic, beta, float(log_total))
    _, chosen, log_total = best

    def log_density(values: np.ndarray) -> np.ndarray:
        v = (values - mean) / deviation
        return with_square(splines.expand(v), v) @ chosen - log_total - np.log(deviation)

    return log_density


def maximize_likelihood(
    on_grid: np.ndarray, at_rows: np.ndarray, penalty: float, beta: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return coefficients and the negative Hessian, by Newton's method with limited steps."""
    n_rows, wanted = len(at_rows), at_rows.sum(axis=0)
    for _ in range(100):
        log_mass = on_grid @ beta
        mass = np.exp(log_mass - np.logaddexp.reduce(log_mass))
        centre = mass @ on_grid
        away = on_grid - centre
        gradient = wanted - n_rows * centre - penalty * beta
        hessian = n_rows * (away * mass[:, None]).T @ away + penalty * np.eye(len(beta))
        if np.abs(gradient).max() < 1e-6 * n_rows:
            break
        move = np.linalg.solve(hessian, gradient)
        beta = beta + move * min(1.0, 1.0 / np.abs(move).max())
    return beta, hessian


def with_square(terms: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.column_stack([terms, z**2])


def models() -> dict[str, Callable]:
    """Return functions from training rows to a function that returns log odds."""
    return {
        "NB, normal": of_classifier(lambda: NaiveBayes(continuous="gaussian")),
        "NB, kernel": of_classifier(lambda: NaiveBayes(continuous="kernel")),
        "NB, kernel (WEKA)": of_classifier(
            lambda: NaiveBayes(continuous="kernel", bandwidth="weka")
        ),
        "NB, log-spline": lambda X, y: LogSplineNaiveBayes().fit(X, y).log_odds,
        "NB, log-spline by AIC": lambda X, y: LogSplineNaiveBayes(PENALTIES).fit(X, y).log_odds,
        "GAM": of_classifier(AdditiveLogisticRegression),
        "GAM, C by folds": of_classifier(lambda: AdditiveLogisticRegression(C="cv")),
        "LR": of_classifier(lambda: LogisticRegression(continuous="standardize")),
    }


def of_classifier(make: Callable) -> Callable:
    def fit(X, y):
        model = make().fit(X, y)

        def log_odds(rows):
            logs = model.predict_log_proba(rows)
            return logs[:, 1] - logs[:, 0]

        return log_odds

    return fit


# ---- simulation ---------------------------------------------------------------------------


def measure_excess(truth: Truth, sizes, n_repeats: int, seed: int = 0) -> pd.DataFrame:
    """Return error (percent) and log loss above those of the Bayes rule on the same rows."""
    rng = np.random.default_rng([seed, *truth.name.encode()])
    X_test, y_test = truth.sample(N_TEST, rng)
    best = score(truth.log_odds(X_test), y_test)
    rows = []
    for n_rows in sizes:
        for repeat in range(n_repeats):
            X, y = truth.sample(n_rows, rng)
            while min(y.sum(), n_rows - y.sum()) < 4:
                X, y = truth.sample(n_rows, rng)
            for name, fit in models().items():
                error, loss = score(fit(X, y)(X_test), y_test)
                rows.append((name, n_rows, repeat, error - best[0], loss - best[1], best[0]))
    columns = ["model", "rows", "repeat", "error", "log loss", "bayes"]
    return pd.DataFrame(rows, columns=columns)


def report(truth: Truth) -> None:
    """Print a table of one distribution, and draw its figures."""
    frame = measure_excess(truth, SIZES, REPEATS)
    print(f"\n**{truth.name}**; Bayes' error {frame['bayes'].iloc[0]:.2f} %\n")
    print("| model | " + " | ".join(f"n = {n}" for n in SIZES) + " |")
    print("|---|" + "---|" * len(SIZES))
    for name, own in frame.groupby("model", sort=False):
        by_size = own.groupby("rows")[["error", "log loss"]].agg(["mean", "sem"])
        cells = [
            f"{by_size['error']['mean'][n]:.2f} ± {by_size['error']['sem'][n]:.2f} / "
            f"{by_size['log loss']['mean'][n]:.3f}"
            for n in SIZES
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")
    for model in ("NB, kernel", "NB, log-spline by AIC"):
        print_differences(frame, "GAM, C by folds", model)
    for measure, unit in (("error", "points of error"), ("log loss", "log loss")):
        draw_figure(truth, frame, measure, unit)


def print_differences(frame: pd.DataFrame, gam: str, model: str) -> None:
    """Print the mean difference between two models on the same samples."""
    cells = []
    for n_rows in SIZES:
        own = frame[frame["rows"] == n_rows].pivot(index="repeat", columns="model")
        parts = []
        for measure, digits in (("error", 2), ("log loss", 3)):
            difference = own[measure][gam] - own[measure][model]
            parts.append(f"{difference.mean():+.{digits}f} ± {difference.sem():.{digits}f}")
        cells.append(" / ".join(parts))
    print(f"| {gam} minus {model} | " + " | ".join(cells) + " |", flush=True)


def draw_figure(truth: Truth, frame: pd.DataFrame, measure: str, unit: str) -> None:
    """Draw the excess of the models with flexible functions on logarithmic scales."""
    lines = []
    for name in DRAWN:
        own = frame[frame["model"] == name].groupby("rows")[measure].agg(["mean", "sem"])
        mean, spread = own["mean"].to_numpy(), 2 * own["sem"].to_numpy()
        below = np.maximum(mean - spread, mean / 4)  # a logarithm has no negative numbers
        lines.append(Line(name, np.log2(SIZES), *map(np.log10, (mean, below, mean + spread))))
    slug = truth.name.replace(",", "").replace(" = ", "-").replace("Δ", "d").replace(" ", "-")
    save(
        f"additive-{slug.lower()}-{measure.replace(' ', '-')}",
        line_chart(
            lines,
            title=f"{truth.name}: excess {measure} over Bayes' rule",
            x_label="training rows, as a power of two (5 is 32 rows, 10 is 1024)",
            y_label=f"{unit} above Bayes' rule, as a power of ten (± 2 standard errors)",
        ),
    )


def main() -> None:
    for truth in truths():
        report(truth)


if __name__ == "__main__":
    main()
