"""Fonts of characters that matplotlib's own font does not have, such as Chinese ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from augury.optional import import_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Warning of matplotlib for each missing character; `missing_characters` finds all of them.
MISSING_GLYPH = r"Glyph \d+ .* missing from font"

# Fonts of systems and of Linux packages that have Chinese, Japanese or Korean characters.
_OTHERS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "SimHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Arial Unicode MS",
)


@cache
def other_families() -> tuple[str, ...]:
    """Return the names of installed fonts that have characters of many scripts."""
    installed = {font.name for font in _manager().fontManager.ttflist}
    return tuple(name for name in _OTHERS if name in installed)


def use_other_families(figure: Figure) -> str:
    """Let texts of a figure use other fonts, and return the characters that no font has.

    Only texts with characters that their own font does not have are changed.
    """
    kind = import_extra("matplotlib.text", extra="plot", purpose="a picture").Text
    missing: dict[str, None] = {}
    for text in figure.findobj(kind):
        if not (lacking := missing_characters(text.get_text(), text.get_fontfamily())):
            continue
        families = list(dict.fromkeys([*text.get_fontfamily(), *other_families()]))
        text.set_fontfamily(families)
        missing |= dict.fromkeys(missing_characters(lacking, families))
    return "".join(missing)


def missing_characters(text: str, families: Iterable[str]) -> str:
    """Return the characters of a text that none of the font families has, each once.

    >>> missing_characters("Größe", ["DejaVu Sans"])
    ''
    >>> missing_characters("体重 体", ["DejaVu Sans"])
    '体重'
    """
    lacking = [character for character in dict.fromkeys(text) if character.isprintable()]
    for family in families:
        lacking = [each for each in lacking if not _font(family).get_char_index(ord(each))]
    return "".join(lacking)


@cache
def _font(family: str) -> Any:
    manager = _manager()
    return manager.get_font(manager.findfont(manager.FontProperties(family=[family])))


def _manager() -> Any:
    return import_extra("matplotlib.font_manager", extra="plot", purpose="a picture")


__all__ = ["MISSING_GLYPH", "missing_characters", "other_families", "use_other_families"]
