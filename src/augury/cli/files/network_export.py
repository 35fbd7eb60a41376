"""Network files that `augury export` writes."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from augury.persist import SavedModel

# Widest name of a column.
_NAME = 40


def write_network(saved: "SavedModel", path: Path) -> str:
    """Write a model as a BIF or XMLBIF file, and return what is printed about it."""
    from augury.interchange import write_bif, write_xmlbif

    write = write_bif if path.suffix.lower() == ".bif" else write_xmlbif
    write(saved.model, path, target=saved.metadata.target or "class")
    lines = [f"{path}: {path.stat().st_size:,} bytes"]
    if note := _changed_columns(saved.model):
        lines.append(note)
    return "\n".join(lines)


def _changed_columns(model: Any) -> str:
    """Return a sentence on the columns that the network does not read as the table has them."""
    from augury.text_table import shorten_text

    changed = [
        f"{shorten_text(each.name, _NAME)} ({each.treatment})"
        for _, step in getattr(model, "steps", ())
        for each in getattr(step, "decisions_", ())
        if each.treatment in ("dropped", "date")
    ]
    if not changed:
        return ""
    return f"The file does not say how these columns are prepared: {', '.join(changed)}."


__all__ = ["write_network"]
