"""Write docs/models.md, the list of all models, from the registered classes."""

import inspect
from pathlib import Path

from augury.models.catalogue import known_models, model_classes
from augury.registration import public_path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "models.md"
FAMILIES = ("generative", "discriminative", "hybrid", "ensemble")

HEAD = """# Models

`make pages` writes this page from the registered classes. The names are those of `augury models`.
Every class can be imported from `augury`, for example by `from augury import NaiveBayes`. The
commands take a class without a name by its import path: `--model augury.PoissonNaiveBayes`.
"""


def first_line(model: type) -> str:
    """Return the first line of the docstring of a class, as text of a Markdown table."""
    return (inspect.getdoc(model) or "").partition("\n")[0].replace("|", r"\|")


def render() -> str:
    """Return the page."""
    names: dict[str, list[str]] = {}
    for entry in known_models().values():
        if entry.make is not None:
            # The entry of a class method names the class and the method.
            model = entry.make if inspect.isclass(entry.make) else entry.make.__self__
            names.setdefault(public_path(model), []).append(entry.name)
    parts = [HEAD]
    for family in FAMILIES:
        parts.append(f"\n## {family.capitalize()}\n\n| class | names | |\n|---|---|---|\n")
        for model in sorted(model_classes(family), key=lambda each: each.__name__):
            if model.__module__.startswith("augury."):
                own = ", ".join(f"`{name}`" for name in sorted(names.get(public_path(model), [])))
                parts.append(f"| `{model.__name__}` | {own} | {first_line(model)} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
