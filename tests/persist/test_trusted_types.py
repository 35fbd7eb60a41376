"""What a model file may name is short of anything that acts when it is made."""

import inspect

import pytest
from sklearn.model_selection import BaseCrossValidator, BaseShuffleSplit
from sklearn.utils import Bunch

from augury.persist.trusted_types import is_trusted, named_type, trusted_types
from augury.registration import registered_classes

# What Python or skops calls when an object is made without its constructor, or goes away.
HOOKS = ("__new__", "__setstate__", "__reduce__", "__reduce_ex__", "__del__", "__init_subclass__",
         "__setattr__", "__getattr__", "__getattribute__", "__setitem__")  # fmt: skip

# Looked at: these only put numbers where they belong.
KNOWN = {
    ("augury.encode._Infrequent", "__new__"),
    ("augury.encode._Infrequent", "__reduce__"),
    ("augury.encode._Missing", "__new__"),
    ("augury.encode._Missing", "__reduce__"),
    ("augury.discriminative.C45Tree", "__setstate__"),
    ("augury.decide.CostClassifier", "__setstate__"),
    ("augury.encode.MergedEncoder", "__setstate__"),
    ("augury.ensemble.RandomCutEnsemble", "__setstate__"),
}


def ours():
    return {name: thing for name, thing in trusted_types().items() if name.startswith("augury.")}


def test_all_are_classes_of_augury_or_on_a_short_list():
    others = {
        name: thing
        for name, thing in trusted_types().items()
        if name not in ours() and thing not in registered_classes()
    }
    for thing in others.values():
        assert thing is Bunch or issubclass(thing, BaseCrossValidator | BaseShuffleSplit)
    assert len(others) == 5
    for name, thing in ours().items():
        assert inspect.isclass(thing)
        package, folder, own_name = name.split(".")
        assert (package, own_name) == ("augury", thing.__qualname__)
        assert thing.__module__.startswith(f"augury.{folder}.")
        assert folder in {
            *("encode", "counts", "structure", "generative", "discriminative", "hybrid"),
            *("ensemble", "evaluate", "decide"),
        }


def test_only_folds_of_evaluate():
    assert [n for n in ours() if n.startswith("augury.evaluate")] == ["augury.evaluate.WekaFolds"]


def test_none_acts_when_it_is_made():
    """Whoever gives a model such a method adds it to KNOWN, after a look at what it does."""
    acting = {
        (name, hook)
        for name, thing in ours().items()
        for hook in HOOKS
        if hook in vars(thing) and not _made_by_python(thing, hook)
    }
    assert acting == KNOWN


def _made_by_python(thing, hook):
    # Frozen dataclasses have __setattr__, protocols their own __init_subclass__.
    frozen = hasattr(thing, "__dataclass_params__") and hook in ("__setattr__", "__setstate__")
    return frozen or getattr(thing, "_is_protocol", False)


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "builtins.eval",
        "augury.cli.main",
        "augury.data.load.load_dataset",
        "augury.persist.model_file.save_model",
        "augury.generative.naive_bayes.np",
        "augury.discriminative.c45.node.nest",
    ],
)
def test_what_is_not_trusted(name):
    module, _, last = name.rpartition(".")
    assert not is_trusted(named_type({"__module__": module, "__class__": last}))
