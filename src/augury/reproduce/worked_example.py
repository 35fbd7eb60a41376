"""Worked examples and formulas of a document, computed again."""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray
from augury.text_table import align_columns

# Arrays with more numbers are described by their shape.
_MOST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """Numbers that a document prints, or that its formula gives, and the same from a model.

    Attributes
    ----------
    place : str
        Where the document has it: a section or an equation.
    name : str
        What it is.
    document : callable
        Returns the printed numbers, or evaluates the printed formula without the model.
    ours : callable
        Returns the same numbers from a model of augury.
    printed : str
        The printed number as text; "" for a formula.
    tolerance : float
        Largest difference at which they agree.
    """

    place: str
    name: str
    document: Callable[[], ArrayLike]
    ours: Callable[[], ArrayLike]
    printed: str = ""
    tolerance: float = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class ComparedExample:
    """A worked example beside ours.

    Attributes
    ----------
    example : WorkedExample
    document, ours : array
        The numbers of the document, and ours.
    """

    example: WorkedExample
    document: FloatArray
    ours: FloatArray

    @property
    def difference(self) -> float:
        """The largest difference of two numbers; infinite if the shapes differ."""
        if self.document.shape != self.ours.shape or np.isnan(self.ours).any():
            return float("inf")
        return float(np.max(np.abs(self.ours - self.document), initial=0.0))

    @property
    def agrees(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.difference <= self.example.tolerance


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number that a document prints.

    Attributes
    ----------
    place, name : str
        Where it is, and what it is.
    text : str
        The number as printed: 0.6 or 1/5.
    """

    place: str
    name: str
    text: str

    @property
    def value(self) -> float:
        """The number.

        >>> PrintedNumber("section 5", "share", "1/5").value
        0.2
        """
        return float(Fraction(self.text))


def read_printed_numbers(module_file: str | Path) -> tuple[PrintedNumber, ...]:
    """Read printed numbers from the CSV file beside the module of a document.

    The file has the columns place, name and printed.
    """
    text = Path(module_file).with_suffix(".csv").read_text(encoding="utf-8")
    return tuple(
        PrintedNumber(row["place"], row["name"], row["printed"])
        for row in csv.DictReader(text.splitlines())
    )


def compare_examples(examples: Iterable[WorkedExample]) -> list[ComparedExample]:
    """Compute worked examples again.

    Examples
    --------
    >>> half = WorkedExample("page 1", "a half", lambda: 0.5, lambda: 2 / 4, printed="1/2")
    >>> [done] = compare_examples([half])
    >>> done.agrees, done.difference
    (True, 0.0)
    """
    return [
        ComparedExample(example, _numbers(example.document()), _numbers(example.ours()))
        for example in examples
    ]


def _numbers(value: ArrayLike) -> FloatArray:
    return np.asarray(value, dtype=np.float64)


def examples_table(compared: Sequence[ComparedExample]) -> str:
    """Return worked examples as aligned text, with the number of those that agree."""
    rows = [
        [
            done.example.place,
            done.example.name,
            done.example.printed or _shown(done.document),
            _shown(done.ours),
            f"{done.difference:.1e}",
            "agrees" if done.agrees else f"DIFFERS by more than {done.example.tolerance:g}",
        ]
        for done in compared
    ]
    header = ["place", "example or formula", "document", "ours", "difference", ""]
    n_agree = sum(done.agrees for done in compared)
    return (
        f"{align_columns(header, rows, left=(0, 1, 5))}\n"
        f"{n_agree} of {len(compared)} worked examples and formulas agree."
    )


def _shown(numbers: FloatArray) -> str:
    if numbers.size > _MOST_SHOWN:
        return f"{' x '.join(map(str, numbers.shape))} numbers"
    return ", ".join(f"{number:.6g}" for number in numbers.ravel())


def describe_examples(compared: Sequence[ComparedExample]) -> list[dict[str, object]]:
    """Return worked examples as dictionaries that can be written as JSON."""
    return [
        {
            "place": done.example.place,
            "name": done.example.name,
            "printed": done.example.printed or None,
            "document": done.document.tolist(),
            "ours": done.ours.tolist(),
            "difference": done.difference if np.isfinite(done.difference) else None,
            "tolerance": done.example.tolerance,
            "agrees": done.agrees,
        }
        for done in compared
    ]


__all__ = [
    "ComparedExample",
    "PrintedNumber",
    "WorkedExample",
    "compare_examples",
    "describe_examples",
    "examples_table",
    "read_printed_numbers",
]
