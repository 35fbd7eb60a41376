import json

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from augury.cli import main
from augury.data import load_dataset
from augury.evaluate import WekaFolds
from augury.experiments.job import Job
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.generative import NaiveBayes, TreeAugmentedNaiveBayes
from augury.summary import read_summary


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Results of two models on one data set."""
    folder = tmp_path_factory.mktemp("results")
    models = {"nb": NaiveBayes(), "tan": TreeAugmentedNaiveBayes()}
    job = Job(load_dataset("sklearn:iris"), models, WekaFolds(3, 2), "honest")
    with ResultStore(folder) as store:
        run_jobs([job], store, n_jobs=1)
    return folder


def run(*arguments):
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


class TestReport:
    def test_writes_a_page_and_its_numbers(self, folder, tmp_path):
        page = tmp_path / "new" / "page.html"
        done = run(folder, "-o", page, "--title", "Iris, twice")
        assert done.exit_code == 0, done.output
        assert "shows Iris, twice; its numbers are in" in done.output
        assert "<title>Iris, twice</title>" in page.read_text("utf-8")
        summary = json.loads(page.with_suffix(".json").read_text("utf-8"))
        assert [model["name"] for model in summary["models"]] == ["nb", "tan"]

    def test_json_says_where_the_files_are(self, folder, tmp_path):
        page = tmp_path / "page.html"
        done = run(folder, "-o", page, "--json")
        assert json.loads(done.stdout) == {
            "page": str(page),
            "summary": str(tmp_path / "page.json"),
        }

    def test_reference(self, folder, tmp_path):
        page = tmp_path / "page.html"
        assert run(folder, "-o", page, "--reference", "tan").exit_code == 0
        assert "tan <small>reference</small>" in page.read_text("utf-8")

    def test_opens_in_a_browser(self, folder, tmp_path, open_summary):
        page = tmp_path / "page.html"
        run(folder, "-o", page)
        summary = read_summary(page.with_suffix(".json"))
        shown = open_summary(summary)
        mean = summary.comparisons.cells["accuracy"][0][1].mean
        expect(shown.locator("#results tbody td").nth(1)).to_contain_text(f"{mean:.2f}")
        expect(shown.locator("#bias-variance-chart g[data-model]")).to_have_count(2)
        expect(shown.locator("#dataset-panel .confusion tbody tr")).to_have_count(3)


class TestErrors:
    def test_a_folder_without_results(self, tmp_path):
        done = run(tmp_path, "-o", tmp_path / "page.html")
        assert done.exit_code == 2
        assert "has no results" in done.output
        assert not (tmp_path / "page.html").exists()

    def test_an_unknown_reference(self, folder, tmp_path):
        done = run(folder, "-o", tmp_path / "page.html", "--reference", "svm")
        assert done.exit_code == 2
        assert "has no model 'svm'; it has nb, tan" in done.output

    def test_the_name_of_the_numbers(self, folder, tmp_path):
        done = run(folder, "-o", tmp_path / "page.json")
        assert done.exit_code == 2
        assert "the numbers of the page have that name" in done.output

    def test_a_place_where_nothing_can_be_written(self, folder, tmp_path):
        (tmp_path / "file").write_text("")
        done = run(folder, "-o", tmp_path / "file" / "page.html")
        assert done.exit_code == 2
        assert "where no file can be written" in done.output
