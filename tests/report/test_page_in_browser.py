"""The page in Chromium: actions of a reader, without messages and requests."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

HOSTILE = '</script><script>window.hurt=1</script><img src=x onerror="window.hurt=1">&amp;\'"|_'


def names(page):
    return page.locator("#results tbody th").all_text_contents()


def marks(page):
    return page.locator("#results tbody .mark").all_text_contents()


def signs(summary, measure, reference):
    return [
        {"+": "○", "-": "●"}.get(sign, "")
        for row in summary.comparisons.marks[measure][reference]
        for sign in row
    ]


def export(page, form):
    page.locator(f'input[name="format"][value="{form}"]').check(force=True)
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("Download|Saved")).click()
    return download.value.suggested_filename, download.value.path().read_text("utf-8")


def open_all(page):
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")


def body_is_narrow(page):
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def signed(value):
    return f"{value:+.3f}".replace("-", "−") if value else "0.000"


def assert_differences(page, cells, *, first, second):
    """Compare the stacked bars with the numbers of the summary, by the scale of the axis."""
    chart = page.locator("#differences-chart")
    texts = chart.locator("svg > text").all_text_contents()
    places = chart.locator("svg > text").evaluate_all(
        "(texts) => texts.map((text) => Number(text.getAttribute('y')) - 4)"
    )
    values = [float(text.replace("−", "-")) for text in texts]
    unit = (places[0] - places[-1]) / (values[-1] - values[0])  # pixels
    zero = places[0] + unit * values[0]
    bars = chart.locator("g[data-dataset]")
    expect(bars).to_have_count(len(cells))
    for d, row in enumerate(cells):
        ends = {True: zero, False: zero}  # of the parts above and below 0
        for part in ("bias", "variance"):
            difference = getattr(row[first], part) - getattr(row[second], part)
            top, height = (
                bars.nth(d)
                .locator(f"rect[data-part={part}]")
                .evaluate("(bar) => ['y', 'height'].map((name) => Number(bar.getAttribute(name)))")
            )
            assert height == pytest.approx(unit * abs(difference), abs=1e-6)
            is_above = difference >= 0
            near = top + height if is_above else top
            assert near == pytest.approx(ends[is_above], abs=1e-6)
            ends[is_above] = top if is_above else top + height
    assert values[0] <= 0 <= values[-1]
    for part in ("bias", "variance"):
        signs = [
            np.sign(round(getattr(r[first], part) - getattr(r[second], part), 12)) for r in cells
        ]
        counts = [signs.count(sign) for sign in (1, 0, -1)]
        text = "{}: higher on {}, equal on {}, lower on {}".format(part, *counts)
        expect(page.locator("#differences-legend")).to_contain_text(text)


class TestTable:
    def test_sorting(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        sets = [dataset.name for dataset in summary.datasets]
        means = [row[1].mean for row in summary.comparisons.cells["accuracy"]]
        assert names(page) == sets
        heading = page.locator("#results thead th").nth(2)
        heading.get_by_role("button").click()
        best_first = [name for _, name in sorted(zip(means, sets, strict=True), reverse=True)]
        assert names(page) == best_first
        expect(heading).to_have_attribute("aria-sort", "descending")
        page.keyboard.press("Enter")  # the heading has kept the focus
        assert names(page) == best_first[::-1]
        expect(heading).to_have_attribute("aria-sort", "ascending")
        page.locator("#results thead button").first.press("Enter")
        assert names(page) == sorted(sets)

    def test_reference_and_measure_change_the_marks(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        before = marks(page)
        assert before == signs(summary, "accuracy", 0)
        page.get_by_label("Compared with").select_option("nb-lr")
        assert marks(page) == signs(summary, "accuracy", 3) != before
        won = summary.comparisons.win_tie_loss["accuracy"][3][0]
        last = page.locator("#results tfoot tr").last.locator("td")
        expect(last.first).to_have_text("/".join(map(str, won)))
        expect(last.nth(3)).to_have_text("–")
        page.get_by_role("radio", name="Log loss").check(force=True)
        assert marks(page) == signs(summary, "log_loss", 3)
        mean = summary.comparisons.cells["log_loss"][0][0].mean
        expect(page.locator("#results tbody td").first).to_contain_text(f"{mean:.3f}")
        expect(page.locator('#significance figure[data-measure="log_loss"]')).to_be_visible()
        expect(page.locator('#significance figure[data-measure="accuracy"]')).to_be_hidden()

    def test_filters(self, open_summary, make_summary):
        page = open_summary(make_summary())
        page.get_by_label("Find data sets").fill("BREAST")
        assert names(page) == ["breast-cancer", "breast-w"]
        expect(page.locator("#table-lead")).to_contain_text("2 of 6 data sets are shown")
        page.locator("#columns summary").click()
        page.locator("#columns").get_by_label("hnb", exact=True).uncheck()
        headings = page.locator("#results thead th").all_text_contents()
        assert headings == ["Data set", "nb", "lr", "nb-lr"]
        page.keyboard.press("Escape")
        expect(page.locator("#columns .checks")).to_be_hidden()
        page.get_by_label("Find data sets").fill("no such set")
        expect(page.locator("#results tbody")).to_contain_text("No name of a data set contains")

    def test_marks_are_heard_too(self, open_summary, make_summary):
        page = open_summary(make_summary())
        better = page.locator("#results td:has(.better)").first
        assert "significantly better" in better.text_content()
        expect(better.locator(".mark")).to_have_attribute("aria-hidden", "true")


class TestExport:
    def test_latex(self, open_summary, make_summary):
        summary = make_summary(rename=lambda name: f"{name}_50%")
        page = open_summary(summary)
        page.get_by_label("Find data sets").fill("autos")
        name, text = export(page, "latex")
        assert name == "augury-accuracy.tex"
        cells = summary.comparisons.cells["accuracy"][2]
        shown = [f"{cell.mean:.2f}" for cell in cells]
        best = max(shown, key=float)
        sign = {"+": "\\,$\\circ$", "-": "\\,$\\bullet$"}
        expected = " & ".join(
            (f"\\textbf{{{mean}}}" if mean == best else mean)
            + f" $\\pm$ {cell.std:.2f}"
            + sign.get(mark, "")
            for mean, cell, mark in zip(
                shown, cells, summary.comparisons.marks["accuracy"][0][2], strict=True
            )
        )
        lines = text.splitlines()
        assert f"autos\\_50\\% & {expected} \\\\" in lines
        assert "\\begin{tabular}{lrrrr}" in lines
        assert not [line for line in lines if line.startswith("anneal")]
        won = "/".join(map(str, summary.comparisons.win_tie_loss["accuracy"][0][1]))
        assert f"W/T/L & -- & {won} & " in text

    def test_csv_and_markdown(self, open_summary, make_summary):
        summary = make_summary(rename=lambda name: f'{name}, "b"|c')
        page = open_summary(summary)
        name, text = export(page, "csv")
        first, second, *_ = text.splitlines()
        assert name == "augury-accuracy.csv"
        assert first.startswith('data set,"nb, ""b""|c","nb, ""b""|c std","nb, ""b""|c mark",')
        cell = summary.comparisons.cells["accuracy"][0][0]
        assert second.startswith(f'"anneal, ""b""|c",{cell.mean:.2f},{cell.std:.2f},,')
        name, text = export(page, "markdown")
        assert name == "augury-accuracy.md"
        assert '| anneal, "b"\\|c |' in text
        assert {line.replace("\\|", "").count("|") for line in text.splitlines()[:8]} == {6}

    def test_copy(self, open_summary, make_summary):
        page = open_summary(make_summary(), permissions=["clipboard-read", "clipboard-write"])
        page.get_by_text("Show the text").click()
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.splitlines() == page.locator("#preview pre").text_content().splitlines()
        assert "\\toprule" in copied


class TestRest:
    def test_leaderboard_sorts(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        page.locator("#leaderboard").get_by_role("button", name="Training").click()
        rows = sorted(summary.comparisons.leaderboard, key=lambda row: row.fit_ms)
        found = page.locator("#leaderboard tbody th").all_text_contents()
        assert [name.split()[0] for name in found] == [row.model for row in rows]

    def test_wilcoxon(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        cell = page.locator("#wilcoxon tbody tr").nth(3).locator("td").first
        p = summary.comparisons.wilcoxon["accuracy"].p[3][0]
        expect(cell).to_contain_text("< 0.001" if p < 0.0005 else f"{p:.3f}")
        assert "nb-lr is better at 5 %" in cell.text_content()

    def test_bias_and_variance(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        bars = page.locator("#bias-variance-chart g[data-model]")
        expect(bars).to_have_count(12)
        page.locator("#bias-variance-models summary").click()
        page.locator("#bias-variance-models").get_by_label("lr", exact=True).check()
        expect(bars).to_have_count(18)
        page.get_by_text("Numbers", exact=True).click()
        bias = summary.predictions.bias_variance.datasets[0][0].bias
        table = page.locator("#bias-variance-numbers tbody td")
        expect(table.nth(1)).to_have_text(f"{bias:.3f}")
        page.get_by_label("Kohavi and Wolpert").check(force=True)
        bias = summary.predictions.bias_variance.kohavi_wolpert.datasets[0][0].bias
        expect(table.nth(1)).to_have_text(f"{bias:.3f}")
        heights = bars.first.locator("rect").evaluate_all(
            "(parts) => parts.map((part) => Number(part.getAttribute('height')))"
        )
        cell = summary.predictions.bias_variance.kohavi_wolpert.datasets[0][0]
        assert heights[0] / heights[1] == pytest.approx(cell.bias / cell.variance, rel=1e-3)

    def test_differences_of_bias_and_variance(self, open_summary, make_summary):
        summary = make_summary()
        tables = summary.predictions.bias_variance
        page = open_summary(summary)
        first, second = page.get_by_label("First model"), page.get_by_label("Second model")
        second.select_option("lr")
        assert_differences(page, tables.datasets, first=0, second=2)
        page.get_by_label("Compared with").select_option("hnb")
        expect(first).to_have_value("1")
        assert_differences(page, tables.datasets, first=1, second=2)
        first.focus()
        page.keyboard.press("ArrowDown")  # to lr, which the second model is: they change places
        expect(second).to_have_value("1")
        assert_differences(page, tables.datasets, first=2, second=1)
        page.get_by_label("Webb").focus()
        page.keyboard.press("ArrowRight")
        assert_differences(page, tables.kohavi_wolpert.datasets, first=2, second=1)
        page.get_by_text("Numbers of both models").click()
        lr, hnb = (tables.kohavi_wolpert.datasets[0][m] for m in (2, 1))
        shown = page.locator("#differences-numbers tbody tr").first.locator("td")
        expect(shown).to_have_text([
            f"{lr.bias:.3f}", f"{hnb.bias:.3f}", signed(lr.bias - hnb.bias),
            f"{lr.variance:.3f}", f"{hnb.variance:.3f}", signed(lr.variance - hnb.variance),
            f"{lr.error:.3f}", f"{hnb.error:.3f}", signed(lr.error - hnb.error),
        ])  # fmt: skip

    def test_one_model_has_no_differences(self, open_summary, make_summary):
        page = open_summary(make_summary(n_models=1))
        expect(page.locator("#bias-variance-chart g[data-model]").first).to_be_visible()
        expect(page.locator("#differences-chart")).to_have_count(0)

    def test_calibration_and_learning(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        charts = page.locator("#calibration-charts li")
        expect(charts).to_have_count(4)
        page.get_by_label("Rows of").select_option("autos")
        ece = summary.predictions.reliability_by_dataset[2][1].ece
        expect(charts.nth(1)).to_contain_text(f"ECE {ece:.3f}")
        page.locator("#learning-of").select_option("1")
        shown = page.locator("#learning figure:visible")
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text("audiology: Accuracy. Mean over the runs")
        page.get_by_role("radio", name="Log loss").check(force=True)
        expect(shown).to_have_text("No model has the measure Log loss on audiology.")

    def test_data_sets(self, open_summary, make_summary):
        summary = make_summary()
        page = open_summary(summary)
        panel = page.locator("#dataset-panel")
        expect(panel.locator(".confusion tbody tr")).to_have_count(3)
        image = panel.locator(".drawing img")
        assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 240
        page.locator("#dataset").select_option("audiology")
        expect(panel.locator(".confusion tbody tr")).to_have_count(24)
        count = summary.predictions.confusion[1][3][0][0]
        expect(panel.locator(".confusion td.right").first).to_have_text(f"{count:.1f}")
        page.get_by_role("button", name="Next data set").click()
        expect(page.locator("#dataset")).to_have_value("2")
        page.locator("#dataset-model").select_option("nb")
        expect(panel.locator(".drawing")).to_have_count(0)

    def test_absent_parts(self, open_summary, make_summary, change_summary):
        summary = make_summary()
        parts = "wilcoxon friedman bias_variance reliability confusion model_summaries"
        empty = dict.fromkeys([*parts.split(), "reliability_by_dataset", "learning_curves"])
        content = summary.to_json()
        content["cells"]["accuracy"][0][1] = None
        content["averages"]["accuracy"][1] = None
        changed = {key: content[key] for key in ("cells", "averages")}
        page = open_summary(change_summary(summary, **empty, **changed))
        expect(page.locator("#results tbody tr").first.locator("td").nth(1)).to_have_text("–")
        expect(page.locator("#calibration")).to_contain_text(
            "No class probabilities of single rows were kept"
        )
        expect(page.locator("#wilcoxon")).to_contain_text("Fewer than five shared data sets")


class TestLayout:
    @pytest.mark.parametrize("width", [390, 320, 768])
    def test_nothing_hangs_over_the_edge(self, open_summary, make_summary, width):
        page = open_summary(make_summary(12, 13), width=width)
        assert body_is_narrow(page)
        open_all(page)
        assert body_is_narrow(page)
        box = page.locator("#results").locator("..")
        box.evaluate("(box) => { box.scrollLeft = 300; }")
        name = page.locator("#results tbody th").first.bounding_box()
        assert name["x"] == pytest.approx(box.bounding_box()["x"] + 1, abs=1)  # it stays in view

    def test_dark(self, open_summary, make_summary):
        page = open_summary(make_summary(), color_scheme="dark")
        ground = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(ground)
        page.get_by_role("button", name="Switch to light colours").click()
        light = page.evaluate(ground)
        assert brightness(dark) < 60 < 200 < brightness(light)
        page.get_by_role("button", name="Switch to dark colours").click()
        assert page.evaluate(ground) == dark

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_text_stands_out(self, open_summary, make_summary, scheme):
        page = open_summary(make_summary(), color_scheme=scheme)
        colours = {
            name: page.evaluate(
                "(name) => { const probe = document.createElement('p');"
                "probe.style.color = `var(--${name})`; document.body.append(probe);"
                "const found = getComputedStyle(probe).color; probe.remove(); return found; }",
                name,
            )
            for name in (
                "ink faint-ink accent warn better worse paper raised sunken accent-soft "
                "warn-soft on-accent"
            ).split()
        }
        pairs = [
            (text, ground)
            for text in ("ink", "faint-ink", "accent", "better", "worse")
            for ground in ("paper", "raised", "sunken", "accent-soft")
        ]
        pairs += [("ink", "warn-soft"), ("warn", "warn-soft"), ("on-accent", "accent")]
        low = {pair: contrast(*(colours[name] for name in pair)) for pair in pairs}
        assert {pair: ratio for pair, ratio in low.items() if ratio < 4.5} == {}

    def test_hostile_names_stay_names(self, open_summary, make_summary):
        summary = make_summary(rename=lambda name: HOSTILE + name)
        page = open_summary(summary)
        open_all(page)
        page.locator("#dataset").select_option("1")
        page.locator("#calibration-of").select_option("1")
        page.get_by_label("Find data sets").fill("<img")
        assert names(page)[0] == HOSTILE + "anneal"
        assert HOSTILE + "hnb" in page.locator("#results thead").text_content()
        assert page.evaluate("window.hurt") is None
        drawings = page.locator("img").evaluate_all("(images) => images.map((image) => image.src)")
        assert all(source.startswith("data:image/svg+xml") for source in drawings)

    def test_without_scripts(self, open_summary, make_summary):
        page = open_summary(make_summary(), java_script_enabled=False)
        expect(page.locator("#leaderboard")).to_be_visible()
        expect(page.locator("#significance svg").first).to_be_visible()
        expect(page.locator("#table")).to_be_hidden()

    def test_every_control_has_a_name(self, open_summary, make_summary):
        page = open_summary(make_summary())
        unnamed = page.locator("button, input, select").evaluate_all(
            "(controls) => controls.filter((c) => !(c.labels && c.labels.length) &&"
            "!c.textContent.trim() && !c.getAttribute('aria-label')).map((c) => c.outerHTML)"
        )
        assert unnamed == []
        untitled = page.locator("svg[role=img]").evaluate_all(
            "(drawings) => drawings.filter((d) => !d.querySelector('title, desc')).length"
        )
        assert untitled == 0


def channels(colour):
    return [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]


def brightness(colour):
    return sum(channels(colour)) / 3


def contrast(one, other):
    """The ratio of WCAG 2."""

    def luminance(colour):
        shares = [part / 255 for part in channels(colour)]
        linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


class TestCurvesOnly:
    def test_sections(self, open_summary, curves_summary):
        page = open_summary(curves_summary)
        headings = page.locator("main h2").all_text_contents()
        assert headings == [
            "Learning curves", "Leaderboard", "All data sets", "Accuracy and training time",
            "Calibration", "Single data sets", "Experiment",
        ]  # fmt: skip
        for link in page.locator("nav.contents a").all():
            expect(page.locator(link.get_attribute("href"))).to_be_visible()
        expect(page.locator(".facts")).to_contain_text("5 training sizes, 3 runs")
        expect(page.locator("#leaderboard .lead")).to_contain_text("each at the largest training")
        expect(page.locator("#table-lead")).to_contain_text("standard deviation over the runs")
        expect(page.locator(".warnings").first).to_contain_text(
            "sklearn:iris 105 rows, sklearn:wine 125 rows."
        )

    def test_figures_follow_the_measure_and_the_data_set(self, open_summary, curves_summary):
        page = open_summary(curves_summary)
        shown = page.locator("#learning figure:visible")
        expect(shown).to_have_count(2)
        expect(shown.nth(0)).to_contain_text("sklearn:iris: Accuracy. Mean over the runs; higher")
        expect(shown.nth(1)).to_contain_text("sklearn:iris: where the curves cross.")
        drawn = shown.nth(0).locator(".wide [data-line]")
        assert [line.get_attribute("data-line") for line in drawn.all()] == ["nb", "lda", "svm"]
        ticks = shown.nth(0).locator('.wide [data-axis="x"] text').all_text_contents()
        assert ticks == ["10", "30", "105"], "100 has no room beside 105"
        page.locator("#learning-of").select_option("sklearn:wine")
        page.get_by_role("radio", name="Log loss").check(force=True)
        expect(shown.nth(0)).to_contain_text("sklearn:wine: Log loss. Mean over the runs; lower")
        assert len(shown.nth(0).locator(".wide [data-line]").all()) == 2, "svm has no log loss"

    def test_numbers(self, open_summary, curves_summary):
        page = open_summary(curves_summary)
        open_all(page)
        curves = curves_summary.learning_curves[0]
        figures = page.locator("#learning figure:visible")
        cell = figures.nth(0).locator("tbody tr").nth(3).locator("td").nth(1)
        mean, std = curves.curves[1].mean[3], curves.curves[1].std[3]
        expect(cell).to_have_text(f"{mean:.2f} ± {std:.2f}")
        line = figures.nth(1).locator("tbody tr").first
        [found, _] = curves.comparisons
        expect(line.locator("th")).to_have_text(found.model)
        expect(line.locator("td").first).to_have_text(found.words(curves.sizes))
        text = f"{found.difference[3]:+.2f} ± {found.error[3]:.2f}"
        expect(line.locator("td").last).to_have_text(text)

    def test_a_failure_names_the_training_rows(self, open_summary, curves_summary):
        page = open_summary(curves_summary)
        open_all(page)
        expect(page.locator(".failures")).to_contain_text("bad on sklearn:iris, run 1, 10 training")

    @pytest.mark.parametrize("width", [1280, 390])
    def test_width(self, open_summary, curves_summary, width):
        page = open_summary(curves_summary, width=width)
        assert body_is_narrow(page)
        open_all(page)
        assert body_is_narrow(page)
