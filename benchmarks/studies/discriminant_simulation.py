"""Linear discriminant analysis against logistic regression on known distributions.

The classes are normal, for which Efron (1975) gives the relative efficiency, and others, after
Rubinstein and Hastie (1997). `python -m benchmarks discriminant_simulation` prints tables of
docs/results/learning-curves.md and draws its figures. It takes about four minutes on one core.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.special import gammaln
from scipy.stats import norm

from augury.discriminative import LogisticRegression
from augury.generative import LinearDiscriminantAnalysis
from augury.report import Line, line_chart

N_COLUMNS = 5
DISTANCES = (1.0, 2.0, 3.0, 4.0)
NORMAL_SIZES = (64, 128, 256, 512, 1024, 2048)
NORMAL_REPEATS = 600
OTHER_SIZES = (32, 64, 128, 256, 512, 1024, 2048)
OTHER_REPEATS = 200
N_TEST = 50_000
# Number of rows that approximates infinitely many.
N_LIMIT = 200_000
FIGURES = Path(__file__).parents[2] / "docs" / "results" / "figures"


def models():
    # Almost no penalty, and numbers as they are: maximum likelihood, as in the documents.
    regression = LogisticRegression(C=1e6, continuous="standardize", tol=1e-6)
    return {"LDA": LinearDiscriminantAnalysis(), "LR": regression}


# ---- theory -------------------------------------------------------------------------------


def bayes_error(distance: float) -> float:
    """Return Φ(-Δ/2), the error of the best rule for equally probable normal classes."""
    return float(norm.cdf(-distance / 2.0))


def expected_information(distance: float) -> float:
    """Return E[p (1 - p)], where p is the posterior of a class at distance Δ from the other."""

    def integrand(x: float) -> float:
        # p (1 - p) = 1 / (4 cosh²(Δx/2)), and the density of x is φ(x) e^(-Δ²/8) cosh(Δx/2).
        return float(norm.pdf(x) * np.exp(-(distance**2) / 8.0) / (4.0 * np.cosh(distance * x / 2)))

    return float(quad(integrand, -12.0, 12.0)[0])


def efron_efficiency(distance: float) -> float:
    """Return the asymptotic efficiency of LR relative to LDA for equally probable classes.

    It is (4 + Δ²) E[p (1 - p)]: the variance of the coefficients of LDA over that of LR.
    """
    return (4.0 + distance**2) * expected_information(distance)


def limits_of_excess(distance: float, n_columns: int) -> dict[str, float]:
    """Return the limit of n × (error - Bayes error).

    A boundary with errors b₀ of the constant and b of the slopes across the line of the means
    has the excess φ(Δ/2) / (4Δ) (b₀² + |b|²). These errors are independent. Their variance is
    (4 + Δ²) / n for LDA and 1 / (n E[p (1 - p)]) for LR.
    """
    scale = float(norm.pdf(distance / 2.0)) / (4.0 * distance) * n_columns
    variances = {"LDA": 4.0 + distance**2, "LR": 1.0 / expected_information(distance)}
    return {model: scale * variance for model, variance in variances.items()}


def exact_error(intercept: float, slopes: np.ndarray, distance: float) -> float:
    """Return the error of a linear rule for N(0, I) and N(Δe₁, I), equally probable.

    >>> round(exact_error(-1.0, np.array([1.0, 0.0]), 2.0), 4)  # halfway: Φ(-1)
    0.1587
    """
    length = float(np.linalg.norm(slopes))
    false = norm.cdf(intercept / length)
    missed = norm.cdf(-(intercept + distance * slopes[0]) / length)
    return float(false + missed) / 2.0


def linear_rule(model, n_columns: int) -> tuple[float, np.ndarray]:
    """Return intercept and slopes of the log odds of the second class, from 0 and the eⱼ."""
    corners = np.vstack([np.zeros(n_columns), np.eye(n_columns)])
    log_proba = model.predict_log_proba(corners)
    odds = log_proba[:, 1] - log_proba[:, 0]
    return float(odds[0]), odds[1:] - odds[0]


# ---- classes ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Truth:
    """Two equally probable classes: their distribution and the log odds of the second class."""

    name: str
    draw: Callable[[np.ndarray, np.random.Generator], np.ndarray]
    log_odds: Callable[[np.ndarray], np.ndarray]

    def sample(self, n_rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw rows and their classes."""
        y = rng.integers(2, size=n_rows)
        return self.draw(y, rng), y


def mixture(name: str, *classes: list[tuple[float, float, float]]) -> Truth:
    """Return mixtures of normals: (share, mean on the first axis, standard deviation)."""
    shares, places, scales = np.moveaxis(np.array(classes, dtype=float), 2, 0)

    def draw(y, rng):
        above = rng.random(len(y))[:, None] > np.cumsum(shares, axis=1)[y]
        clump = above[:, :-1].sum(axis=1)
        X = rng.standard_normal((len(y), N_COLUMNS)) * scales[y, clump][:, None]
        X[:, 0] += places[y, clump]
        return X

    def log_odds(X):
        logs = []
        for own in zip(shares, places, scales, strict=True):
            clumps = [
                np.log(share)
                + norm.logpdf(X[:, 0], place, scale)
                + norm.logpdf(X[:, 1:], 0.0, scale).sum(axis=1)
                for share, place, scale in zip(*own, strict=True)
                if share > 0
            ]
            logs.append(np.logaddexp.reduce(clumps, axis=0))
        return logs[1] - logs[0]

    return Truth(name, draw, log_odds)


def normal_classes(distance: float) -> Truth:
    return mixture(f"normal, Δ = {distance:g}", [(1, 0, 1)], [(1, distance, 1)])


def poisson_classes() -> Truth:
    rates = np.array([[1.0] * N_COLUMNS, [2.0, 2.0, 1.5, 1.0, 1.0]])

    def log_odds(X):
        logs = X @ np.log(rates.T) - rates.sum(axis=1) - gammaln(X + 1).sum(axis=1)[:, None]
        return logs[:, 1] - logs[:, 0]

    return Truth("Poisson", lambda y, rng: rng.poisson(rates[y]).astype(float), log_odds)


def exponential_classes() -> Truth:
    means = np.array([[1.0] * N_COLUMNS, [4.0, 3.0, 2.0, 1.0, 1.0]])

    def log_odds(X):
        logs = -X @ (1.0 / means.T) - np.log(means).sum(axis=1)
        return logs[:, 1] - logs[:, 0]

    return Truth("exponential", lambda y, rng: rng.exponential(means[y]), log_odds)


def log_normal_classes() -> Truth:
    hidden = normal_classes(2.0)
    return Truth(
        "log-normal",
        lambda y, rng: np.exp(hidden.draw(y, rng)),
        lambda X: hidden.log_odds(np.log(X)),
    )


def truths() -> list[Truth]:
    """Return the distributions, chosen before any result was known."""
    return [
        normal_classes(2.0),
        poisson_classes(),
        exponential_classes(),
        mixture("outliers, own side", [(1, 0, 1), (0, 0, 1)], [(0.9, 2, 1), (0.1, 10, 1)]),
        mixture("outliers, wrong side", [(1, 0, 1), (0, 0, 1)], [(0.95, 2, 1), (0.05, -8, 1)]),
        mixture("two covariances", [(1, 0, 1)], [(1, 2, 2)]),
        log_normal_classes(),
    ]


# ---- simulation ---------------------------------------------------------------------------


def simulate_normal(distance: float, n_rows: int, n_repeats: int, seed: int = 0) -> pd.DataFrame:
    """Return the exact excess error of each model on the same samples."""
    truth = normal_classes(distance)
    rng = np.random.default_rng([seed, n_rows, int(100 * distance)])
    least = bayes_error(distance)
    rows = []
    for _ in range(n_repeats):
        X, y = truth.sample(n_rows, rng)
        rows.append(
            {
                name: exact_error(*linear_rule(model.fit(X, y), N_COLUMNS), distance) - least
                for name, model in models().items()
            }
        )
    return pd.DataFrame(rows)


def ratio(above: pd.Series, below: pd.Series) -> tuple[float, float]:
    """Return the ratio of two means over the same samples, and its standard error."""
    found = float(above.mean() / below.mean())
    error = (above - found * below).std() / below.mean() / np.sqrt(len(above))
    return found, float(error)


def measure_excess(truth: Truth, sizes, n_repeats: int, seed: int = 0) -> pd.DataFrame:
    """Return error (percent) and log loss above those of the Bayes rule on the same rows."""
    rng = np.random.default_rng([seed, *truth.name.encode()])
    X_test, y_test = truth.sample(N_TEST, rng)
    best = score(truth.log_odds(X_test), y_test)
    rows = []
    for n_rows in sizes:
        for _ in range(n_repeats):
            X, y = truth.sample(n_rows, rng)
            for name, model in models().items():
                intercept, slopes = linear_rule(model.fit(X, y), N_COLUMNS)
                error, loss = score(intercept + X_test @ slopes, y_test)
                rows.append((name, n_rows, error - best[0], loss - best[1], best[0]))
    return pd.DataFrame(rows, columns=["model", "rows", "error", "log loss", "bayes"])


def score(log_odds: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the error in percent and the log loss."""
    wrong = 100.0 * np.mean((log_odds > 0) != (y == 1))
    return float(wrong), float(np.logaddexp(0.0, np.where(y == 1, -log_odds, log_odds)).mean())


# ---- tables and figures -------------------------------------------------------------------


def report_normal() -> None:
    columns = [f"n = {n}" for n in NORMAL_SIZES]
    print("| Δ | Bayes' error | Efron's limit | " + " | ".join(columns) + " |")
    print("|---|---|---|" + "---|" * len(columns))
    found: dict[int, list[tuple[float, float]]] = {n: [] for n in NORMAL_SIZES}
    times = []
    for distance in DISTANCES:
        cells = []
        for n_rows in NORMAL_SIZES:
            excess = simulate_normal(distance, n_rows, NORMAL_REPEATS)
            found[n_rows].append(ratio(excess["LDA"], excess["LR"]))
            cells.append("{:.3f} ± {:.3f}".format(*found[n_rows][-1]))
        times.append(compare_limits(distance, n_rows, excess))
        limits = f"{100 * bayes_error(distance):.2f} % | {efron_efficiency(distance):.3f}"
        print(f"| {distance:g} | {limits} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n| Δ | n × excess of LDA, n = {n_rows} (its limit) | of LR |\n|---|---|---|")
    print("\n".join(times), end="\n\n")
    grid = np.linspace(0.05, 4.0, 60)
    lines = [Line("Efron's limit", grid, [efron_efficiency(d) for d in grid])]
    for n_rows in NORMAL_SIZES[::2]:
        mean, error = np.array(found[n_rows]).T
        band = (mean - 2 * error, mean + 2 * error)
        lines.append(Line(f"{n_rows} rows", DISTANCES, mean, *band))
    save(
        "simulation-efficiency",
        line_chart(
            lines,
            title="Normal classes: efficiency of LR relative to LDA",
            x_label="distance of the means, in standard deviations",
            y_label="excess error of LDA / excess error of LR (± 2 standard errors)",
        ),
    )


def compare_limits(distance: float, n_rows: int, excess: pd.DataFrame) -> str:
    """Return n × excess of each model and its limit, as a row of a table."""
    limits = limits_of_excess(distance, N_COLUMNS)
    scaled = n_rows * excess
    cells = [
        f"{scaled[name].mean():.3f} ± {scaled[name].sem():.3f} ({limit:.3f})"
        for name, limit in limits.items()
    ]
    return f"| {distance:g} | " + " | ".join(cells) + " |"


def report_others() -> None:
    print(
        "| classes | Bayes' error | model | "
        + " | ".join(f"n = {n}" for n in OTHER_SIZES)
        + " | n → ∞ |"
    )
    print("|---|---|---|" + "---|" * (len(OTHER_SIZES) + 1))
    for truth in truths():
        frame = measure_excess(truth, OTHER_SIZES, OTHER_REPEATS)
        limit = measure_excess(truth, [N_LIMIT], 1).set_index("model")
        lines = []
        for name, own in frame.groupby("model", sort=False):
            by_size = own.groupby("rows")[["error", "log loss"]].agg(["mean", "sem"])
            error, loss = by_size["error"], by_size["log loss"]["mean"]
            cells = [f"{error['mean'][n]:.2f} / {loss[n]:.3f}" for n in OTHER_SIZES]
            cells.append(f"{limit['error'][name]:.2f} / {limit['log loss'][name]:.3f}")
            start = f"| {truth.name} | {own['bayes'].iloc[0]:.2f} | {name} | "
            print(start + " | ".join(cells) + " |", flush=True)
            mean, spread = error["mean"].to_numpy(), 2 * error["sem"].to_numpy()
            lines.append(Line(str(name), np.log2(OTHER_SIZES), mean, mean - spread, mean + spread))
        slug = truth.name.replace(",", "").replace(" = ", "-").replace("Δ", "d").replace(" ", "-")
        save(
            f"simulation-{slug.lower()}",
            line_chart(
                lines,
                title=f"{truth.name}: excess error over Bayes' rule",
                x_label="training rows, as a power of two (5 is 32 rows, 10 is 1024)",
                y_label="points of error above the Bayes error (± 2 standard errors)",
            ),
        )


def save(name: str, svg: str) -> None:
    (FIGURES / f"{name}.svg").write_text(svg + "\n", encoding="utf-8")


def main() -> None:
    report_normal()
    report_others()


if __name__ == "__main__":
    main()
