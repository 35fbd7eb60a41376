"""The page of one table as text: title, sections, files."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from augury.evaluate import MEASURES
from augury.explain.summary_contents import ModelSummary
from augury.report import render_table_page
from augury.report.confusion_view import view_confusion
from augury.report.table_view import view_table
from tests.report.one_table import compare_table

COMPARED = compare_table()


def sections(page):
    return re.findall(r'<section id="([\w-]+)"', page)


def test_title_has_file_target_rows_and_date():
    page = render_table_page(COMPARED.summary)
    title = re.findall("<title>(.*?)</title>", page)[0]
    day = COMPARED.summary.created[:10]
    assert title == f"outcome in patients.csv: 180 rows, 6 columns, 3 classes, {day}"


def test_verdict_comes_first_in_its_own_words():
    page = render_table_page(COMPARED.summary)
    assert sections(page)[:2] == ["verdict", "leaderboard"]
    words = re.sub("<[^>]*>", "", page[page.index('id="verdict"') :]).replace("&#39;", "'")
    for sentence in COMPARED.summary.verdict.sentences:
        assert sentence.replace("`", "") in words


def test_contents_name_the_sections():
    page = render_table_page(COMPARED.summary)
    linked = re.findall(r'<li><a href="#([\w-]+)"', page)
    assert sorted(linked) == sorted(sections(page))
    assert {"what-if", "curves", "calibration", "hardest", "columns", "learning"} <= {*linked}


def test_leaderboard_has_the_order_of_the_verdict_and_no_ranks():
    page = render_table_page(COMPARED.summary)
    board = page[page.index('id="leaderboard"') : page.index('id="what-if"')]
    names = re.findall(r'<tr[^>]*>\s*<th scope="row" class="name" title="([\w-]+)"', board)
    assert names == [each.model for each in COMPARED.summary.verdict.leaderboard]
    assert "Rank" not in board
    # The axis has the models only: the baseline would stretch it.
    drawn = re.findall(r'data-name="1"[^>]*>([\w-]+)<', board)
    assert set(drawn) == {"nb", "lr", "tan"}


def test_each_measure_stands_under_its_title():
    verdict = compare_table().summary.verdict
    table = view_table(compare_table().summary).leaderboard.measures
    assert len(set(table.header)) == len(table.header) > 6
    for row, each in zip(table.rows, verdict.leaderboard, strict=True):
        shown = dict(zip(table.header, row, strict=True))
        assert shown["Model"] == each.model
        for key, measure in MEASURES.items():
            if key in each.measures:
                unit = " (%)" if measure.unit == "%" else ""
                assert shown[f"{measure.title}{unit}"] == measure.number(each.measures[key])


def test_parts_that_are_not_known_are_not_shown():
    summary = replace(COMPARED.summary, opened=None, what_if=None, columns=())
    page = render_table_page(summary)
    assert sections(page) == ["verdict", "leaderboard", "method"]


def test_a_model_without_probabilities_has_no_curves():
    opened = replace(COMPARED.summary.opened, curves=(), calibration=None)
    page = render_table_page(replace(COMPARED.summary, opened=opened))
    assert not {"curves", "calibration"} & {*sections(page)}


def test_the_page_is_one_file_without_addresses():
    page = render_table_page(COMPARED.summary)
    found = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert found <= {"http://www.w3.org/2000/svg"}


def test_only_the_form_is_embedded():
    page = render_table_page(COMPARED.summary)
    [text] = re.findall(r'id="what-if-data">(.*?)</script>', page)
    content = json.loads(text)["what_if"]
    assert content["model"] == COMPARED.summary.what_if.model
    assert len(content["rows"]) == len(COMPARED.summary.opened.hardest)


def test_structure_is_drawn_if_the_store_has_it():
    summary = compare_table(recommended="tan").summary
    drawing = ModelSummary("tan", svg="<svg><text>pulse</text></svg>", text="pulse | class")
    opened = replace(summary.opened, structure=drawing)
    page = render_table_page(replace(summary, opened=opened))
    assert "structure" in sections(page)
    assert "data:image/svg+xml;charset=utf-8,%3Csvg%3E" in page


@pytest.mark.parametrize("n_classes", [30, 31, 300])
def test_the_confusion_of_many_classes_shows_those_with_the_most_errors(n_classes):
    opened = compare_table().summary.opened
    wrong = range(5, n_classes, max(n_classes // 10, 1))
    counts = np.diag(np.full(n_classes, 9.0))
    for true in wrong:
        counts[true, true - 1] = 2.0
    scores = tuple(replace(opened.classes[0], label=f"C{c}") for c in range(n_classes))
    many = replace(opened, classes=scores, confusion=tuple(map(tuple, counts.tolist())))
    view = view_confusion(many, None)
    n_shown = min(n_classes, 30)
    assert len(view.rows) == n_shown
    assert {f"C{c}" for c in wrong} <= {row.label for row in view.rows}
    is_cut = n_classes > n_shown
    assert all(len(row.cells) == n_shown + is_cut for row in view.rows)
    assert (f"the 30 of {n_classes} classes with the most errors" in view.lead) == is_cut
    assert (view.header[-1] == f"{n_classes - 30} other class{'es' * (n_classes > 31)}") == is_cut
    assert len(view.precision) == len(view.header)
