"""The commands of the five-minute start print what its pages show."""

import os
import subprocess
import sys
from pathlib import Path

from tests.docs.shell_blocks import comparable, shown_commands, shown_files

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "five-minutes.md"
CHINESE_PAGE = ROOT / "docs" / "zh" / "five-minutes.md"


def test_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    for file, text in shown_files(PAGE).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    compared = 0
    for command in shown_commands(PAGE):
        if command.line.startswith("pip install"):
            continue
        done = subprocess.run(
            ["bash", "-c", command.line],
            cwd=tmp_path,
            env=os.environ | {"PATH": programs},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command.line}\n{done.stderr}"
        if command.output:
            assert comparable(done.stdout.splitlines()) == comparable(command.output), command.line
            compared += 1
    assert compared >= 4


def test_the_chinese_page_shows_the_same() -> None:
    assert shown_files(CHINESE_PAGE) == shown_files(PAGE)
    assert shown_commands(CHINESE_PAGE) == shown_commands(PAGE)
