"""The order of the sections of the gallery, which sphinx-gallery asks for."""

from pathlib import PurePath

SECTIONS = ("models", "hybrids", "evaluation", "explanation", "practice")


def section_key(folder: str) -> tuple[int, str]:
    """Return the place of a folder of examples; folders that are not listed come last."""
    name = PurePath(folder).name
    return SECTIONS.index(name) if name in SECTIONS else len(SECTIONS), name
