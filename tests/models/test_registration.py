"""Models are found in the files of their folders, and imported when they are used."""

import pickle
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import augury
from augury.models.catalogue import known_models, model_classes
from augury.registration import FAMILIES, RegistrationError, family_of, register_model

FOLDERS = [family for family in FAMILIES if family != "other"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_offers_its_registered_classes(folder):
    module = getattr(augury, folder)
    registered = {
        kind.__name__
        for kind in model_classes(folder)
        if kind.__module__.startswith(f"augury.{folder}.")
    }
    assert registered <= set(module.__all__)
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is getattr(augury, name)
        assert getattr(module, name).__module__.startswith(f"augury.{folder}.")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_of_a_folder_has_a_model(folder):
    homes = {kind.__module__ for kind in model_classes(folder)}
    path = getattr(augury, folder).__path__[0]
    # GenerativeFeatures is a transformer, the first half of a hybrid; a GivenNetwork is not fitted.
    others = {"__init__", "generative_features", "given_network"}
    files = {file.stem for file in Path(path).glob("*.py")} - others
    assert {f"augury.{folder}.{file}" for file in files} <= homes


def test_static_names_exist():
    """Names in the TYPE_CHECKING block of a folder are names of the folder."""
    for folder in FOLDERS:
        text = (Path(getattr(augury, folder).__path__[0]) / "__init__.py").read_text()
        names = re.findall(r"import \(?\s*(\w+) as \1", text)
        assert names
        assert set(names) <= set(getattr(augury, folder).__all__)


def test_public_names():
    from augury import AugmentedClassifier, HiddenNaiveBayes, NaiveBayes

    assert NaiveBayes is augury.generative.NaiveBayes
    assert {"NaiveBayes", "generative", "__version__"} <= set(augury.__all__) & set(dir(augury))
    assert pickle.loads(pickle.dumps(HiddenNaiveBayes)) is HiddenNaiveBayes
    assert "class NaiveBayes" in pydoc.render_doc("augury.generative", renderer=pydoc.plaintext)
    assert AugmentedClassifier.__module__ == "augury.hybrid.augmented_classifier"


def test_an_unknown_name():
    with pytest.raises(AttributeError, match="module 'augury' has no attribute 'Nothing'"):
        augury.Nothing  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'augury\.hybrid' has no attribute 'Nothing'"):
        augury.hybrid.Nothing  # noqa: B018


def modules_after(code):
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_one_class_imports_one_module():
    loaded = modules_after("from augury.generative import NaiveBayes")
    assert "augury.generative.naive_bayes" in loaded
    assert "augury.generative.hidden_naive_bayes" not in loaded


def test_names_and_the_command_line_import_nothing_heavy():
    loaded = modules_after("import augury, augury.cli\nassert 'NaiveBayes' in dir(augury)")
    assert not {"numpy", "sklearn", "pandas"} & loaded


def test_every_description_is_a_line_that_fits():
    for entry in known_models().values():
        assert entry.description
        assert entry.description[0].isupper()
        assert "\n" not in entry.description


def test_wrong_registrations():
    class Model:
        pass

    with pytest.raises(RegistrationError, match="Model: name must be lower-case letters"):
        register_model("My model")(Model)
    with pytest.raises(RegistrationError, match="Model: family must be one of generative"):
        register_model("mine", family="linear")(Model)
    assert family_of(Model) == "other"
