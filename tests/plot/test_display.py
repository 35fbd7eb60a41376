"""The base class of the displays: axes, files and the message without matplotlib."""

import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from matplotlib import pyplot as plt

import augury.plot
from augury.optional import MissingExtraError
from augury.plot.display import Display, _shorten_paths


class LineDisplay(Display):
    """A line."""

    def plot(self, ax=None):
        ax = self._open_axes(ax, size=(3.0, 2.0))
        ax.plot([0, 1], [2, 3], label="growth")
        ax.legend()
        return self


@pytest.mark.parametrize(
    ("ending", "beginning"),
    [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("SVG", b"<")],
)
def test_formats(tmp_path: Path, ending: str, beginning: bytes) -> None:
    file = LineDisplay().plot().save(tmp_path / f"line.{ending}")
    assert file == tmp_path / f"line.{ending}"
    assert file.read_bytes().startswith(beginning)
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_same_picture_same_bytes(tmp_path: Path, ending: str) -> None:
    first, second = (
        LineDisplay().plot().save(tmp_path / f"{name}.{ending}").read_bytes() for name in "ab"
    )
    assert first == second


def test_text_is_that_of_the_file(tmp_path: Path) -> None:
    display = LineDisplay().plot()
    assert display.to_svg() == display.save(tmp_path / "line.svg").read_text(encoding="utf-8")
    assert "Date" not in display.to_svg()


@pytest.mark.parametrize("name", ["line.jpg", "line", "svg"])
def test_wrong_ending(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"^LineDisplay.save: file must end in .svg, .png or .pdf"):
        LineDisplay().plot().save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_new_figure() -> None:
    display = LineDisplay().plot()
    assert display.figure_ is display.ax_.figure
    assert display.figure_.get_size_inches().tolist() == [3.0, 2.0]


def test_axes_of_a_subplot() -> None:
    figure, axes = plt.subplots(1, 2)
    display = LineDisplay().plot(ax=axes[1])
    assert display.ax_ is axes[1]
    assert display.figure_ is figure
    assert len(axes[0].lines) == 0
    assert len(axes[1].lines) == 1


def test_axes_of_a_subfigure() -> None:
    figure = plt.figure()
    _, right = figure.subfigures(1, 2)
    display = LineDisplay().plot(ax=right.subplots())
    assert display.figure_ is figure


def test_nothing_is_cut_off(tmp_path: Path) -> None:
    display = LineDisplay().plot()
    display.ax_.text(2.0, 0.5, "beyond the axes", transform=display.ax_.transAxes, in_layout=True)
    display.figure_.set_layout_engine("none")
    small = LineDisplay().plot().save(tmp_path / "small.png")
    large = display.save(tmp_path / "large.png")
    assert plt.imread(large).shape[1] > 1.3 * plt.imread(small).shape[1]


def test_coordinates_of_paths_have_two_decimals() -> None:
    svg = b'<path d="M 0.123456 -7.000001 \nL 12345.678 2"/><g transform="scale(0.015625)"/>'
    assert _shorten_paths(svg) == (
        b'<path d="M 0.12 -7 \nL 12345.7 2"/><g transform="scale(0.015625)"/>'
    )


class _WithoutMatplotlib(MetaPathFinder):
    """An import system without matplotlib."""

    def find_spec(self, name, path, target=None):
        if name == "matplotlib":
            raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_WithoutMatplotlib(), *sys.meta_path])
    with pytest.raises(MissingExtraError, match=r'a picture needs .*pip install "augury\[plot\]"'):
        LineDisplay().plot()


def test_displays_are_found_by_their_names() -> None:
    for name in augury.plot.__all__:
        display = getattr(augury.plot, name)
        assert issubclass(display, Display)
        assert name.endswith("Display")
    assert set(augury.plot.__all__) <= set(dir(augury.plot))
