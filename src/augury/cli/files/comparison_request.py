"""Arguments of `augury compare`, and what it prints before the first fold and writes at the end."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augury.cli.files.decision_options import file_of_costs
from augury.cli.files.separate_output import require_separate_output, results_file
from augury.cli.terminal.comparison_output import Compared
from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home
from augury.cli.terminal.output import TargetSummary, echo_decisions

if TYPE_CHECKING:
    from augury.encode import ColumnDecision
    from augury.experiments.store.result_store import ResultStore
    from augury.foreign import Classifier
    from augury.report import WrittenReport
    from augury.summary.contents.verdict import Verdict

_LONGEST_NAME = 60  # characters of up to four bytes; file systems allow 255 bytes


@dataclass(frozen=True, eq=False)
class ComparisonRequest:
    """Arguments of `augury compare`."""

    table: str
    target: str | None
    models: str | None
    measure: str | None
    costs: str | None
    threshold: str | None
    folds: int | None
    repeats: int | None
    time_limit: float | None
    quick: bool
    out: str | None
    save: str | None
    no_save: bool
    stream: bool | None
    scheduler: str | None
    strict: bool
    header: bool | None
    max_size: float | None
    data: str | None
    jobs: int
    as_json: bool

    def check_outputs(self) -> None:
        """Raise an error before the table is read if --out or --save names an input."""
        if self.out:
            self.folder("")
        if self.save:
            self._check_separate("--save", self.save)

    def folder(self, name: str) -> Path:
        """Return the folder of the results of a table."""
        folder = expand_home(self.out or f"{name.replace(':', '-')}-augury")
        for written in (folder, folder / "report.html", folder / "report.json"):
            self._check_separate("--out", written, is_default=not self.out)
        return folder

    def model_file(self, folder: Path, target: str) -> Path | None:
        """Return the file of the recommended model; None if it is not saved."""
        if self.no_save:
            return None
        file = expand_home(self.save) if self.save else folder / f"{_file_name(target)}.augury"
        self._check_separate("--save", file, is_default=not self.save, folder=folder)
        if self.save and (file.is_dir() or not file.parent.is_dir()):
            raise UserError(f"--save is {str(file)!r}, where no file can be written")
        return file

    def _check_separate(
        self,
        option: str,
        output: str | Path,
        *,
        is_default: bool = False,
        folder: Path | None = None,
    ) -> None:
        """Raise an error if an output is an input, or the results in the folder of --out."""
        require_separate_output(
            option,
            output,
            {
                "DATA": self.table,
                "--costs": file_of_costs(self.costs),
                "the results of --out": results_file(folder),
            },
            is_default=is_default,
            data_dir=None if self.data is None else expand_home(self.data),
        )


def echo_table(
    asked: ComparisonRequest, target: TargetSummary, decisions: "Sequence[ColumnDecision]"
) -> None:
    """Print the target, and how each column is read."""
    target.echo_notes()
    if not asked.as_json:
        target.echo()
        echo_decisions(decisions)


def end_comparison(
    verdict: "Verdict",
    store: "ResultStore",
    models: "Mapping[str, Classifier]",
    target: TargetSummary,
    decisions: "Sequence[ColumnDecision]",
    write_page: "Callable[..., WrittenReport]",
) -> Compared:
    """Write the page, and return the results of these models: the folder may have others."""
    place = {each.model: number for number, each in enumerate(verdict.leaderboard)}
    results = [row for row in store.results() if row.dataset == verdict.dataset]
    results = [row for row in results if row.model in place]
    failures = [row for row in store.failures() if row.dataset == verdict.dataset]
    assert store.folder is not None
    page = store.folder / "report.html"
    return Compared(
        verdict,
        write_page(store, verdict, page, models=models, decisions=decisions).page,
        sorted(results, key=lambda row: place[row.model]),
        [row for row in failures if row.model in models],
        list(models),
        target,
        decisions,
    )


def _file_name(target: str) -> str:
    """Return the name of a target as the name of a file: letters and digits of any script."""
    name = re.sub(r"[^\w.-]+", "-", target)[:_LONGEST_NAME].strip(".-")
    return name or "model"


__all__ = ["ComparisonRequest", "echo_table", "end_comparison"]
