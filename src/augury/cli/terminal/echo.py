"""Output that cannot control the terminal."""

import re

import click

# Control characters other than the tab and the end of a line, and those that reverse text.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Return a text with control characters as escapes.

    Names and labels of a table may hold any character. A terminal obeys some of them: they change
    its title or colours, or hide what was printed.

    >>> print(visible("\x1b[31mred\n\u202edne"))
    \x1b[31mred
    \u202edne
    """
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text; control characters are printed as escapes."""
    click.echo(visible(str(message)), err=err, nl=nl)


__all__ = ["echo", "visible"]
