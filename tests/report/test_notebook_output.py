"""What a notebook shows of a comparison, an explanation and a model, in Chromium."""

import numpy as np
import pytest

import augury
from augury import NaiveBayes
from augury.models.catalogue import known_models
from augury.models.tidy_model import tidy_model
from tests.report.one_table import make_table
from tests.report.test_accessibility import violations

DATASET = make_table(2)
FRAME = DATASET.X.assign(outcome=DATASET.y)
NOTEBOOK = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>notebook</title>
<style>body {{ background: {ground}; color: {ink}; color-scheme: {scheme}; font: 14px sans-serif;
margin: 8px; }} table {{ border-collapse: collapse; font-size: 12px; }}
td, th {{ padding: 0.3em 0.5em; text-align: right; }}</style></head>
<body><main><h1>Notebook</h1>{content}</main></body></html>"""
COLOURS = {"light": ("#ffffff", "#111111"), "dark": ("#111111", "#eeeeee")}


@pytest.fixture(scope="module")
def outputs():
    compared = augury.compare(
        FRAME, "outcome", models=["nb", "lr", "majority"], threshold="auto", folds=3, n_jobs=1
    )
    explained = NaiveBayes().fit(DATASET.X, DATASET.y).explain(DATASET.X.iloc[:2])
    return compared._repr_html_(), explained._repr_html_()


@pytest.mark.parametrize("scheme", COLOURS)
def test_outputs_fit_light_and_dark_notebooks(open_html, axe, outputs, scheme):
    ground, ink = COLOURS[scheme]
    page = open_html(
        NOTEBOOK.format(ground=ground, ink=ink, scheme=scheme, content="<hr>".join(outputs)),
        width=800,
        color_scheme=scheme,
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    colours = page.locator("td, th, p, caption").evaluate_all(
        "(cells) => [...new Set(cells.map((cell) => getComputedStyle(cell).color))]"
    )
    assert len(colours) == 1, "all text has the colour of the notebook"
    bars = page.locator("td[aria-hidden] span")
    widths = bars.evaluate_all("(bars) => bars.map((bar) => bar.getBoundingClientRect().width)")
    assert min(widths) > 0
    assert max(widths) > 50
    assert page.locator("code").first.inner_text() in ("nb", "lr")
    assert violations(page, axe) == []


def test_the_leaderboard_has_the_thresholds(outputs):
    assert '<th scope="col">threshold</th>' in outputs[0]
    assert "<strong>Use <code>" in outputs[0]


def test_a_comparison_with_costs_shows_them_beside_the_measure():
    costs = np.array([[0, 3], [1, 0]])
    given = {"models": ["nb", "majority"], "folds": 3, "repeats": 1, "n_jobs": 1}
    found = augury.compare(FRAME, "outcome", costs=costs, measure="auc", **given)
    assert '<th scope="col">expected cost</th>' in found._repr_html_()
    by_cost = augury.compare(FRAME, "outcome", costs=costs, **given)._repr_html_()
    assert by_cost.count("xpected cost</th>") == 1


@pytest.mark.parametrize(
    "name", [each.name for each in known_models().values() if each.path.startswith("augury.")]
)
def test_the_diagram_of_every_fitted_model(name):
    """scikit-learn asks a fitted model for all of its attributes."""
    model = tidy_model(name).fit(DATASET.X, DATASET.y)
    assert type(model[-1]).__name__ in model._repr_html_()
