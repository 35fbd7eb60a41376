"""axe-core finds nothing in the pages: of a bench, and of one table."""

import pytest

from tests.report.one_table import compare_table, widen

RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.flatMap((each) => each.nodes.map((node) =>
    `${each.id}: ${each.help}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
}"""
SCREENS = [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]


def violations(page, axe):
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    page.evaluate(axe)  # the page's policy allows no other scripts; the debugger does
    return page.evaluate(RUN)


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_page_of_one_table(open_table, axe, width, scheme, n_classes):
    summary = compare_table(n_classes=n_classes).summary
    page = open_table(summary, width=width, color_scheme=scheme)
    assert violations(page, axe) == []


def test_page_of_a_wide_table(open_table, axe):
    page = open_table(widen(compare_table().summary, 120), width=390)
    assert violations(page, axe) == []


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
def test_page_of_a_bench(open_summary, make_summary, axe, width, scheme):
    page = open_summary(make_summary(), width=width, color_scheme=scheme)
    assert violations(page, axe) == []


def test_axe_finds_what_is_not_accessible(open_html, axe):
    page = open_html(
        "<!doctype html><html lang='en'><title>t</title><main><img src='data:,'></main>"
    )
    assert any(each.startswith("image-alt") for each in violations(page, axe))
