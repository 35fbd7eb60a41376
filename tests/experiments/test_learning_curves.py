"""Experiments with training sizes instead of folds."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.errors import ExperimentError, StoreError
from augury.evaluate import FoldResult, GrowingSamples, cross_validate
from augury.experiments import Experiment, ResultStore, run_jobs
from augury.experiments.experiment import TrainingSizeWarning
from augury.summary import summarize_store

IRIS = ("sklearn:iris",)


def read(folder: Path, text: str) -> Experiment:
    file = folder / "experiment.toml"
    file.write_text(f'datasets = ["sklearn:iris"]\n{text}\n[models]\nnb = {{}}\n')
    return Experiment.read(file)


def curves(*sizes: float, **options: Any) -> Experiment:
    models = options.pop("models", {"nb": {}, "lda": {}})
    return Experiment(IRIS, models, train_sizes=sizes, **options)


def complete(experiment: Experiment, store: ResultStore) -> int:
    return run_jobs(experiment.jobs(), store).n_done


def without_seconds(row: FoldResult) -> tuple[Any, ...]:
    return row.model, row.run, row.fold, row.n_train, row.n_test, row.accuracy, row.log_loss


class TestFile:
    def test_sizes_of_a_data_set(self, tmp_path: Path) -> None:
        plan = read(tmp_path, "train_sizes = [10, 0.5, 60, 1.0]\ntest_share = 0.2\nrepeats = 3")
        [job] = plan.jobs()
        assert [fold for run, fold in job.fold_keys() if run == 1] == [10, 60, 120]
        assert len(job.fold_keys()) == 9, "0.5 of 120 rows is the size 60"
        settings = plan.describe()
        assert "folds" not in settings
        assert settings["train_sizes"] == [10, 0.5, 60, 1.0]

    def test_sizes_that_do_not_fit_are_left_out_and_named(self) -> None:
        message = r"iris has 105 rows for training; these training sizes are left out: 300, 0\.005"
        with pytest.warns(TrainingSizeWarning, match=message):
            [job] = curves(30, 105, 300, 0.005, repeats=1).jobs()
        assert job.fold_keys() == [(1, 30), (1, 105)]

    def test_no_size_fits(self) -> None:
        with pytest.raises(
            ExperimentError, match=r"iris has 105 rows for training, .* 1\.0 stands"
        ):
            curves(300, 106).jobs()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("train_sizes = [10]\nfolds = 5", "folds and train_sizes exclude each other"),
            ("test_share = 0.3", "test_share is for train_sizes, which is absent"),
            ("train_sizes = 10", "train_sizes must be a list, got 10"),
            ("train_sizes = []", "train_sizes must be whole numbers .* got none"),
            ("train_sizes = [1]", "whole numbers >= 2 of rows or shares .* got 1"),
            ("train_sizes = [10, 1.5]", "got 1.5"),
            ('train_sizes = ["ten"]', "got 'ten'"),
            ("train_sizes = [10]\ntest_share = 1.0", "between 0 and 1, got 1.0"),
            ("train_sizes = [10]\nrepeats = 0", "repeats must be from 1 to 1,000, got 0"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(ExperimentError, match=message):
            read(tmp_path, text)


class TestStore:
    def test_rows_are_those_of_cross_validate(self) -> None:
        plan = curves(10, 1.0, repeats=2)
        [job] = plan.jobs()
        with ResultStore(None) as store:
            complete(plan, store)
            stored = {without_seconds(row) for row in store.results()}
        splitter = GrowingSamples([10, 1.0], n_repeats=2)
        rows = cross_validate([job.dataset], job.models, splitter)
        assert stored == {without_seconds(row) for row in rows}

    def test_further_sizes_and_runs_keep_the_rows_of_others(self, tmp_path: Path) -> None:
        with ResultStore(tmp_path) as store:
            assert complete(curves(10, 30, repeats=2), store) == 8
            before = store.results()
            assert complete(curves(20, 30, 1.0, repeats=2), store) == 8
            assert complete(curves(10, 20, 30, 105, repeats=3), store) == 8
            after = store.results()
            assert set(before) < set(after), "the seconds show that no fold was computed again"
            assert complete(curves(10, repeats=3), store) == 0
        with ResultStore(None) as fresh:
            complete(curves(10, 20, 30, 105, repeats=3), fresh)
            expected = [without_seconds(row) for row in fresh.results()]
        assert [without_seconds(row) for row in after] == expected

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            (
                curves(10, test_share=0.4),
                r"other folds: test_share was 0\.3, now 0\.4; use another",
            ),
            (Experiment(IRIS, {"nb": {}}, folds=5), "other folds: class was .*GrowingSamples"),
            (curves(10, models={"nb": {"alpha": 2.0}}), r"other parameters: alpha was 1\.0"),
        ],
    )
    def test_other_samples_are_refused(self, other: Experiment, message: str) -> None:
        with ResultStore(None) as store:
            complete(curves(10, repeats=1), store)
            with pytest.raises(StoreError, match=message):
                complete(other, store)

    def test_a_store_with_numbered_sizes_is_refused(self) -> None:
        old = {
            "class": "augury.evaluate.GrowingSamples",
            "random_state": 0,
            "sizes": [10, 30],
            "test_share": 0.3,
        }
        [job] = curves(10, repeats=1).jobs()
        with ResultStore(None) as store:
            complete(curves(10, repeats=1), store)
            [stored] = store.datasets()
            with pytest.raises(StoreError, match=r"sizes was None, now \[10, 30\]"):
                store.add_dataset(job.dataset.name, stored.checksum, old, {}, stored.labels)


@pytest.mark.usefixtures("without_worker_processes")
class TestCommand:
    def invoke(self, *arguments: object) -> Result:
        return CliRunner().invoke(main, ["run", *map(str, arguments)])

    @pytest.mark.filterwarnings("default")
    def test_the_tables_at_the_end(self, tmp_path: Path) -> None:
        options = ("--datasets", "sklearn:iris", "--models", "nb,lda,lr", "--repeats", 2)
        sizes = ("--train-sizes", "6,8,10,12,14,16,20,25,30,40,50,300,1.0")
        result = self.invoke(*options, *sizes, "--out", tmp_path)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        assert max(map(len, lines[1:-1])) <= 80, "the other two have classes and paths"
        assert "sklearn:iris: accuracy (%) by training rows, means of 2 runs" in lines
        assert "sklearn:iris: log loss (nats) by training rows, means of 2 runs" in lines
        assert sum(line.startswith("lda ") for line in lines) == 2 * 3, "two blocks of sizes"
        assert lines[-1] == f"72 folds computed, 0 were in {tmp_path} before."
        assert "these training sizes are left out: 300." in result.stderr

    def test_json(self, tmp_path: Path) -> None:
        options = ("--datasets", "sklearn:iris", "--models", "nb,lda", "--train-sizes", "10,0.5")
        result = self.invoke(*options, "--repeats", 3, "--out", tmp_path, "--json")
        content = json.loads(result.stdout)
        assert content["done"] == 12
        accuracy, log_loss, brier = content["curves"]
        assert [each["measure"] for each in content["curves"]] == ["accuracy", "log_loss", "brier"]
        assert accuracy["sizes"] == [10, 52]
        with ResultStore(tmp_path) as store:
            rows = store.results()
        means = {
            model: [
                sum(100 * r.accuracy for r in rows if (r.model, r.fold) == (model, size)) / 3
                for size in (10, 52)
            ]
            for model in ("nb", "lda")
        }
        assert accuracy["curves"][0]["mean"] == pytest.approx(means["nb"])
        difference = [b - a for a, b in zip(means["nb"], means["lda"], strict=True)]
        assert accuracy["comparisons"][0]["difference"] == pytest.approx(difference)
        assert {log_loss["reference"], brier["reference"]} == {"nb"}

    def test_a_failed_size_is_named_and_can_be_run_again(self, tmp_path: Path) -> None:
        # With more neighbours than rows the model of scikit-learn raises an error in `predict`.
        file = tmp_path / "experiment.toml"
        file.write_text(
            'datasets = ["sklearn:iris"]\ntrain_sizes = [10, 60]\nrepeats = 2\n[models]\nnb = {}\n'
            'many = {class = "sklearn.neighbors.KNeighborsClassifier", n_neighbors = 40}\n'
        )
        result = self.invoke(file, "--out", tmp_path / "out")
        assert result.exit_code == 1
        assert "Failed: many on sklearn:iris, run 1, training rows 10: ValueError" in result.stderr
        assert "2 folds failed; --retry runs them again." in result.stderr
        assert self.invoke(file, "--out", tmp_path / "out", "--retry").exit_code == 1
        with ResultStore(tmp_path / "out") as store:
            summary = summarize_store(store)
        assert summary.datasets[0].table_size == 60
        assert any("Learning curves are incomplete: many on" in text for text in summary.warnings)
        [line] = [each for each in summary.learning_curves[0].curves if each.model == "many"]
        assert line.mean[0] is None
        assert line.n == (0, 2)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--train-sizes", "10", "--folds", "5"), "--folds and training sizes exclude"),
            (("--train-sizes", "ten"), "--train-sizes must be numbers such as 30,100,0.5"),
            (("--train-sizes", ","), "--train-sizes must be numbers such as 30,100,0.5"),
            (("--train-sizes", "1.5"), "train_sizes must be whole numbers"),
            (("--test-share", "0.5"), "--test-share is for training sizes"),
        ],
    )
    def test_errors(self, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
        named = ("--datasets", "sklearn:iris", "--models", "nb", "--out", tmp_path / "out")
        result = self.invoke(*named, *arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert len(result.stderr.splitlines()) <= 4


@pytest.mark.usefixtures("without_worker_processes")
def test_the_example_of_ng_and_jordan_in_a_reduced_form(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "ng-jordan.toml"
    plan = Experiment.read(example)
    assert plan.baseline in plan.models
    small = ("--repeats", "2", "--train-sizes", "16,64,1.0", "--datasets")
    sets = "synthetic:waveform?n_samples=600,sklearn:wine"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arguments = ["run", str(example), *small, sets, "--out", str(tmp_path)]
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    with ResultStore(tmp_path) as store:
        summary = summarize_store(store)
    assert [model.name for model in summary.models] == list(plan.models)
    assert not summary.failures
    first = summary.learning_curves[0]
    assert first.sizes == (16, 64, 420)
    assert first.reference == plan.baseline
    assert len(first.comparisons) == len(plan.models) - 1
