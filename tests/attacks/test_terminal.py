"""Names and labels of a hostile table do not control the terminal."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.cli import main
from augury.cli.terminal.echo import visible

ESCAPES = ("\x1b[31mred", "\x1b]0;title\x07", "\u202edne", "\x9b2J", "a\x08b")
COMMANDS = [
    ("fit", "{table}", "--target", "{target}", "--model", "nb", "-o", "{model}"),
    ("explain", "{model}", "{table}", "--row", "1"),
    ("predict", "{model}", "{table}", "-o", "{answers}"),
    ("check", "{model}", "{table}"),
    ("fit", "{table}", "--target", "{target}x", "--model", "nb"),
]


@pytest.mark.parametrize("escape", ESCAPES, ids=ascii)
def test_control_characters_are_printed_as_escapes(tmp_path: Path, escape: str) -> None:
    rows = "".join(f"{i % 3},{'uv'[i % 2]}{escape},{escape}{'pq'[i % 2]}\n" for i in range(20))
    places = {
        "table": tmp_path / "a.csv", "model": tmp_path / "a.augury", "target": f"class {escape}",
        "answers": tmp_path / "answers.csv",
    }  # fmt: skip
    places["table"].write_text(f"size,name {escape},class {escape}\n{rows}", encoding="utf-8")
    controls = {each for each in escape if visible(each) != each}
    assert controls
    for command in COMMANDS:
        done = CliRunner().invoke(main, [part.format(**places) for part in command], color=True)
        assert not controls & set(done.output), command
    assert controls & set((tmp_path / "answers.csv").read_text(encoding="utf-8"))  # as they were
