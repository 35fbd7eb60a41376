"""`augury doctor`."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from augury.cli.terminal.echo import echo
from augury.cli.terminal.options import json_option
from augury.cli.terminal.output import dump_json

if TYPE_CHECKING:
    from augury.installation import Installation


@click.command(short_help="Show versions, extras, kernels and threads of this installation.")
@json_option
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Show versions, extras, kernels, threads and folders of this installation.

    The exit code is 1 if augury cannot work: a package is missing or too old, the compiled part
    fails, or AUGURY_DATA is not a folder. A missing extra is no error. Add the output to a report
    of a fault.
    """
    from augury.installation import examine_installation

    found = examine_installation()
    echo(dump_json(_as_json(found)) if as_json else _as_text(found))
    context.exit(1 if found.problems else 0)


def _as_json(found: "Installation") -> dict[str, object]:
    packages = [asdict(package) | {"problem": package.problem} for package in found.packages]
    return asdict(found) | {"packages": packages}


def _as_text(found: "Installation") -> str:
    from augury.text_table import align_columns

    rows = [
        [
            package.name,
            package.installed or "-",
            package.lowest or "any",
            package.extra or "-",
            package.problem or "ok",
        ]
        for package in found.packages
    ]
    limits = [f"{name}={value}" for name, value in found.thread_limits.items()]
    kernels = found.kernels
    abi = "stable ABI" if kernels.stable_abi else "for this Python only"
    lines = [
        f"augury {found.augury}, Python {found.python}, {found.system}, {found.machine}",
        "",
        align_columns(["package", "installed", "lowest", "extra", "state"], rows, left=range(5)),
        "",
        f"kernels         {kernels.file} ({abi}): {kernels.problem or 'ok'}",
        f"processors      {found.processors}{', ' if limits else ''}{', '.join(limits)}",
        f"linear algebra  {'; '.join(found.linear_algebra) or 'no library found'}",
        f"data folder     {found.data_folder or 'none (AUGURY_DATA is not set)'}",
        f"cache folder    {found.cache_folder}",
        "",
        *(f"Problem: {problem}" for problem in found.problems),
        *([] if found.problems else ["No problem found."]),
    ]
    return "\n".join(lines)


__all__ = ["doctor"]
