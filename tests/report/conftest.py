"""A browser, and summaries like those of `augury.summary.summarize_store`, made up."""

import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from augury.report import render_page

MEASURES = [
    ("accuracy", "Accuracy", "%", 2, True),
    ("log_loss", "Log loss", "nats", 3, False),
    ("brier", "Brier score", "", 3, False),
]
MODELS = {
    "nb": ("generative", "NaiveBayes"),
    "hnb": ("generative", "HiddenNaiveBayes"),
    "lr": ("discriminative", "LogisticRegression"),
    "nb-lr": ("hybrid", "AugmentedClassifier"),
    "tan": ("generative", "TreeAugmentedNaiveBayes"),
    "aode": ("generative", "AveragedOneDependence"),
    "kdb": ("generative", "KDependenceBayes"),
    "bn-acll": ("generative", "BayesianNetworkClassifier"),
    "j48": ("discriminative", "C45Tree"),
    "knn": ("discriminative", "KNearestNeighbors"),
    "svm": ("discriminative", "LinearSVM"),
    "hnb-lr": ("hybrid", "AugmentedClassifier"),
    "boosted-nb": ("ensemble", "BoostedNaiveBayes"),
}
DATASETS = (
    "anneal audiology autos balance-scale breast-cancer breast-w colic credit-a credit-g diabetes "
    "glass heart-c heart-h heart-statlog hepatitis hypothyroid ionosphere iris kr-vs-kp labor "
    "letter lymph mushroom primary-tumor segment sick sonar soybean splice vehicle vote vowel "
    "waveform-5000 zoo anneal.ORIG colic.ORIG"
).split()
CLASSES = {"letter": 26, "audiology": 24, "primary-tumor": 22, "soybean": 19, "vowel": 11}
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120" width="240" height="120" '
    'font-family="sans-serif" font-size="13">{}</svg>'
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


# Of a module, not of the session: while playwright runs, no other test of this process could
# use asyncio.
@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail(
            "the page is tested in Chromium, which is not installed: as root, "
            "`apt-get install chromium` (`make test` does that), or ask who is root"
        )
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def open_summary(browser, tmp_path):
    """Return what opens a summary; no complaint and no request may have come of it."""
    contexts, complaints = [], []

    def open_it(summary, *, width=1280, height=900, **settings):
        file = tmp_path / "report.html"
        file.write_text(render_page(summary), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("file:", "data:", "blob:"))
                else complaints.append(request.url)
            ),
        )
        page.goto(file.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="session")
def make_summary() -> Callable[..., dict[str, Any]]:
    return build_summary


def build_summary(
    n_datasets: int = 6, n_models: int = 4, rename: Callable[[str], str] = str, seed: int = 0
) -> dict[str, Any]:
    """Return a full summary; `rename` is given every name that a user may choose."""
    random = np.random.default_rng(seed)
    models = [rename(name) for name in list(MODELS)[:n_models]]
    datasets = [rename(name) for name in DATASETS[:n_datasets]]
    skill = {
        "accuracy": 78 + np.linspace(0, 7, n_models) + random.uniform(-12, 12, (n_datasets, 1)),
        "log_loss": 0.7 - np.linspace(0, 0.2, n_models) + random.uniform(0, 0.5, (n_datasets, 1)),
        "brier": 0.4 - np.linspace(0, 0.1, n_models) + random.uniform(0, 0.2, (n_datasets, 1)),
    }
    means = {
        key: values + random.normal(0, values.std() / 12, values.shape)
        for key, values in skill.items()
    }
    summary: dict[str, Any] = {
        "format": 1,
        "title": rename(f"{n_models} models on {n_datasets} data sets"),
        "created": "2026-11-16T04:30:00+00:00",
        "augury": "0.1.0",
        "experiment": {
            "protocol": "published",
            "folds": 10,
            "repeats": 10,
            "seed": 0,
            "reference": models[0],
        },
        "warnings": [
            (
                "The published protocol replaces gaps and cuts numbers on the whole data set, test "
                "rows included, before it splits: the numbers are optimistic."
            ),
            rename("No probabilities of j48: it has no log loss."),
        ],
        "environments": [
            {
                "python": "3.11.7",
                "packages": {"numpy": "2.4.6", "scikit-learn": "1.9.1"},
                "machine": "x86_64",
                "system": "Linux",
                "processors": 2,
            }
        ],
        "failures": [
            {
                "dataset": datasets[0],
                "model": models[-1],
                "run": 3,
                "fold": 7,
                "error": rename("ValueError: no rows"),
                "traceback": rename("Traceback (most recent call last):\n  …\nValueError: no rows"),
            }
        ],
        "models": [
            {
                "name": models[i],
                "class": f"augury.{family}.{name}",
                "parameters": {"alpha": 1.0, "missing": rename("state")},
                "family": family,
                "has_probabilities": True,
            }
            for i, (family, name) in enumerate(list(MODELS.values())[:n_models])
        ],
        "datasets": [
            _dataset(name, original, rename, random)
            for name, original in zip(datasets, DATASETS, strict=False)
        ],
        "measures": [
            dict(
                zip(("key", "title", "unit", "decimals", "higher_is_better"), measure, strict=True)
            )
            for measure in MEASURES
        ],
        "shared": datasets,
    }
    _add_comparisons(summary, means, models, random)
    _add_behaviour(summary, datasets, models, rename, random)
    return summary


def _dataset(name: str, original: str, rename: Any, random: np.random.Generator) -> dict[str, Any]:
    n_classes = CLASSES.get(original, 3)
    counts = random.integers(20, 300, n_classes).tolist()
    return {
        "name": name,
        "n_rows": sum(counts),
        "n_columns": 17,
        "n_numeric": 6,
        "n_missing": 22,
        "source": rename(f"{original}.arff"),
        "dropped": [rename("id")],
        "checksum": "5f1d7a84db00d2fce00b31a7fc73224f",
        "target": rename("class"),
        "classes": [rename(f"class {c}") for c in range(n_classes)],
        "class_counts": counts,
    }


def _add_comparisons(
    summary: dict[str, Any],
    means: dict[str, Any],
    models: list[str],
    random: np.random.Generator,
) -> None:
    parts: dict[str, Any] = {
        name: {} for name in ("cells", "marks", "win_tie_loss", "averages", "wilcoxon", "friedman")
    }
    n_models = len(models)
    ranks = {}
    for key, _, _, _, higher in MEASURES:
        values = means[key]
        size = values.std() / 12
        better = values if higher else -values
        parts["cells"][key] = [
            [{"mean": float(v), "std": float(abs(v) / 30), "n": 100} for v in row] for row in values
        ]
        signs = np.where(
            better[:, None] > better[:, :, None] + 2 * size,
            "+",
            np.where(better[:, None] < better[:, :, None] - 2 * size, "-", "="),
        )
        for m in range(n_models):
            signs[:, m, m] = "."
        marks = [["".join(row) for row in signs[:, r]] for r in range(n_models)]
        parts["marks"][key] = marks
        parts["win_tie_loss"][key] = [
            [
                None if m == r else [sum(row[m] == sign for row in marks[r]) for sign in "+=-"]
                for m in range(n_models)
            ]
            for r in range(n_models)
        ]
        ranks[key] = (1 + (better[:, None] > better[:, :, None]).sum(axis=2)).mean(axis=0)
        parts["averages"][key] = [
            {"mean": float(mean), "rank": float(rank)}
            for mean, rank in zip(values.mean(axis=0), ranks[key], strict=True)
        ]
        parts["wilcoxon"][key] = _pairs(models, ranks[key])
        order = np.argsort(ranks[key])
        parts["friedman"][key] = {
            "chi2": 31.2,
            "chi2_p": 0.00002,
            "f": 6.1,
            "f_p": 0.0123,
            "n_datasets": len(values),
            "mean_ranks": ranks[key].tolist(),
            "critical_difference": 0.25 * n_models,
            "alpha": 0.05,
            "groups": [
                [models[i] for i in order[:2]],
                [models[i] for i in order[1 : 1 + max(n_models // 2, 2)]],
            ],
            "holm": [
                {"model": name, "p": 0.01 * i, "adjusted_p": 0.03 * i, "rejected": i < 2}
                for i, name in enumerate(models[1:])
            ],
        }
    summary.update(parts)
    times = 2.0 ** random.uniform(0, 10, n_models)
    board = [
        {
            "model": name,
            **{key: float(means[key].mean(axis=0)[i]) for key in means},
            "accuracy_rank": float(ranks["accuracy"][i]),
            "fit_ms": float(times[i]),
            "predict_ms": float(times[i] / 7),
            "fit_ratio_to_reference": float(times[i] / times[0]),
            "n_datasets": len(means["accuracy"]),
            "n_failed": int(i == n_models - 1),
        }
        for i, name in enumerate(models)
    ]
    summary["leaderboard"] = sorted(board, key=lambda row: row["accuracy_rank"])


def _pairs(models: list[str], ranks: Any) -> dict[str, Any]:
    distance = ranks[:, None] - ranks[None]

    def words(least: float) -> list[list[str | None]]:
        return [
            [
                None if i == j else "row" if d < -least else "column" if d > least else ""
                for j, d in enumerate(row)
            ]
            for i, row in enumerate(distance)
        ]

    return {
        "models": models,
        "p": [
            [None if i == j else float(np.exp(-3 * abs(d))) for j, d in enumerate(row)]
            for i, row in enumerate(distance)
        ],
        "better": words(1.0),
        "better_10": words(0.76),
        "rank_sums": [
            [None if i == j else [100.0, 66.0] for j in range(len(models))]
            for i in range(len(models))
        ],
    }


def _add_behaviour(
    summary: dict[str, Any],
    datasets: list[str],
    models: list[str],
    rename: Any,
    random: np.random.Generator,
) -> None:
    def split() -> dict[str, float]:
        bias, variance = random.uniform(0.02, 0.3), random.uniform(0.01, 0.12)
        return {"error": bias + variance, "bias": bias, "variance": variance}

    def bins() -> dict[str, Any]:
        rows = []
        for b in range(10):
            confidence = (b + 0.5) / 10
            accuracy = float(np.clip(confidence - random.uniform(0, 0.15), 0, 1))
            rows.append(
                {
                    "low": b / 10,
                    "high": (b + 1) / 10,
                    "n": 0 if b < 3 else int(50 * b**2),
                    "confidence": None if b < 3 else confidence,
                    "accuracy": None if b < 3 else accuracy,
                }
            )
        return {"bins": rows, "ece": float(random.uniform(0.01, 0.1))}

    def table() -> dict[str, Any]:
        return {
            "datasets": [[split() for _ in models] for _ in datasets],
            "averages": [split() for _ in models],
        }

    summary["bias_variance"] = {
        "runs": 10,
        "method": "webb",
        **table(),
        "kohavi_wolpert": table(),
    }
    summary["reliability"] = [bins() for _ in models]
    summary["reliability_by_dataset"] = [[bins() for _ in models] for _ in datasets]
    sizes = [50, 100, 200, 400, 800, 1600]
    summary["learning_curves"] = [
        {
            "dataset": name,
            "measure": "accuracy",
            "sizes": sizes,
            "curves": [
                {
                    "model": model,
                    "mean": (90 - 60 / np.sqrt(np.array(sizes) / 10 + i)).tolist(),
                    "std": [2.0, 1.6, 1.2, 0.9, 0.6, 0.4],
                }
                for i, model in enumerate(models[:4])
            ],
        }
        for name in datasets[:2]
    ]
    summary["confusion"] = []
    summary["portraits"] = []
    for described in summary["datasets"]:
        counts = np.array(described["class_counts"], dtype=float)
        n_classes = len(counts)
        wrong = 0.15 * counts[:, None] / max(n_classes - 1, 1)
        matrix = np.where(np.eye(n_classes, dtype=bool), 0.85 * counts[:, None], wrong).round(1)
        summary["confusion"].append([matrix.tolist() for _ in models])
        influence = [
            {"feature": rename(f"feature {i}"), "value": 1.4 / (i + 1), "detail": rename("bits")}
            for i in range(17)
        ]
        label = described["name"].replace("&", "&amp;").replace("<", "&lt;")
        drawing = DRAWING.format(
            '<rect x="70" y="10" width="100" height="30" fill="#fdf3d8" stroke="#888"/>'
            f'<text x="120" y="30" text-anchor="middle">{label}</text>'
        )
        summary["portraits"].append(
            {
                models[-1]: {
                    "svg": drawing,
                    "text": rename("feature 1 | class"),
                    "influence": influence,
                    "n_features": 20,
                    "notes": [rename("3 of 20 columns were not moved.")],
                    "influence_unit": rename("mutual information with the class, bits"),
                }
            }
        )
