"""Descriptions of models of earlier versions, in the names of this version."""

import importlib
import inspect

import pytest

from augury import renamed_parameters
from augury.persist.trusted_types import trusted_types
from augury.renamed_parameters import current_class_path, current_description, current_parameters


def test_a_long_path_names_the_same_class() -> None:
    long = "augury.generative.hidden_naive_bayes.HiddenNaiveBayes"
    assert current_class_path(long) == "augury.generative.HiddenNaiveBayes"
    assert current_parameters(long, {"smoothing": "laplace"}) == {"alpha": 1.0}


def test_the_m_estimate_of_hidden_naive_bayes_keeps_its_name() -> None:
    old = {"class": "augury.generative.HiddenNaiveBayes", "smoothing": "m-estimate", "priors": None}
    new = {"class": "augury.generative.HiddenNaiveBayes", "alpha": "m-estimate", "priors": None}
    assert current_description(old) == new


def test_start_nodes_of_earlier_bagged_networks_repeat_by_chance() -> None:
    """A store of 0.1 is not continued with other start nodes."""
    old = {"class": "augury.ensemble.BaggedNetworks", "score": "acll"}
    new = {"structure_score": "acll", "start_nodes": "random"}
    assert current_description(old) == {"class": "augury.ensemble.BaggedNetworks", **new}


def test_models_inside_a_pipeline_are_translated() -> None:
    tree = {"class": "augury.generative.TreeAugmentedNaiveBayes"}
    inner = {"class": "augury.hybrid.AugmentedClassifier", "columns": "onehot"}
    old = {
        "class": "sklearn.pipeline.Pipeline",
        "steps": [["model", {**inner, "estimator": {**tree, "strength": 2.0}}]],
    }
    [[_, new]] = current_description(old)["steps"]
    assert new["encoding"] == "onehot"
    assert new["estimator"] == {**tree, "equivalent_sample_size": 2.0}


def test_a_parameter_of_a_class_that_is_not_ours_keeps_its_name() -> None:
    old = {"class": "mine.Network", "score": "k2", "columns": ["a", "b"]}
    assert current_description(old) == old


@pytest.mark.parametrize("path", sorted({*renamed_parameters._RENAMED, *renamed_parameters._ADDED}))
def test_translation_of_a_present_description_changes_nothing(path: str) -> None:
    renamed = renamed_parameters._RENAMED.get(path, {})
    present = {**dict.fromkeys(renamed.values(), "x"), **renamed_parameters._ADDED.get(path, {})}
    assert current_parameters(path, present) == present


@pytest.mark.parametrize("path", sorted({*renamed_parameters._RENAMED, *renamed_parameters._ADDED}))
def test_the_classes_of_the_table_exist(path: str) -> None:
    folder, _, name = path.rpartition(".")
    if path in trusted_types():  # a class that is saved, but that its folder does not export
        return
    assert inspect.isclass(getattr(importlib.import_module(folder), name))
