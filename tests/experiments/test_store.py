"""A store keeps folds, hands out each once, and never mixes what cannot be compared."""

import math
import multiprocessing
import os
import signal
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from augury.errors import StoreError
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import FoldOutcome
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import Failure, StoredResults

FOLDS = [(1, 1), (1, 2), (2, 1)]


def outcome(run: int = 1, fold: int = 1, log_loss: float = 0.5) -> FoldOutcome:
    row = FoldResult("iris", "nb", "honest", run, fold, 6, 3, 2 / 3, log_loss, 0.2, 0.01, 0.02)
    return FoldOutcome(row, np.array([0, 2, -1]), np.array([0.5, 0.75, 1.0]))


def claim_all(folder: Path, heard) -> None:
    store = ResultStore(folder)
    heard.put(store.claim("iris", "nb", "honest", FOLDS))
    signal.pause()  # until it is killed, with the claims in its hands


def test_a_fold_is_read_as_it_was_written(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as store:
        store.claim("iris", "nb", "honest", FOLDS[:2])
        store.add_outcome(outcome(1, 2, log_loss=math.nan), np.array([1, 4, 7]), "slow")
    with StoredResults(tmp_path) as stored:
        [row] = stored.results()
        assert (row.run, row.fold, row.accuracy) == (1, 2, 2 / 3)
        assert math.isnan(row.log_loss)
        [(run, fold, rows, predicted, confidence)] = stored.predictions("iris", "nb")
        assert (run, fold, rows.tolist(), predicted.tolist()) == (1, 2, [1, 4, 7], [0, 2, -1])
        assert confidence is not None
        np.testing.assert_allclose(confidence, [0.5, 0.75, 1.0], atol=1e-5)
        assert stored.messages() == [("iris", "nb", "slow")]
        assert stored.count("claimed") == 0, "claims are let go of at the end"
        [environment] = stored.environments()
        assert environment["packages"]["numpy"] == np.__version__


def test_a_failure_keeps_its_traceback_and_can_be_tried_again() -> None:
    failure = Failure("iris", "nb", "honest", 1, 1, "Traceback: no")
    with ResultStore(None) as store:
        store.claim("iris", "nb", "honest", FOLDS)
        store.add_failure(failure)
        assert store.failures() == [failure]
        assert store.open_folds("iris", "nb", "honest", FOLDS[:1]) == []
        assert store.claim("iris", "nb", "honest", FOLDS) == []
        assert store.claim("iris", "nb", "honest", FOLDS, retry_failed=True) == [(1, 1)]


def test_other_protocols_and_models_are_other_folds() -> None:
    with ResultStore(None) as store:
        assert store.claim("iris", "nb", "honest", FOLDS) == FOLDS
        assert store.claim("iris", "nb", "published", FOLDS) == FOLDS
        assert store.claim("iris", "hnb", "honest", FOLDS) == FOLDS


def test_two_stores_share_the_folds(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as one, ResultStore(tmp_path) as other:
        assert one.claim("iris", "nb", "honest", FOLDS[:2]) == FOLDS[:2]
        assert other.claim("iris", "nb", "honest", FOLDS) == FOLDS[2:]


def test_what_a_killed_process_had_claimed_is_free_again(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    heard = context.SimpleQueue()
    worker = context.Process(target=claim_all, args=(tmp_path, heard))
    worker.start()
    assert heard.get() == FOLDS
    with ResultStore(tmp_path) as store:
        assert store.claim("iris", "nb", "honest", FOLDS) == []
        os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join()
        assert store.claim("iris", "nb", "honest", FOLDS) == FOLDS


def test_other_data_folds_or_parameters_are_refused(tmp_path: Path) -> None:
    folds, labels = {"class": "WekaFolds", "n_splits": 10}, np.array([0, 1])
    with ResultStore(tmp_path) as store:
        store.add_dataset("iris", "aa", folds, {}, labels)
        store.add_dataset("iris", "aa", folds, {"n_rows": 2}, labels)
        store.add_model("nb", {"class": "NaiveBayes", "alpha": 1.0})
        with pytest.raises(StoreError, match=r"iris with other data \(checksum aa, now bb\)"):
            store.add_dataset("iris", "bb", folds, {}, labels)
        with pytest.raises(StoreError, match="iris with other folds"):
            store.add_dataset("iris", "aa", folds | {"n_splits": 5}, {}, labels)
        with pytest.raises(StoreError, match=r"nb with other parameters: alpha was 1.0, now 0.5"):
            store.add_model("nb", {"class": "NaiveBayes", "alpha": 0.5})


def test_folders_that_are_no_stores_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="has no results: there is no file"):
        StoredResults(tmp_path)
    (tmp_path / "results.sqlite").write_text("not a data base, but long enough to be one" * 20)
    with pytest.raises(StoreError, match="is damaged, or not a store: file is not a database"):
        StoredResults(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StoreError, match="no results can be written to"):
        ResultStore(file)


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as store:
        store.set_meta("schema", 99)
    with pytest.raises(StoreError, match=r"another version of augury \(tables 99, this one reads"):
        StoredResults(tmp_path)


class TestModelsOfEarlierVersions:
    """Version 0.2 renames parameters; the models of a store are the same models."""

    OLD: ClassVar = {
        "class": "augury.generative.HiddenNaiveBayes",
        "priors": None,
        "smoothing": "laplace",
    }
    NEW: ClassVar = {"class": "augury.generative.HiddenNaiveBayes", "priors": None, "alpha": 1.0}

    def test_the_same_model_is_accepted(self, tmp_path: Path) -> None:
        with ResultStore(tmp_path) as store:
            store.add_model("hnb", self.OLD)
        with ResultStore(tmp_path) as store:
            store.add_model("hnb", self.NEW)
            assert store.models() == {"hnb": self.NEW}

    def test_models_inside_models_are_translated(self, tmp_path: Path) -> None:
        old = {"class": "augury.hybrid.AugmentedClassifier", "estimator": self.OLD, "columns": "a"}
        new = {"class": "augury.hybrid.AugmentedClassifier", "estimator": self.NEW, "encoding": "a"}
        with ResultStore(tmp_path) as store:
            store.add_model("hybrid", old)
            store.add_model("hybrid", new)

    def test_another_model_is_refused(self, tmp_path: Path) -> None:
        with ResultStore(tmp_path) as store:
            store.add_model("hnb", self.OLD)
            with pytest.raises(StoreError, match=r"alpha was 1.0, now 'm-estimate'"):
                store.add_model("hnb", {**self.NEW, "alpha": "m-estimate"})
