"""Build the documentation site from a copy of `docs`, with warnings as errors.

    python tools/build_docs.py                       the site, in build/site/html
    python tools/build_docs.py --no-gallery          the scripts of the gallery are not run
    python tools/build_docs.py --builder linkcheck   check the links to other sites

The copy keeps `docs` free of generated pages. Files beside `docs` that pages link to or include are
copied too.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from api_pages import write_pages

ROOT = Path(__file__).resolve().parents[1]
BESIDE = ("README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
ASSETS = Path(sys.prefix) / "site-assets"  # MathJax, which `make docs` installs


def copy_sources(to: Path) -> None:
    """Copy what the site is made of; an unchanged file keeps its time, so Sphinx skips it."""
    sources = [ROOT / name for name in BESIDE]
    sources += [path for path in (ROOT / "docs").rglob("*") if "__pycache__" not in path.parts]
    sources += (ROOT / "examples").glob("*.*")
    wanted = {to / path.relative_to(ROOT) for path in sources if path.is_file()}
    for path in [*(to / "docs").rglob("*.md")]:
        if path not in wanted and "gallery" not in path.parts:
            path.unlink()  # a page that was removed or renamed
    for target in wanted:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / target.relative_to(to), target)


def build(out: Path, builder: str, gallery: bool) -> int:
    """Run Sphinx and return its exit code."""
    source = out / "source"
    copy_sources(source)
    write_pages(source / "docs" / "api")
    environment = os.environ | {"AUGURY_RUN_GALLERY": str(int(gallery)), "MPLBACKEND": "agg"}
    if (ASSETS / "mathjax" / "tex-svg.js").exists():
        environment["AUGURY_SITE_ASSETS"] = str(ASSETS)
    command = [sys.executable, "-m", "sphinx", "-b", builder, "-c", str(ROOT / "docs")]
    # A new environment: autosummary overlooks new packages in an old one.
    command += ["-E", "-d", str(out / "doctrees"), "-n", "-W", "--keep-going", "-q", "-j", "2"]
    command += [str(source / "docs"), str(out / builder)]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--builder", default="html")
    parser.add_argument("--no-gallery", action="store_true")
    options = parser.parse_args()
    sys.exit(build(options.out.resolve(), options.builder, not options.no_gallery))
