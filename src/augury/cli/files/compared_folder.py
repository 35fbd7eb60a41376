"""The folder of a comparison, which `augury fit --from-compare` reads."""

from pathlib import Path
from typing import TYPE_CHECKING

from augury.cli.terminal.errors import UserError

if TYPE_CHECKING:
    from augury.summary.contents.verdict import Verdict


def read_recommended(folder: Path) -> "Verdict":
    """Return the verdict of the last comparison in a folder, which recommends a model.

    Raises
    ------
    UserError
        If the folder has no comparison that has ended, or none that recommends a model.
    """
    from augury.experiments.store.stored_results import StoredResults
    from augury.summary.summarize import read_verdict

    with StoredResults(folder) as stored:
        verdict = read_verdict(stored)
    if verdict is None:
        raise UserError(
            f"--from-compare is {str(folder)!r}, which has no verdict: run `augury compare` to the "
            "end"
        )
    if verdict.recommended is None:
        raise UserError(f"--from-compare is {str(folder)!r}, which recommends no model")
    return verdict


__all__ = ["read_recommended"]
