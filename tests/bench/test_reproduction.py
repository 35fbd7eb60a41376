from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from augury.bench import (
    Column,
    Comparison,
    EqualAfterRounding,
    Paper,
    PrintedCell,
    Reproduction,
    UnknownNameError,
    comparison_table,
    reproduce,
    verdict,
)
from augury.data import Dataset
from augury.evaluate import FoldResult, WekaFolds


def load(name: str, data_dir: Any = None) -> Dataset:
    """Return five rows of a, one of b.

    In two folds the common class is right in 3/3 and 2/3 of the rows, in the mean 83.33,
    with a deviation of 33.33 / √2 = 23.57.
    """
    X, y = pd.DataFrame({"x": range(6)}), pd.Series(list("aaaaab"))
    return Dataset(X, y, name, "class", "here")


def paper(*printed: tuple[str, str, str]) -> Paper:
    return Paper(
        name="tiny-1999",
        citation="",
        protocol="published",
        splitter=WekaFolds(2, 1),
        cells=tuple(PrintedCell("1", "tiny", m, Decimal(a), Decimal(s), "") for m, a, s in printed),
        columns={m: Column(DummyClassifier, EqualAfterRounding()) for m, _, _ in printed},
        load=load,
    )


# Beside a printed cell: a set and a column without numbers, a set that is not at hand, and
# a column that takes too long for one set.
WIDE = replace(
    paper(("A", "83.33", "23.57"), ("B", "83.33", "23.57")),
    columns={
        "A": Column(DummyClassifier, EqualAfterRounding()),
        "ours": Column(DummyClassifier, EqualAfterRounding(), {"letter": "takes hours"}),
    },
    reference="ours",
    unprinted=("letter", "flare"),
    unavailable={"flare": "not at hand"},
)


def test_cells_are_compared_by_mean_and_deviation() -> None:
    printed = paper(
        ("right", "83.33", "23.57"),
        ("other mean", "83.34", "23.57"),
        ("other std", "83.33", "23.6"),
    )
    done = reproduce(printed)
    rows = done.comparisons
    assert [(row.model, row.agrees) for row in rows] == [
        ("right", True), ("other mean", False), ("other std", True),
    ]  # fmt: skip
    assert not done.agrees
    assert rows[0].mean == pytest.approx(250 / 3)
    assert rows[1].mean_difference == pytest.approx(250 / 3 - 83.34)
    assert rows[2].std_difference == pytest.approx(100 / 3 / 2**0.5 - 23.6)
    assert {row.protocol for row in rows} == {"published"}


def test_what_is_not_printed_is_neither_right_nor_wrong() -> None:
    done = reproduce(WIDE)
    assert [(row.dataset, row.model, row.agrees) for row in done.comparisons] == [
        ("tiny", "A", True), ("letter", "A", None), ("tiny", "ours", None),
    ]  # fmt: skip
    [_, letter, _] = done.comparisons
    assert (letter.table, letter.printed_mean, letter.mean_difference, letter.std_difference) == (
        "", None, None, None,
    )  # fmt: skip
    assert done.agrees


def test_the_folds_behind_the_cells() -> None:
    done = reproduce(WIDE)
    assert [(row.dataset, row.model, row.fold) for row in done.results] == [
        ("tiny", "A", 1), ("tiny", "A", 2), ("tiny", "ours", 1), ("tiny", "ours", 2),
        ("letter", "A", 1), ("letter", "A", 2),
    ]  # fmt: skip
    assert done.reference == "ours"
    assert reproduce(WIDE, models=["A"]).reference == "A"


def test_a_set_asked_for_by_name_is_not_left_out() -> None:
    done = reproduce(WIDE, datasets=["letter"])
    assert [row.model for row in done.comparisons] == ["A", "ours"]
    assert done.omissions == ()


def test_models_in_the_order_asked_for() -> None:
    printed = paper(("A", "83.33", "23.57"), ("B", "83.33", "23.57"))
    rows = reproduce(printed, models=["B", "A"]).comparisons
    assert [row.model for row in rows] == ["B", "A"]


def test_progress() -> None:
    heard: list[Sequence[FoldResult]] = []
    reproduce(paper(("A", "83.33", "23.57")), repeats=3, progress=heard.append)
    assert sum(map(len, heard)) == 6


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="has no model 'C'"):
        reproduce(paper(("A", "83.33", "23.57")), models=["C"])
    with pytest.raises(UnknownNameError, match="has no data set 'big'"):
        reproduce(paper(("A", "83.33", "23.57")), datasets=["big"], data_dir=Path())


class TestText:
    ROWS = (
        Comparison("iris", "NB", "2", "published", 94.46667, 5.61, Decimal("94.47"),
                   Decimal("5.61"), True),
        Comparison("labor", "NB", "2", "published", 93.0, 10.0, Decimal("93.13"),
                   Decimal("10.56"), False),
        Comparison("letter", "NB", "", "published", 70.0, 1.0, None, None, None),
    )  # fmt: skip

    def test_table(self) -> None:
        assert comparison_table(self.ROWS).splitlines() == [
            "dataset  model               ours        printed        difference",
            "-------  -----  -----------------  -------------  ----------------  -------",
            "iris     NB     94.4667 ±  5.6100  94.47 ±  5.61  -0.0033  +0.0000   agrees",
            "labor    NB     93.0000 ± 10.0000  93.13 ± 10.56  -0.1300  -0.5600  DIFFERS",
            "letter   NB     70.0000 ±  1.0000              -                 -        -",
        ]

    def test_verdict(self) -> None:
        printed = paper(("NB", "1.00", "1.00"))
        assert verdict(Reproduction(printed, list(self.ROWS), [])) == (
            "NB: 1 of 2 cells agree (mean and std equal after rounding to 2 decimals); "
            "average 93.73, printed 93.80"
        )

    def test_verdict_on_another_protocol(self) -> None:
        printed = paper(("A", "83.33", "23.57"))
        last = verdict(reproduce(printed, protocol="honest")).splitlines()[-1]
        assert last == (
            "The printed numbers come from the published protocol, "
            "so these are not expected to agree."
        )

    def test_verdict_on_other_repeats(self) -> None:
        printed = replace(paper(("A", "83.33", "23.57")), splitter=WekaFolds(2, 10))
        assert verdict(reproduce(printed, repeats=1)).splitlines()[-1] == (
            "The folds were drawn once instead of 10 times, so other digits are to be expected."
        )
        assert "instead" not in verdict(reproduce(printed, repeats=10))

    def test_verdict_on_a_set_with_repeats_of_its_own(self) -> None:
        own = replace(WIDE, splitter=WekaFolds(2, 3), repeats={"letter": 1})
        other = "The folds were drawn {} instead of {}, so other digits are to be expected."

        def lines(repeats: int | None = None) -> list[str]:
            text = verdict(reproduce(own, models=["A"], repeats=repeats))
            return [line for line in text.splitlines() if "instead" in line]

        assert lines() == []
        assert lines(3) == [other.format("3 times", "once")]
        assert lines(2) == [
            other.format("2 times", "once"), other.format("2 times", "3 times"),
        ]  # fmt: skip

    def test_verdict_on_what_was_left_out(self) -> None:
        assert verdict(reproduce(WIDE)).splitlines()[1:] == [
            "ours: no printed numbers; average 83.33",
            "Left out: flare (not at hand).",
            "Left out: ours on letter (takes hours).",
        ]
