"""Draw the layers and list the tree of docs/architecture.md from the source itself.

The layers are those of the import contract in pyproject.toml, the lines of the tree are the first
lines of the docstrings. `make pages` writes both; a test compares them with the source.
"""

import ast
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "augury"
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "figures" / "layers.svg"
BEGIN, END = "<!-- tree: begin -->", "<!-- tree: end -->"

WIDTH, ROW, BOX, MARGIN = 760, 46, 34, 12


def first_line(path: Path) -> str:
    """Return the first line of a module's or package's docstring."""
    source = path / "__init__.py" if path.is_dir() else path
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def read_layers() -> list[list[str]]:
    """Return the names of each layer, the highest layer first."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = content["tool"]["importlinter"]["contracts"]
    [layers] = [each["layers"] for each in contracts if each["type"] == "layers"]
    return [[name.strip().removeprefix("augury.") for name in line.split("|")] for line in layers]


def draw_layers() -> str:
    """Return the layers as SVG: a box for each folder or module, imports point downwards."""
    layers = read_layers()
    height = ROW * len(layers) + 2 * MARGIN
    size = f'width="{WIDTH}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" {size}',
        'role="img" aria-label="Layers of augury" font-family="sans-serif" font-size="13">',
        f'<rect {size} fill="#ffffff"/>',
    ]
    for i, names in enumerate(layers):
        width = (WIDTH - MARGIN * (len(names) + 1)) / len(names)
        y = MARGIN + i * ROW
        for k, name in enumerate(names):
            x = MARGIN + k * (width + MARGIN)
            is_folder = (PACKAGE / name).is_dir()
            title = first_line(PACKAGE / name if is_folder else PACKAGE / f"{name}.py")
            fill = "#e8f0fb" if is_folder else "#f2f2f2"
            parts.append(
                f'<g><title>{escape(title)}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" '
                f'height="{BOX}" rx="4" fill="{fill}" stroke="#4a6fa5"/>'
                f'<text x="{x + width / 2:.1f}" y="{y + BOX / 2 + 5}" text-anchor="middle" '
                f'fill="#1a1a1a">{escape(name)}</text></g>'
            )
    return "\n".join([*parts, "</svg>\n"])


def list_tree() -> str:
    """Return a Markdown list with a line for each folder, and its files under it."""
    lines = []
    for folder in sorted(path.parent for path in PACKAGE.rglob("__init__.py")):
        name = folder.relative_to(PACKAGE.parent).as_posix()
        lines.append(f"- **`{name}/`** {first_line(folder)}")
        lines += [
            f"  - `{path.name}` {first_line(path)}"
            for path in sorted(folder.glob("*.py"))
            if path.name not in ("__init__.py", "__main__.py")
        ]
    return "\n".join(lines)


def renew_page(text: str) -> str:
    """Return the page with the tree of today between its two marks."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{list_tree()}\n{END}{after}"


def main() -> None:
    """Write the picture and the page."""
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw_layers(), encoding="utf-8")
    PAGE.write_text(renew_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
