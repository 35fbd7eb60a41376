import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from augury.report import render_page, summary_figures
from augury.report.summary_figures import Figure
from augury.summary import Summary, SummaryError

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">&amp;\'"{{7*7}}'


class Elements(HTMLParser):
    """Tags, attributes and the content of scripts, as a browser reads them."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.scripts, self.styles, self.text = [], [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]

    def handle_data(self, data):
        kept = {"script": self.scripts, "style": self.styles}.get(
            self.tags[-1] if self.tags else ""
        )
        (self.text if kept is None else kept).append(data)


def embedded(page):
    return json.loads(
        re.search(r'<script type="application/json" id="summary">(.*?)</script>', page, re.S)[1]
    )


def hostile(name):
    return HOSTILE + name


class TestSelfContained:
    def test_refers_to_nothing_outside(self, make_summary):
        page = Elements(render_page(make_summary()))
        assert {"link", "script", "svg", "table"} <= set(page.tags)
        for tag, name, value in page.attributes:
            if name in {"src", "srcset", "action", "data", "poster"}:
                pytest.fail(f"<{tag} {name}={value!r}>")
            if name == "href":
                assert value.startswith(("#", "data:")), value
        style = "".join(page.styles)
        assert "url(" not in style
        assert "@import" not in style

    def test_policy_allows_its_own_script_and_style_only(self, make_summary):
        text = render_page(make_summary())
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
        assert rules["default-src"] == "&#39;none&#39;" or rules["default-src"] == "'none'"
        script = re.search(r"<script>(.*?)</script>", text, re.S)[1]
        style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
        for rule, content in (("script-src", script), ("style-src", style)):
            digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            assert rules[rule].replace("&#39;", "'") == f"'sha256-{digest}'"

    def test_no_attribute_is_a_program(self, make_summary):
        page = Elements(render_page(make_summary()))
        assert not [name for _, name, _ in page.attributes if name.startswith("on")]
        assert not [name for _, name, _ in page.attributes if name == "style"]


class TestNames:
    def test_are_never_markup(self, make_summary):
        as_long = "x" * len(HOSTILE)  # drawings shorten names, and have tips for those
        plain = Elements(render_page(make_summary(rename=lambda name: as_long + name)))
        page = Elements(render_page(make_summary(rename=hostile)))
        assert page.tags == plain.tags
        assert {name for _, name, _ in page.attributes} == {n for _, n, _ in plain.attributes}
        assert HOSTILE + "nb" in "".join(page.text)

    def test_stay_as_they_are_in_the_data(self, make_summary):
        summary = make_summary(rename=hostile)
        found = embedded(render_page(summary))
        assert [model["name"] for model in found["models"]] == [
            model.name for model in summary.models
        ]

    def test_of_many_scripts(self, make_summary):
        summary = make_summary(rename=lambda name: f"朴素贝叶斯 ‮{name}\u2028")
        # No store can hold an unpaired surrogate, but a JSON file can.
        text = json.dumps(summary.to_json()).replace("\\u2028", "\\ud800")
        page = render_page(Summary.from_json(json.loads(text)))
        page.encode()  # unpaired surrogates cannot be written
        assert "朴素贝叶斯" in page


class TestSummary:
    def test_is_in_the_page_once(self, make_summary):
        summary = make_summary()
        found = embedded(render_page(summary))
        content = summary.to_json()
        for key in ("format", "cells", "marks", "model_summaries"):
            assert found[key] == content[key]

    @pytest.mark.parametrize(
        "part",
        [
            "warnings environments failures shared averages win_tie_loss wilcoxon friedman".split(),
            "bias_variance reliability learning_curves confusion model_summaries".split(),
        ],
    )
    def test_parts_may_be_absent(self, make_summary, part):
        content = make_summary().to_json()
        without = {key: value for key, value in content.items() if key not in part}
        for changed in (without, content | dict.fromkeys(part)):
            assert "Honest protocol" in render_page(
                Summary.from_json(changed | {"experiment": {"protocol": "honest"}})
            )

    def test_other_formats_are_refused(self, make_summary):
        content = make_summary().to_json()
        with pytest.raises(SummaryError, match=r"^summary must have format 2, got 1; write the re"):
            Summary.from_json(content | {"format": 1})

    def test_a_missing_part_is_named(self, make_summary):
        content = make_summary().to_json()
        del content["cells"]
        with pytest.raises(SummaryError, match="must have the key 'cells', which is absent"):
            Summary.from_json(content)

    def test_drawings_are_text_until_the_reader_wants_them(self, make_summary, change_summary):
        summary = make_summary()
        content = summary.to_json()["model_summaries"]
        name = summary.models[-1].name
        content[0][name]["svg"] = "<svg onload='alert(1)'><script>1</script></svg>"
        page = render_page(change_summary(summary, model_summaries=content))
        assert "onload" not in [n for _, n, _ in Elements(page).attributes]


def test_a_new_figure_is_one_function_in_a_list(make_summary, monkeypatch):
    def draw(summary):
        yield Figure("New", f"A figure of {len(summary.models)} models.")

    sections = "leaderboard table significance time bias-variance learning datasets run".split()
    before = render_page(make_summary())
    figures = (*summary_figures.FIGURES, *((section, draw) for section in sections))
    monkeypatch.setattr(summary_figures, "FIGURES", figures)
    page = render_page(make_summary())
    assert page.count("<b>New.</b> A figure of 4 models.") == len(sections)
    assert page.count("<figure") == before.count("<figure") + len(sections)


class TestContents:
    def test_leaderboard(self, make_summary):
        summary = make_summary()
        text = render_page(summary)
        lines = summary.comparisons.leaderboard
        for line in lines:
            assert f"{line.accuracy:.2f}" in text
        names = re.findall(r'<th scope="row" class="name" data-value="([^"]*)">', text)
        assert names == [line.model for line in lines]

    def test_protocol_is_explained(self, make_summary, change_summary):
        summary = make_summary()
        assert "but it overestimates the performance on new data" in render_page(summary)
        honest = change_summary(summary, experiment={"protocol": "honest"})
        assert "learned only from the training rows of each fold" in render_page(honest)

    def test_models_are_written_as_python_writes_them(self, make_summary):
        summary = make_summary()
        inner = {"class": "augury.generative.NaiveBayes", "alpha": 1.0}
        first = replace(
            summary.models[0],
            class_="augury.hybrid.AugmentedClassifier",
            parameters={"estimator": inner, "steps": [["a", inner]], "weights": {"yes": 2}},
        )
        text = html.unescape(render_page(replace(summary, models=(first, *summary.models[1:]))))
        assert (
            "AugmentedClassifier(estimator=NaiveBayes(alpha=1.0), "
            "steps=[['a', NaiveBayes(alpha=1.0)]], weights={'yes': 2})"
        ) in text

    def test_failures_keep_their_traceback(self, make_summary):
        text = render_page(make_summary())
        assert "nb-lr on anneal, run 3, fold 7: ValueError: no rows" in text
        assert "Traceback (most recent call last):" in text

    def test_many_failures_are_counted_and_some_shown(self, make_summary):
        summary = make_summary()
        text = render_page(replace(summary, failures=summary.failures * 150))
        assert "150 failed folds; the first 100 are shown" in text
        assert text.count("nb-lr on anneal, run 3") == 100

    def test_one_of_each(self, make_summary):
        summary = make_summary(1, 1)
        experiment = replace(summary.experiment, repeats=1)
        text = render_page(replace(summary, experiment=experiment, title="One"))
        for words in ("1 model with", "1 data set<", "<span>10-fold cross-validation"):
            assert words in text
        assert "Fewer than two models have both" in text

    def test_curves_with_gaps(self, make_summary):
        summary = make_summary()
        first, second = summary.learning_curves
        one, other, *others = first.curves
        one = replace(one, mean=(None, *one.mean[1:]), std=(None,) * 6)
        other = replace(other, mean=(None,) * 6)
        curves = (replace(first, curves=(one, other, *others)), replace(second, curves=()))
        text = render_page(replace(summary, learning_curves=curves))
        assert text.count('data-line="nb"') == 2  # for wide screens and for narrow ones
        assert 'data-line="hnb"' not in text
        assert text.count("No model has the measure Accuracy on audiology.") == 1

    def test_a_missing_number_is_a_dash(self, make_summary, change_summary):
        summary = make_summary()
        lines = summary.to_json()["leaderboard"]
        lines[0]["log_loss"] = None
        assert '<td data-value="">–</td>' in render_page(change_summary(summary, leaderboard=lines))

    def test_an_infinite_statistic_is_shown(self, make_summary):
        summary = make_summary()
        found = summary.comparisons.friedman["accuracy"]
        friedman = {**summary.comparisons.friedman, "accuracy": replace(found, f=None, f_p=0.0)}
        comparisons = replace(summary.comparisons, friedman=friedman)
        text = render_page(replace(summary, comparisons=comparisons))
        assert "Iman and Davenport: F = ∞, p &lt; 0.001" in text

    def test_thirty_six_sets_and_thirteen_models_are_light(self, make_summary):
        assert len(render_page(make_summary(36, 13)).encode()) < 2_000_000


def test_scripts_never_write_markup():
    folder = Path(__file__).parents[2] / "src" / "augury" / "report" / "assets"
    scripts = list(folder.glob("*.js"))
    assert scripts
    for script in scripts:
        text = script.read_text("utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in text, f"{script.name}: {word}"
