"""The page of one table in Chromium: nomogram and what-if form equal Python, keyboard, screens."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from sklearn.pipeline import make_pipeline

import augury.report
from augury.discriminative import AdditiveLogisticRegression, LogisticRegression
from augury.encode import TidyColumns
from augury.explain.additive_export import export_additive
from augury.explain.nomogram import make_nomogram
from augury.generative import NaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.models.wrapped_models import find_deciding_part
from augury.report import render_table_page
from augury.summary.contents.table_summary import TableSummary
from tests.report.one_table import compare_table, widen

SCRIPTS = Path(augury.report.__file__).parent / "assets" / "table"


def number(locator):
    return float(locator.get_attribute("data-value"))


def probabilities(page):
    cells = page.locator("#what-if-probabilities td.number")
    return cells.evaluate_all("(cells) => cells.map((cell) => Number(cell.dataset.value))")


def contributions(page):
    rows = page.locator("#what-if-contributions tr[data-column]").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.column, "
        "Number(row.querySelector('td.number').dataset.value)])"
    )
    return dict(rows)


def points(page):
    cards = page.locator(".value-card").evaluate_all(
        "(cards) => cards.map((card) => [card.dataset.column, "
        "Number(card.querySelector('.points').dataset.value)])"
    )
    return dict(cards)


def choose_pair(page, positive, negative):
    page.locator("#what-if-positive").select_option(label=positive)
    page.locator("#what-if-negative").select_option(label=negative)


class TestScript:
    """The functions of additive_model.js and nomogram_points.js, without a page."""

    @pytest.mark.parametrize("model", ["nb", "gaussian-nb", "lr", "gam", "nb-hybrid"])
    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_probabilities_equal_python(self, browser, model, n_classes):
        dataset = compare_table(n_classes=n_classes).dataset
        fitted = make_models()[model].fit(dataset.X, dataset.y)
        exported = export_additive(fitted, dataset.X)
        rows = new_rows(dataset.X)
        page = browser.new_page()
        page.add_script_tag(content=(SCRIPTS / "additive_model.js").read_text("utf-8"))
        found = page.evaluate(
            "([form, rows]) => rows.map((row) => probabilitiesOf(form, row))",
            [exported.form.to_json(), exported.read(rows)],
        )
        page.close()
        np.testing.assert_allclose(found, fitted.predict_proba(rows), atol=1e-6, rtol=0)

    def test_of_many_classes_the_most_probable_are_listed(self, browser):
        page = browser.new_page()
        for name in ("../elements.js", "additive_model.js", "scales.js", "what_if.js"):
            page.add_script_tag(content=(SCRIPTS / name).read_text("utf-8"))
        classes = [f"C{c}" for c in range(300)]
        probabilities = [(c % 100) / 14850 for c in range(300)]
        found = page.evaluate(
            """([classes, probabilities]) =>
               probabilityTable({ classes }, probabilities).map((row) =>
                 [row.children[0].textContent, Number(row.children[2].dataset.value)])""",
            [classes, probabilities],
        )
        page.close()
        shown = ["C99", "C199", "C299", "C98", "C198", "C298", "C97", "C197", "C297", "C96"]
        assert [label for label, _ in found] == [*shown, "290 other classes"]
        assert sum(share for _, share in found) == pytest.approx(1)


def make_models():
    models = {
        "nb": NaiveBayes(),
        "gaussian-nb": NaiveBayes(continuous="gaussian"),
        "lr": LogisticRegression(),
        "gam": AdditiveLogisticRegression(C=10.0),
        "nb-hybrid": AugmentedClassifier(),
    }
    return {name: make_pipeline(TidyColumns(), model) for name, model in models.items()}


def new_rows(X):
    """Return rows with an unseen label, gaps, and numbers far away."""
    rows = X.iloc[:30].copy()
    rows.loc[0, "blood type"] = "an unseen label"
    rows.loc[1, ["blood type", "pulse", "temperature"]] = [None, np.nan, np.nan]
    rows.loc[2, ["pulse", "temperature"]] = [-50.0, 300.0]
    return rows


class TestWhatIf:
    def test_typed_values_equal_python(self, open_table):
        compared = compare_table()
        page = open_table(compared.summary)
        page.get_by_label("blood type", exact=True).select_option("AB")
        page.get_by_label("pulse", exact=True).fill("91")
        page.get_by_label("temperature", exact=True).fill("")  # missing
        page.get_by_label("admitted", exact=True).fill("2024-07-15")
        page.get_by_label("ward", exact=True).select_option("west")
        choose_pair(page, "poor", "fair")
        row = compared.dataset.X.iloc[[0]].copy()
        row[["blood type", "pulse", "temperature"]] = ["AB", 91.0, np.nan]
        row[["admitted", "ward"]] = ["2024-07-15", "west"]
        expected = compared.shown.predict_proba(row)[0]
        np.testing.assert_allclose(probabilities(page), expected, atol=1e-6, rtol=0)
        part = find_deciding_part(compared.shown, row)
        explained = part.estimator.explain(part.rows, positive="poor", negative="fair").iloc[0]
        found = contributions(page)
        assert found.keys() == set(explained.index)
        for name, value in explained.items():
            assert found[name] == pytest.approx(value, abs=1e-6), name
        total = number(page.locator("#what-if-contributions tr.total td.number"))
        assert total == pytest.approx(np.log(expected[2] / expected[0]), abs=1e-6)
        assert sum(found.values()) == pytest.approx(total, abs=1e-9)

    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_nomogram_equals_python(self, open_table, n_classes):
        compared = compare_table(n_classes=n_classes)
        page = open_table(compared.summary)
        hardest = compared.summary.opened.hardest
        page.locator("#what-if-row").select_option("0")
        choose_pair(page, "good", "fair")
        X = compared.dataset.X
        nomogram = make_nomogram(
            compared.shown,
            positive="good",
            negative="fair",
            X=X,
            row=X.iloc[[hardest[0].row - 1]],
        )
        expected = dict(zip([c.name for c in nomogram.columns], nomogram.row_points(), strict=True))
        found = points(page)
        assert list(found) == list(expected)  # the column with the largest range first
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, abs=1e-6), name
        total = number(page.locator("#what-if-total"))
        assert total == pytest.approx(sum(expected.values()), abs=1e-5)

    def test_every_hard_row_can_be_chosen(self, open_table):
        compared = compare_table()
        page = open_table(compared.summary)
        rows = compared.summary.opened.hardest
        assert len(rows) > 2
        for k, each in enumerate(rows):
            page.locator("#what-if-row").select_option(str(k))
            row = compared.dataset.X.iloc[[each.row - 1]]
            expected = compared.shown.predict_proba(row)[0]
            np.testing.assert_allclose(probabilities(page), expected, atol=1e-6, rtol=0)
        page.locator("#what-if-row").select_option("-1")
        assert page.get_by_label("pulse", exact=True).input_value() == str(
            int(compared.dataset.X["pulse"].median())
        )

    def test_unseen_labels(self, open_table):
        compared = compare_table()
        page = open_table(compared.summary)
        before = probabilities(page)
        page.get_by_label("blood type", exact=True).select_option("(another label)")
        row = compared.dataset.X.iloc[[0]].copy()
        typical = compared.summary.what_if
        values = dict(zip([c.name for c in typical.form.columns], typical.typical, strict=True))
        day = pd.Timestamp("1970-01-01") + pd.Timedelta(days=values["admitted"])
        row[["blood type", "pulse"]] = ["unseen", values["pulse"]]
        row[["temperature", "ward"]] = [values["temperature"], ["east", "west"][values["ward"]]]
        row["admitted"] = day.strftime("%Y-%m-%d")
        expected = compared.shown.predict_proba(row)[0]
        found = probabilities(page)
        assert found != before
        np.testing.assert_allclose(found, expected, atol=1e-6, rtol=0)

    def test_keyboard_only(self, open_table):
        page = open_table(compare_table().summary)
        page.locator("#what-if-row").focus()
        focused = []
        for _ in range(14):
            page.keyboard.press("Tab")
            focused.append(
                page.evaluate("document.activeElement.id || document.activeElement.className")
            )
        assert "what-if-positive" in focused
        slider = page.get_by_label("pulse, slider")
        slider.focus()
        before = probabilities(page)
        field = page.get_by_label("pulse", exact=True)
        value = float(field.input_value())
        page.keyboard.press("ArrowRight")
        page.keyboard.press("PageUp")
        assert float(field.input_value()) > value
        assert probabilities(page) != before
        expect(page.locator("#status")).to_contain_text("%")
        outline = slider.evaluate("(input) => getComputedStyle(input).outlineStyle")
        assert outline == "solid"
        ward = page.get_by_label("ward", exact=True)
        chosen = ward.input_value()
        ward.focus()
        page.keyboard.press("ArrowDown")
        assert ward.input_value() != chosen

    def test_another_model_is_named_if_the_recommended_one_is_not_additive(self, open_table):
        compared = compare_table(recommended="tan")
        assert compared.summary.what_if.model in ("nb", "lr")
        page = open_table(compared.summary)
        notice = page.locator("#what-if .notice")
        expect(notice).to_contain_text("The log odds of tan are not a sum over the columns")
        expect(notice).to_contain_text(compared.summary.what_if.model)


class TestPage:
    @pytest.mark.parametrize("width", [390, 1280])
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_screens(self, open_table, width, scheme):
        page = open_table(compare_table().summary, width=width, color_scheme=scheme)
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for section in page.locator("main section").all():
            expect(section).to_be_visible()
            assert len(section.inner_text()) > 60  # no section has a heading only
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(21, 23, 27)") == (scheme == "dark")
        drawings = page.locator(".wide svg, .narrow svg, .pair svg, .scale, .multiples svg")
        visible = [each for each in drawings.all() if each.is_visible()]
        assert len(visible) > 10
        for each in visible:
            box = each.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width + 1

    def test_probability_stays_in_sight_on_a_phone(self, open_table):
        page = open_table(compare_table().summary, width=390, height=800)
        page.get_by_label("ward", exact=True).scroll_into_view_if_needed()
        now = page.locator("#what-if-now")
        expect(now).to_be_visible()
        assert 0 <= now.bounding_box()["y"] < 60

    def test_curves_of_a_chosen_class(self, open_table):
        page = open_table(compare_table().summary)
        expect(page.locator("[data-curves='0']")).to_be_visible()
        expect(page.locator("[data-curves='2']")).to_be_hidden()
        page.locator("#curves-of").select_option("2")
        expect(page.locator("[data-curves='2']")).to_be_visible()
        expect(page.locator("[data-curves='2'] figcaption").first).to_contain_text("ROC of poor")

    def test_names_are_not_executed(self, open_html):
        hostile = '</script><script>window.hurt=1</script><img src=x onerror="window.hurt=1">'
        text = render_table_page(renamed(compare_table().summary, "blood type", hostile))
        page = open_html(text)
        assert page.evaluate("window.hurt") is None
        expect(page.locator(f".value-card[data-column='{hostile}']")).to_be_visible()


class TestWideTable:
    """The page of thousands of columns draws a few of them, and others on demand."""

    def test_few_columns_are_drawn_and_others_on_demand(self, open_table):
        page = open_table(widen(compare_table().summary, 2000))
        cards = page.locator(".value-card")
        assert cards.count() == 12
        more = page.locator("#what-if-columns details")
        expect(more.locator("summary")).to_have_text("1988 columns with smaller ranges")
        more.locator("summary").click()
        expect(cards).to_have_count(12 + 24)
        more.get_by_role("button", name="Show 24 more of 1964").press("Enter")
        expect(cards).to_have_count(12 + 48)
        column = page.evaluate("document.activeElement.closest('.value-card').dataset.column")
        assert column == cards.nth(36).get_attribute("data-column")
        page.get_by_label("Find a column").fill("GENE 0777")
        expect(cards).to_have_count(13)
        expect(page.locator(".value-card[data-column='gene 0777'] svg")).to_be_visible()
        page.get_by_label("gene 0777", exact=True).select_option("1")
        expect(page.get_by_role("button", name="Show")).to_be_hidden()

    def test_a_chosen_row_shows_its_values_in_cards_of_any_age(self, open_table):
        wide = widen(compare_table().summary, 60)
        page = open_table(wide)
        page.locator("#what-if-row").select_option("0")
        page.locator("#what-if-columns summary").click()
        values = read_values(page)
        for column, value in zip(
            wide.what_if.form.columns, wide.what_if.rows[0].values, strict=True
        ):
            if column.name in values and not column.is_number:
                assert values[column.name] == ("" if value is None else str(value))

    def test_the_table_of_columns_is_short(self, open_table):
        page = open_table(widen(compare_table().summary, 500))
        rows = page.locator("#columns tbody tr")
        assert sum(row.is_visible() for row in rows.all()[:130]) == 100
        page.locator("#columns summary").click()
        expect(rows.nth(450)).to_be_visible()


def read_values(page):
    """Return the choices of the lists of labels, by column."""
    return page.locator(".value-card").evaluate_all(
        "cards => Object.fromEntries(cards.filter((c) => c.querySelector('select'))"
        ".map((c) => [c.dataset.column, c.querySelector('select').value]))"
    )


def renamed(summary, old, new):
    """Return a summary in which a text is replaced."""

    def change(value):
        if isinstance(value, dict):
            return {key: change(part) for key, part in value.items()}
        if isinstance(value, list):
            return [change(part) for part in value]
        return new if value == old else value

    return TableSummary.from_json(change(json.loads(json.dumps(summary.to_json()))))
