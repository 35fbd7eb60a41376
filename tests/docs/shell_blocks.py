"""The commands of a page, and what the page says that they print."""

import re
from dataclasses import dataclass, field
from pathlib import Path

_FILE = re.compile(r"```\{code-block\} text\n:caption: (\S+)\n\n(.*?)```", re.DOTALL)
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


@dataclass
class Command:
    """A line that begins with `$`, with the lines that continue it, and its output."""

    line: str
    output: list[str] = field(default_factory=list)


def shown_files(page: Path) -> dict[str, str]:
    """Return the files that a page shows: name → text."""
    return dict(_FILE.findall(page.read_text(encoding="utf-8")))


def shown_commands(page: Path) -> list[Command]:
    """Return the commands of the console blocks of a page, in order."""
    found: list[Command] = []
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append(Command(line.removeprefix("$ ")))
            elif _continues(found[-1].line):
                found[-1].line += f"\n{line}"
            elif line.strip():
                found[-1].output.append(line)
    return found


def _continues(line: str) -> bool:
    """Return whether a command goes on in the next line: by a backslash, or within quotes."""
    return line.endswith("\\") or line.count("'") % 2 == 1


def comparable(lines: list[str]) -> list[list[str]]:
    """Return the cells of the lines, without the times of fits and without rules."""
    result, time_column = [], None
    for line in lines:
        cells = re.split(r"\s{2,}", line.removeprefix("*").strip())
        if not line.strip() or set(line) <= {"-", " "}:
            continue
        if "fit ms" in cells:
            time_column = cells.index("fit ms")
        elif line.startswith("* recommended"):
            time_column = None
        if time_column is not None:
            del cells[time_column]
        result.append(cells)
    return result
