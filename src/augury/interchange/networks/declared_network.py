"""Variables and tables as a file declares them, checked and joined to a network."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from augury.arrays import FloatArray
from augury.errors import NetworkFileError
from augury.generative.networks.discrete_network import (
    SUM_TOLERANCE,
    DiscreteNetwork,
    NetworkError,
    NetworkNode,
    require_no_cycle,
)
from augury.interchange.networks.described_network import DescribedNetwork
from augury.interchange.networks.word_names import kept_names
from augury.memory import RefusedTableError, require_bytes

# A number as files have it. Python's `float` also takes "nan", "1_000" and digits of all scripts.
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# Longest name of a node or state.
MAX_NAME = 10_000
# Most states of a node.
MAX_STATES = 1_000_000
# Most numbers in the tables of a fitted network, which have a further state of each column for what
# is left out. A model file of more numbers could not be loaded.
MAX_NUMBERS = 1 << 26


@dataclass
class DeclaredVariable:
    """A variable of a file; `place` is where it is declared."""

    name: str
    place: int
    states: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)


@dataclass
class DeclaredTable:
    """The probabilities of a variable, as a file declares them.

    Parameters
    ----------
    name : the variable
    parents : its parents
    place : where the table begins
    rows : for each combination of states of the parents its numbers and its place
    default : numbers of the combinations without a row, with their place
    numbers : all numbers, with their place; their order is `child_first` or the child is last
    """

    name: str
    parents: list[str]
    place: int
    rows: dict[tuple[str, ...], tuple[array[float], int]] = field(default_factory=dict)
    default: tuple[array[float], int] | None = None
    numbers: tuple[array[float], int] | None = None
    child_first: bool = False


@dataclass
class DeclaredNetwork:
    """What a file declares.

    Parameters
    ----------
    line_of : function from a place to the number of its line
    """

    line_of: Callable[[int], int]
    name: str = "network"
    notes: dict[str, str] = field(default_factory=dict)
    variables: dict[str, DeclaredVariable] = field(default_factory=dict)
    tables: dict[str, DeclaredTable] = field(default_factory=dict)

    def fail(self, place: int, message: str) -> NetworkFileError:
        """Return an error with the number of its line."""
        return NetworkFileError(f"line {self.line_of(place)}: {message}")

    def add_variable(self, variable: DeclaredVariable) -> None:
        """Add a variable; raise if it has no states, or two of them are equal."""
        if variable.name in self.variables:
            raise self.fail(variable.place, f"variable {variable.name!r:.80} is declared twice")
        if not 0 < len(variable.states) <= MAX_STATES:
            raise self.fail(
                variable.place,
                f"variable {variable.name!r:.80} has {len(variable.states):,} states, and from 1 "
                f"to {MAX_STATES:,} are allowed",
            )
        if len(set(variable.states)) < len(variable.states):
            twice = Counter(variable.states).most_common(1)[0][0]
            raise self.fail(
                variable.place, f"variable {variable.name!r:.80} has the state {twice!r:.80} twice"
            )
        self.variables[variable.name] = variable

    def add_table(self, table: DeclaredTable) -> None:
        """Add a table; raise if the variable has one already."""
        if table.name in self.tables:
            raise self.fail(table.place, f"variable {table.name!r:.80} has a second table")
        self.tables[table.name] = table

    def check_name(self, name: str, place: int) -> str:
        """Return a name that is not too long."""
        if len(name) > MAX_NAME:
            raise self.fail(
                place, f"a name has {len(name):,} characters, and at most {MAX_NAME:,} are allowed"
            )
        return name

    def assemble(self) -> DescribedNetwork:
        """Return the network, or raise `NetworkFileError` with the line of what is wrong."""
        if not self.variables:
            raise self.fail(0, "the file has no variables")
        position = {name: k for k, name in enumerate(self.variables)}
        parents = self._check_families(position)
        try:
            require_no_cycle(list(position), parents)
        except NetworkError as error:
            raise NetworkFileError(str(error)) from None
        self._require_memory(parents)
        nodes, notes = [], []
        for k, variable in enumerate(self.variables.values()):
            table = self._fill(self.tables[variable.name])
            name, states = kept_names(variable.name, variable.states, variable.notes)
            notes.append({key: v for key, v in variable.notes.items() if key != "names"})
            nodes.append(NetworkNode(name, states, parents[k], table))
        try:
            network = DiscreteNetwork(tuple(nodes), self.name)
        except NetworkError as error:  # the names in the notes are not distinct
            raise NetworkFileError(str(error)) from None
        return DescribedNetwork(network, self.notes, tuple(notes))

    def _check_families(self, position: dict[str, int]) -> list[tuple[int, ...]]:
        for table in self.tables.values():
            if table.name not in position:
                raise self.fail(table.place, f"there is no variable {table.name!r:.80}")
            for parent in table.parents:
                if parent not in position:
                    raise self.fail(
                        table.place,
                        f"{parent!r:.80} is a parent of {table.name!r:.80}, and there is no such "
                        "variable",
                    )
            if len({*table.parents, table.name}) < 1 + len(table.parents):
                raise self.fail(
                    table.place, f"the parents of {table.name!r:.80} are not other variables"
                )
        for variable in self.variables.values():
            if variable.name not in self.tables:
                raise self.fail(variable.place, f"variable {variable.name!r:.80} has no table")
        return [tuple(position[p] for p in self.tables[name].parents) for name in position]

    def _require_memory(self, parents: Sequence[tuple[int, ...]]) -> None:
        sizes = [len(variable.states) for variable in self.variables.values()]
        cells = [prod(sizes[p] for p in above) * sizes[k] for k, above in enumerate(parents)]
        fitted = [
            prod(sizes[p] + 1 for p in above) * (sizes[k] + 1) for k, above in enumerate(parents)
        ]
        if sum(fitted) > MAX_NUMBERS:
            largest = list(self.variables)[fitted.index(max(fitted))]
            raise self.fail(
                self.tables[largest].place,
                f"the table of {largest!r:.80} is the largest of tables that would have "
                f"{sum(fitted):,} numbers, and at most {MAX_NUMBERS:,} are allowed: use a network "
                "with fewer states or parents",
            )
        try:
            require_bytes(
                # The table, a copy while it is checked, and a mask of what is filled.
                24 * sum(cells),
                f"tables of {sum(cells):,} probabilities",
                advice="use a network with fewer states or parents",
            )
        except RefusedTableError as error:
            place = self.tables[list(self.variables)[cells.index(max(cells))]].place
            raise self.fail(place, str(error)) from error

    # ---- tables -----------------------------------------------------------------------

    def _fill(self, declared: DeclaredTable) -> FloatArray:
        own = self.variables[declared.name].states
        above = [self.variables[p].states for p in declared.parents]
        shape = tuple(map(len, above))
        if declared.numbers is not None:
            return self._from_numbers(declared, shape, len(own))
        table = np.empty((prod(shape), len(own)))
        is_filled = np.zeros(prod(shape), dtype=bool)
        codes = [{state: code for code, state in enumerate(states)} for states in above]
        for states, (numbers, place) in declared.rows.items():
            row = self._row_of(declared, states, codes, shape, place)
            table[row] = self._distribution(declared, numbers, place, len(own))
            is_filled[row] = True
        if declared.default is not None:
            numbers, place = declared.default
            table[~is_filled] = self._distribution(declared, numbers, place, len(own))
        elif not is_filled.all():
            absent = np.unravel_index(int(np.argmin(is_filled)), shape) if shape else ()
            names = ", ".join(above[axis][int(code)][:40] for axis, code in enumerate(absent))
            raise self.fail(
                declared.place,
                f"the table of {declared.name!r:.80} has no probabilities for ({names})"
                if names
                else f"the table of {declared.name!r:.80} has no probabilities",
            )
        return table.reshape(*shape, len(own))

    def _row_of(
        self,
        declared: DeclaredTable,
        states: tuple[str, ...],
        codes: list[dict[str, int]],
        shape: tuple[int, ...],
        place: int,
    ) -> int:
        if len(states) != len(shape):
            raise self.fail(
                place,
                f"a row of the table of {declared.name!r:.80} has {len(states)} states, and there "
                f"are {len(shape)} parents",
            )
        row = 0
        for parent, state, code_of, n in zip(declared.parents, states, codes, shape, strict=True):
            if state not in code_of:
                raise self.fail(place, f"{state!r:.80} is no state of {parent!r:.80}")
            row = row * n + code_of[state]
        return row

    def _distribution(
        self, declared: DeclaredTable, numbers: array[float], place: int, n_states: int
    ) -> FloatArray:
        if len(numbers) != n_states:
            raise self.fail(
                place,
                f"a distribution of {declared.name!r:.80} has {len(numbers)} numbers, and the "
                f"variable has {n_states} states",
            )
        distribution: FloatArray = self._checked(declared, np.frombuffer(numbers)[None], place)[0]
        return distribution

    def _from_numbers(
        self, declared: DeclaredTable, shape: tuple[int, ...], n_states: int
    ) -> FloatArray:
        assert declared.numbers is not None
        numbers, place = declared.numbers
        if len(numbers) != prod(shape) * n_states:
            raise self.fail(
                place,
                f"the table of {declared.name!r:.80} has {len(numbers):,} numbers, and the states "
                f"of it and its parents need {prod(shape) * n_states:,}",
            )
        flat = np.frombuffer(numbers)
        if declared.child_first:
            flat = flat.reshape(n_states, -1).T
        return self._checked(declared, flat.reshape(-1, n_states), place).reshape(*shape, n_states)

    def _checked(self, declared: DeclaredTable, rows: FloatArray, place: int) -> FloatArray:
        """Return distributions, divided by their sums, which differ from 1 by rounding only."""
        fits = (rows >= 0) & (rows <= 1 + SUM_TOLERANCE)  # false for NaN
        if not fits.all():
            raise self.fail(
                place,
                f"the table of {declared.name!r:.80} must have numbers from 0 to 1, got "
                f"{float(rows[~fits][0])!r}",
            )
        sums = rows.sum(axis=1, keepdims=True)
        n_states = rows.shape[1]
        worst = int(np.argmax(np.abs(sums - 1)))
        if abs(float(sums[worst, 0]) - 1) > allowed_difference(n_states):
            raise self.fail(
                place,
                f"a distribution of {declared.name!r:.80} sums to {float(sums[worst, 0])!r}, and "
                f"must sum to 1 (within {allowed_difference(n_states):g}, for rounding)",
            )
        # Sums that are 1 but for the last digit leave the numbers as they are.
        exact = np.abs(sums - 1) <= 1e-12
        return np.where(exact, rows, rows / sums)


def allowed_difference(n_states: int) -> float:
    """Return the largest difference from 1 of a sum of rounded probabilities."""
    return max(1e-3, 1e-6 * n_states)


__all__ = [
    "MAX_STATES",
    "NUMBER",
    "DeclaredNetwork",
    "DeclaredTable",
    "DeclaredVariable",
    "allowed_difference",
]
