"""Learning curves of naive Bayes, logistic regressions and hybrids.

Honest protocol: everything is learned from the training rows. `python -m benchmarks
learning_curves` prints the tables of docs/results/learning-curves.md and draws its figures. It
takes about four minutes on one core.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log, log2
from pathlib import Path

import numpy as np
import pandas as pd

from augury.data import load_dataset
from augury.discriminative import LogisticRegression
from augury.evaluate import FoldResult, GrowingSamples, cross_validate
from augury.generative import NaiveBayes
from augury.hybrid import AugmentedClassifier, BlendedNaiveBayes
from augury.report import Line, line_chart

# Chosen before any result was known: labels only, numbers only, both.
SETS = "mushroom kr-vs-kp splice vote waveform-5000 segment credit-g sick".split()
N_REPEATS = 10
TEST_SHARE = 0.3
FIRST_SIZE = 16
FIGURES = Path(__file__).parents[2] / "docs" / "results" / "figures"

NORMAL, BARE = "NB, normal", "LR, bare"
# Pairs of a generative and a discriminative model: our defaults, and those of Ng and Jordan.
PAIRS = {"defaults": ("NB", "LR"), "Ng and Jordan's": (NORMAL, BARE)}


def models():
    """Return the models; the last equals NB, and is left out, if no column has numbers."""
    return {
        "NB": NaiveBayes(),
        "LR": LogisticRegression(),
        # Most of log p(c, x) is p(x): with λ = 0.5 the weight of p(c | x) would be small.
        "blended": BlendedNaiveBayes(blend=0.9),
        "NB-LR": AugmentedClassifier(),
        # If a plane separates the classes, the loss is flat far from its minimum.
        BARE: LogisticRegression(C=1e4, continuous="standardize", tol=1e-6),
        NORMAL: NaiveBayes(discretizer=None),
    }


def doubled_sizes(n_rows: int) -> list[int]:
    """Return 16, 32, 64, …, up to the number of rows that are not for testing.

    >>> doubled_sizes(100)
    [16, 32, 64]
    """
    n_pool = n_rows - round(TEST_SHARE * n_rows)
    return [2**k for k in range(int(log2(FIRST_SIZE)), int(log2(n_pool)) + 1)]


def run(name: str) -> pd.DataFrame:
    """Return one row for each model, size and run."""
    dataset = load_dataset(name)
    chosen = models()
    if not len(dataset.X.select_dtypes("number").columns):
        del chosen[NORMAL]
    splitter = GrowingSamples(
        doubled_sizes(len(dataset.X)), n_repeats=N_REPEATS, test_share=TEST_SHARE
    )
    return as_frame(cross_validate([dataset], chosen, splitter))


def as_frame(rows: Iterable[FoldResult]) -> pd.DataFrame:
    """Return errors in percent and log losses; lower is better for both."""
    return pd.DataFrame(
        {
            "model": row.model,
            "rows": row.n_train,
            "run": row.run,
            "error": 100.0 * (1.0 - row.accuracy),
            "log loss": row.log_loss,
        }
        for row in rows
    )


# ---- comparison of the curves -------------------------------------------------------------


def overtaking(sizes: Sequence[int], lead: Sequence[float]) -> str:
    """Return the size from which the second model is better; `lead` is that of the first.

    >>> overtaking([16, 32, 64], [1.0, -0.5, -2.0])
    '32'
    >>> overtaking([16, 32, 64], [-1.0, 0.5, 2.0])
    'never'
    """
    behind = [size for size, difference in zip(sizes, lead, strict=True) if difference >= 0]
    if not behind:
        return "from the start"
    later = [size for size in sizes if size > behind[-1]]
    return str(later[0]) if later else "never"


def paired_lead(frame: pd.DataFrame, pair: tuple[str, str], measure: str) -> pd.DataFrame:
    """Return the mean lead of the first model at each size, and its standard error."""
    wide = frame.pivot(index=["rows", "run"], columns="model", values=measure)
    lead = (wide[pair[1]] - wide[pair[0]]).groupby("rows")
    return pd.DataFrame({"mean": lead.mean(), "error": lead.std() / np.sqrt(lead.size())})


def crossings(name: str, frame: pd.DataFrame) -> list[str]:
    """Return a row of the table of crossings for each pair and measure."""
    rows = []
    for label, (generative, discriminative) in PAIRS.items():
        known = generative if generative in set(frame["model"]) else "NB"
        for measure, decimals in (("error", 1), ("log loss", 3)):
            lead = paired_lead(frame, (known, discriminative), measure)
            sizes = lead.index.tolist()
            leads = [
                f"{lead['mean'][size]:+.{decimals}f} ± {lead['error'][size]:.{decimals}f}"
                for size in (sizes[0], 128, sizes[-1])
            ]
            cells = [name, label, measure, *leads[:2], f"{leads[2]} ({sizes[-1]})"]
            cells.append(overtaking(sizes, lead["mean"].tolist()))
            rows.append("| " + " | ".join(cells) + " |")
    return rows


def table(name: str, frame: pd.DataFrame) -> str:
    """Return error and log loss of each model at each size as Markdown, the lowest in bold."""
    means = frame.groupby(["rows", "model"], sort=False)[["error", "log loss"]].mean()
    names = list(dict.fromkeys(frame["model"]))
    lines = [
        f"| {name}: rows | " + " | ".join(names) + " |",
        "|---:|" + "---|" * len(names),
    ]
    for size in dict.fromkeys(frame["rows"]):
        here = means.loc[size]
        least = here.min()
        cells = []
        for model in names:
            error, loss = (
                f"**{text}**" if here.loc[model, measure] == least[measure] else text
                for measure, text in (
                    ("error", f"{here.loc[model, 'error']:.1f}"),
                    ("log loss", f"{here.loc[model, 'log loss']:.3f}"),
                )
            )
            cells.append(f"{error} / {loss}")
        lines.append(f"| {size} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def count_wins(frames: Mapping[str, pd.DataFrame]) -> str:
    """Return the number of data sets on which a model has the lowest mean, ties included."""
    names = list(models())
    lines = ["| measure | rows | sets | " + " | ".join(names) + " |"]
    lines.append("|---|---:|---:|" + "---:|" * len(names))
    for measure in ("error", "log loss"):
        means = pd.concat(
            [
                frame.groupby(["rows", "model"])[measure].mean().unstack()
                for frame in frames.values()
            ]
        )
        least = means.eq(means.min(axis=1), axis=0)
        for size, own in least.groupby("rows"):
            wins = [str(int(own[name].sum())) for name in names]
            lines.append(f"| {measure} | {size} | {len(own)} | " + " | ".join(wins) + " |")
    return "\n".join(lines)


# ---- figures ------------------------------------------------------------------------------


def draw(name: str, frame: pd.DataFrame, measure: str, ceiling: float = np.inf) -> str:
    """Draw means by powers of two, with bands of ± 1 standard deviation over the runs."""
    lines, hidden = [], False
    for model, own in frame.groupby("model", sort=False):
        by_size = own.groupby("rows")[measure].agg(["mean", "std"])
        mean = by_size["mean"].where(by_size["mean"] <= ceiling)
        hidden |= bool(mean.isna().any())
        if mean.isna().all():
            continue
        lower, upper = mean - by_size["std"], np.minimum(mean + by_size["std"], ceiling)
        x = np.log2(by_size.index.to_numpy())
        lines.append(Line(str(model), x, mean, np.maximum(lower, 0.0), upper))
    what = "error, percent" if measure == "error" else measure
    cut = f" (means above {ceiling:.2f} are left out)" if hidden else ""
    return line_chart(
        lines,
        title=f"{name}: {measure} by training rows{cut}",
        x_label="training rows, as a power of two (4 is 16 rows, 10 is 1024)",
        y_label=what,
    )


def main() -> None:
    frames = {}
    found = []
    for name in SETS:
        frame = frames[name] = run(name)
        print(table(name, frame), end="\n\n", flush=True)
        found += crossings(name, frame)
        n_classes = load_dataset(name).y.nunique()
        # Twice the loss of the uniform distribution. Larger losses would hide the differences.
        for measure, ceiling in (("error", np.inf), ("log loss", 2.0 * log(n_classes))):
            path = FIGURES / f"learning-{name}-{measure.replace(' ', '-')}.svg"
            path.write_text(draw(name, frame, measure, ceiling) + "\n", encoding="utf-8")
    print("| set | pair | measure | lead at 16 | at 128 | at the most rows | LR ahead from |")
    print("|---|---|---|---|---|---|---|")
    print("\n".join(found), end="\n\n")
    print(count_wins(frames))


if __name__ == "__main__":
    main()
