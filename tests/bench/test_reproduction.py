from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
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
    UnknownNameError,
    comparison_table,
    reproduce,
    reproduction,
    verdict,
)
from augury.evaluate import FoldResult, WekaFolds

# Five of a, one of b, two folds: the common class is right in 3/3 and 2/3 of the rows,
# in the mean 83.33, with a deviation of 33.33 / √2 = 23.57.
TINY = SimpleNamespace(name="tiny", X=pd.DataFrame({"x": range(6)}), y=pd.Series(list("aaaaab")))


def paper(*printed: tuple[str, str, str]) -> Paper:
    return Paper(
        name="tiny-1999",
        citation="",
        protocol="published",
        splitter=WekaFolds(2, 1),
        cells=tuple(PrintedCell("1", "tiny", m, Decimal(a), Decimal(s), "") for m, a, s in printed),
        columns={m: Column(DummyClassifier, EqualAfterRounding()) for m, _, _ in printed},
    )


@pytest.fixture(autouse=True)
def _tiny_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str, data_dir: Any = None) -> Any:
        return {"tiny": TINY}[name]

    monkeypatch.setattr(reproduction, "load_dataset", load)


def test_cells_are_compared_by_mean_and_deviation() -> None:
    printed = paper(
        ("right", "83.33", "23.57"),
        ("other mean", "83.34", "23.57"),
        ("other std", "83.33", "23.6"),
    )
    rows = reproduce(printed)
    assert [(row.model, row.agrees) for row in rows] == [
        ("right", True), ("other mean", False), ("other std", True),
    ]  # fmt: skip
    assert rows[0].mean == pytest.approx(250 / 3)
    assert rows[1].mean_difference == pytest.approx(250 / 3 - 83.34)
    assert rows[2].std_difference == pytest.approx(100 / 3 / 2**0.5 - 23.6)
    assert {row.protocol for row in rows} == {"published"}


def test_models_in_the_order_asked_for() -> None:
    printed = paper(("A", "83.33", "23.57"), ("B", "83.33", "23.57"))
    assert [row.model for row in reproduce(printed, models=["B", "A"])] == ["B", "A"]


def test_progress() -> None:
    heard: list[Sequence[FoldResult]] = []
    reproduce(paper(("A", "83.33", "23.57")), progress=heard.append)
    assert sum(map(len, heard)) == 2


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
    )  # fmt: skip

    def test_table(self) -> None:
        assert comparison_table(self.ROWS).splitlines() == [
            "dataset  model               ours        printed        difference",
            "-------  -----  -----------------  -------------  ----------------  -------",
            "iris     NB     94.4667 ±  5.6100  94.47 ±  5.61  -0.0033  +0.0000   agrees",
            "labor    NB     93.0000 ± 10.0000  93.13 ± 10.56  -0.1300  -0.5600  DIFFERS",
        ]

    def test_verdict(self) -> None:
        assert verdict(paper(("NB", "1.00", "1.00")), self.ROWS) == (
            "NB: 1 of 2 cells agree (mean and std equal after rounding to 2 decimals); "
            "average 93.73, printed 93.80"
        )

    def test_verdict_on_another_protocol(self) -> None:
        printed = paper(("A", "83.33", "23.57"))
        last = verdict(printed, reproduce(printed, protocol="honest")).splitlines()[-1]
        assert last == (
            "The printed numbers come from the published protocol, "
            "so these are not expected to agree."
        )
