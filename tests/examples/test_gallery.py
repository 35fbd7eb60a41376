"""Every script of the gallery runs, draws figures that fit on the page, and concludes correctly.

The scripts run in this process, because the imports would take longer than most scripts.
"""

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from tests.examples.gallery_conclusions import CONCLUSIONS

GALLERY = Path(__file__).parents[2] / "examples" / "gallery"
SCRIPTS = sorted(path.relative_to(GALLERY).as_posix() for path in GALLERY.rglob("*.py"))
# In inches, of which a page of the documentation has seven; a nomogram is drawn smaller there.
WIDEST = 9.0
CUT_OFF = 0.03


@pytest.fixture(autouse=True)
def _without_windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    mpl.use("Agg")
    plt.close("all")
    monkeypatch.setattr(plt, "show", lambda: None)
    with mpl.rc_context():
        yield
    plt.close("all")


@pytest.mark.parametrize("script", SCRIPTS)
def test_script(script: str) -> None:
    names = runpy.run_path(str(GALLERY / script), run_name="__main__")
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert figures
    for figure in figures:
        figure.draw_without_rendering()
        width, height = figure.get_size_inches()
        assert width <= WIDEST
        drawn = figure.get_tightbbox()
        assert min(drawn.x0, drawn.y0, width - drawn.x1, height - drawn.y1) >= -CUT_OFF
    CONCLUSIONS[script](names)


def test_the_gallery_is_complete() -> None:
    assert len(SCRIPTS) >= 16
    assert set(CONCLUSIONS) == set(SCRIPTS)
    assert all(Path(script).name.startswith("plot_") for script in SCRIPTS)
    for folder in {GALLERY, *(GALLERY / script for script in map(_folder_of, SCRIPTS))}:
        title, line, empty, text, *_ = (folder / "GALLERY_HEADER.rst").read_text().split("\n")
        assert (len(line), empty) == (len(title), "")
        assert set(line) in ({"="}, {"-"})
        assert text


@pytest.mark.parametrize("script", SCRIPTS)
def test_title_and_conclusion(script: str) -> None:
    source = (GALLERY / script).read_text(encoding="utf-8")
    first, title, line, empty, *rest = ast.parse(source).body[0].value.value.split("\n")  # type: ignore[attr-defined]
    assert (first, line, empty) == ("", "=" * len(title), "")
    assert any(rest)
    cells = source.split("\n# %%\n")
    heading, dashes, empty, *conclusion = cells[-1].rstrip("\n").split("\n")
    assert (heading, dashes, empty) == ("# Conclusion", "# ----------", "#")
    assert all(text.startswith("# ") for text in conclusion)
    assert len(" ".join(conclusion).split()) > 30
    assert len(cells) >= 3


def _folder_of(script: str) -> str:
    return Path(script).parent.as_posix()
