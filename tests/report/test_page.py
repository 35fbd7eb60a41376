import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from augury.report import SummaryError, render_page

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
            model["name"] for model in summary["models"]
        ]

    def test_of_many_scripts(self, make_summary):
        page = render_page(make_summary(rename=lambda name: f"朴素贝叶斯 ‮{name}\u2028\ud800"))
        page.encode()  # halves of surrogate pairs cannot be written
        assert "朴素贝叶斯" in page


class TestSummary:
    def test_is_in_the_page_once(self, make_summary):
        summary = make_summary()
        found = embedded(render_page(summary))
        assert found["cells"] == summary["cells"]
        assert found["marks"] == summary["marks"]

    @pytest.mark.parametrize(
        "part",
        [
            "warnings environments failures shared averages win_tie_loss wilcoxon friedman".split(),
            "bias_variance reliability learning_curves confusion portraits".split(),
        ],
    )
    def test_parts_may_be_absent(self, make_summary, part):
        summary = make_summary()
        assert "What was run" in render_page({k: v for k, v in summary.items() if k not in part})
        assert "What was run" in render_page(summary | dict.fromkeys(part))

    def test_other_formats_are_refused(self, make_summary):
        with pytest.raises(SummaryError, match=r"^summary must have format 1, got 2$"):
            render_page(make_summary() | {"format": 2})

    def test_a_missing_part_is_named(self, make_summary):
        summary = make_summary()
        del summary["cells"]
        with pytest.raises(SummaryError, match="it has no cells"):
            render_page(summary)

    def test_drawings_are_text_until_the_reader_wants_them(self, make_summary):
        summary = make_summary()
        name = summary["models"][-1]["name"]
        summary["portraits"][0][name]["svg"] = "<svg onload='alert(1)'><script>1</script></svg>"
        assert "onload" not in [n for _, n, _ in Elements(render_page(summary)).attributes]


class TestContents:
    def test_leaderboard(self, make_summary):
        summary = make_summary()
        text = render_page(summary)
        for row in summary["leaderboard"]:
            assert f"{row['accuracy']:.2f}" in text
        names = re.findall(r'<th scope="row" class="name" data-value="([^"]*)">', text)
        assert names == [row["model"] for row in summary["leaderboard"]]

    def test_protocol_is_explained(self, make_summary):
        summary = make_summary()
        assert "what it says about data that are still to come is optimistic" in render_page(
            summary
        )
        summary["experiment"]["protocol"] = "honest"
        assert "learned from the training rows of each fold only" in render_page(summary)

    def test_models_are_written_as_python_writes_them(self, make_summary):
        summary = make_summary()
        inner = {"class": "augury.generative.NaiveBayes", "alpha": 1.0}
        summary["models"][0] |= {
            "class": "augury.hybrid.AugmentedClassifier",
            "parameters": {"estimator": inner, "steps": [["a", inner]], "weights": {"yes": 2}},
        }
        text = html.unescape(render_page(summary))
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
        summary["failures"] *= 150
        text = render_page(summary)
        assert "150 failed folds; the first are shown" in text
        assert text.count("nb-lr on anneal, run 3") == 100

    def test_one_of_each(self, make_summary):
        summary = make_summary(1, 1)
        summary["experiment"]["repeats"] = 1
        text = render_page(summary | {"friedman": None, "wilcoxon": None, "title": "One"})
        for words in ("1 model and", "1 data set<", "<span>10-fold cross-validation"):
            assert words in text
        assert "Fewer than two models have both" in text

    def test_curves_with_gaps(self, make_summary):
        summary = make_summary()
        curves = summary["learning_curves"][0]["curves"]
        curves[0] |= {"mean": [None, *curves[0]["mean"][1:]], "std": [None] * 6}
        curves[1] |= {"mean": [None] * 6}
        summary["learning_curves"][1]["curves"] = []
        text = render_page(summary)
        assert text.count('data-line="nb"') == 2  # for wide screens and for narrow ones
        assert 'data-line="hnb"' not in text
        assert 'data-learning="1"' not in text

    def test_a_missing_number_is_a_dash(self, make_summary):
        summary = make_summary()
        summary["leaderboard"][0]["log_loss"] = None
        assert '<td data-value="">–</td>' in render_page(summary)

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
