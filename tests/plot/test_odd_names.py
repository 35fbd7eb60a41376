"""Names and classes that matplotlib would read as mathematics or leave out."""

from pathlib import Path

import pandas as pd
import pytest

from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.plot import (
    ClassConditionalDisplay,
    DecisionRegionsDisplay,
    DensitySurfaceDisplay,
    LearningCurveDisplay,
    ReliabilityDisplay,
)

FIRST, SECOND = "price in $ \\frac{", "$_{broken$"
CLASSES = ["_hidden", "$\\alpha_{$ or\nmore"]


@pytest.fixture
def table():
    X = pd.DataFrame({FIRST: range(40), SECOND: [k * k % 7 for k in range(40)]}, dtype=float)
    return X, [CLASSES[k > 18 + k % 3] for k in range(40)]


def legend_texts(display) -> list[str]:
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_names_are_drawn_as_they_are(table, tmp_path: Path) -> None:
    X, y = table
    lda = LinearDiscriminantAnalysis().fit(X, y)
    nb = NaiveBayes().fit(X, y)
    labels = X.assign(**{FIRST: [f"$_{{{k % 3}" for k in range(40)]})
    displays = [
        DecisionRegionsDisplay.from_estimator(lda, X, y),
        DecisionRegionsDisplay.from_estimator(NaiveBayes().fit(labels, y), labels, y),
        ClassConditionalDisplay.from_estimator(lda, FIRST),
        ClassConditionalDisplay.from_estimator(nb, SECOND),
        ClassConditionalDisplay.from_estimator(NaiveBayes().fit(labels, y), FIRST),
        DensitySurfaceDisplay.from_estimator(lda),
    ]
    for k, display in enumerate(displays):
        assert legend_texts(display)[:2] == ["\\$\\alpha_{\\$ or more", CLASSES[0]]
        display.save(tmp_path / f"{k}.svg")


def test_models_and_events(table, tmp_path: Path) -> None:
    X, y = table
    curve = LearningCurveDisplay.from_estimators(
        {"_nb$": NaiveBayes()}, X, y, sizes=[8, 16], n_repeats=2, title="$x_{"
    )
    assert legend_texts(curve) == ["_nb\\$"]
    curve.save(tmp_path / "c.svg")
    model = NaiveBayes().fit(X, y)
    diagram = ReliabilityDisplay.from_estimator(model, X, y, name="_m$", positive=CLASSES[1])
    assert legend_texts(diagram)[1].endswith("(_m\\$)")
    diagram.save(tmp_path / "r.svg")
