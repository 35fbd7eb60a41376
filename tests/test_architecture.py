"""Pages and pictures of docs that are written from the source show the source as it is."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def architecture() -> ModuleType:
    return load_tool("architecture")


def test_the_page_lists_the_models() -> None:
    tool = load_tool("models_page")
    assert tool.PAGE.read_text(encoding="utf-8") == tool.render(), "run `make pages`"


def test_the_page_lists_the_tree(architecture: ModuleType) -> None:
    text = architecture.PAGE.read_text(encoding="utf-8")
    assert architecture.renew_page(text) == text, "run `make pages`"


def test_the_picture_shows_the_layers(architecture: ModuleType) -> None:
    assert architecture.PICTURE.read_text(encoding="utf-8") == architecture.draw_layers()


def test_the_picture_of_the_choice_is_drawn_by_the_tool() -> None:
    tool = load_tool("choosing_picture")
    assert tool.PICTURE.read_text(encoding="utf-8") == tool.draw(), "run `make pages`"


def test_every_folder_and_module_has_a_layer(architecture: ModuleType) -> None:
    layered = {name for layer in architecture.read_layers() for name in layer}
    there = {path.stem for path in architecture.PACKAGE.iterdir() if path.suffix in ("", ".py")}
    assert there - {"__init__", "__pycache__", "py"} == layered


def test_every_module_says_what_it_holds(architecture: ModuleType) -> None:
    paths = architecture.PACKAGE.rglob("*.py")
    assert [str(path) for path in paths if not architecture.first_line(path).endswith(".")] == []
