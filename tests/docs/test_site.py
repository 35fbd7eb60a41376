"""The documentation site: it is built without a warning, and its links and names are complete.

The scripts of the gallery are not run here (tests/gallery runs them).
"""

import inspect
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import augury

ROOT = Path(__file__).parents[2]
# augury.scale is imported by its name; the others are attributes of augury.
PACKAGES = ["scale", *(n for n in augury.__all__ if inspect.ismodule(getattr(augury, n)))]


class _Page(HTMLParser):
    """The links of a page, and the anchors that it offers."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; a warning of Sphinx is an error."""
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(ROOT / "tools" / "build_docs.py"), "--no-gallery"]
    done = subprocess.run(
        [*command, "--out", str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Page]:
    found = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    return {path: _Page(path.read_text(encoding="utf-8")) for path in found}


def broken_links(path: Path, page: _Page, pages: dict[Path, _Page]) -> Iterator[str]:
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or link == "#":
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{path.name}: {link} does not exist"
        elif target in pages and parts.fragment:
            has = unquote(parts.fragment) in pages[target].anchors
            if not has:
                yield f"{path.name}: {link} has no such anchor"


def test_every_link_within_the_site_has_a_target(pages: dict[Path, _Page]) -> None:
    broken = [each for path, page in pages.items() for each in broken_links(path, page, pages)]
    assert broken == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_a_page(site: Path, pages: dict[Path, _Page], package: str) -> None:
    overview = pages[site / "api" / f"{package}.html"]
    linked = {urlsplit(link).path for link in overview.links}
    module = __import__(f"augury.{package}", fromlist=["__all__"])
    missing = [
        name for name in module.__all__ if f"generated/augury.{package}.{name}.html" not in linked
    ]
    assert missing == []
