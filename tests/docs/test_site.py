"""The documentation site: it is built without a warning, and its links and names are complete.

The scripts of the gallery are not run here (tests/examples runs them).
"""

import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import augury

ROOT = Path(__file__).parents[2]
INTERNAL = {"cli", "kernels", "workers"}
PACKAGES = {each.name for each in pkgutil.iter_modules(augury.__path__) if each.ispkg} - INTERNAL


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


def names_without_page(site: Path, pages: dict[Path, _Page], package: str) -> Iterator[str]:
    linked = {urlsplit(link).path for link in pages[site / "api" / f"{package}.html"].links}
    for name in __import__(f"augury.{package}", fromlist=["__all__"]).__all__:
        if f"generated/augury.{package}.{name}.html" not in linked:
            yield f"augury.{package}.{name}"


# One test, because the site is built once: two processes would build it twice.
def test_the_site_is_built_without_a_warning_and_is_complete(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "build_docs.py"), "--no-gallery"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    site = tmp_path / "html"
    found = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in found}
    assert [each for path, page in pages.items() for each in broken_links(path, page, pages)] == []
    assert [name for each in PACKAGES for name in names_without_page(site, pages, each)] == []
