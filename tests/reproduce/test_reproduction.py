from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from augury.data import Dataset
from augury.errors import UnknownNameError
from augury.evaluate import FoldResult, WekaFolds
from augury.reproduce.judgement import Judgement, Status
from augury.reproduce.known_deviation import KnownDeviation
from augury.reproduce.paper import Column, Paper
from augury.reproduce.printed_cell import PrintedCell
from augury.reproduce.reproduction import ComparedCell, Reproduction, reproduce
from augury.reproduce.reproduction_text import comparison_table, verdict
from augury.reproduce.tolerance import EqualAfterRounding


def load(name: str, data_dir: Any = None) -> Dataset:
    """Return five rows of a, one of b.

    In two folds the majority class is right in 3/3 and 2/3 of the rows. The mean is 83.33, the
    standard deviation is 33.33 / √2 = 23.57.
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


# A paper with a data set and a column without printed numbers, a data set that is not available,
# and a column that skips a data set.
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
    rows = done.cells
    assert [(row.model, row.agrees) for row in rows] == [
        ("right", True), ("other mean", False), ("other std", True),
    ]  # fmt: skip
    assert not done.agrees
    assert rows[0].mean == pytest.approx(250 / 3)
    assert rows[1].mean_difference == pytest.approx(250 / 3 - 83.34)
    assert rows[2].std_difference == pytest.approx(100 / 3 / 2**0.5 - 23.6)
    assert {row.protocol for row in rows} == {"published"}


def test_unprinted_cells_neither_agree_nor_differ() -> None:
    done = reproduce(WIDE)
    assert [(row.dataset, row.model, row.agrees) for row in done.cells] == [
        ("tiny", "A", True), ("letter", "A", None), ("tiny", "ours", None),
    ]  # fmt: skip
    [_, letter, _] = done.cells
    assert (letter.table, letter.printed_mean, letter.mean_difference, letter.std_difference) == (
        "", None, None, None,
    )  # fmt: skip
    assert done.agrees


def test_folds_of_the_cells() -> None:
    done = reproduce(WIDE)
    assert [(row.dataset, row.model, row.fold) for row in done.results] == [
        ("tiny", "A", 1), ("tiny", "A", 2), ("tiny", "ours", 1), ("tiny", "ours", 2),
        ("letter", "A", 1), ("letter", "A", 2),
    ]  # fmt: skip
    assert done.reference == "ours"
    assert reproduce(WIDE, models=["A"]).reference == "A"


def test_a_named_data_set_is_not_left_out() -> None:
    done = reproduce(WIDE, datasets=["letter"])
    assert [row.model for row in done.cells] == ["A", "ours"]
    assert done.omissions == ()


def test_models_in_the_requested_order() -> None:
    printed = paper(("A", "83.33", "23.57"), ("B", "83.33", "23.57"))
    rows = reproduce(printed, models=["B", "A"]).cells
    assert [row.model for row in rows] == ["B", "A"]


def test_progress() -> None:
    reported: list[Sequence[FoldResult]] = []
    reproduce(paper(("A", "83.33", "23.57")), repeats=3, progress=reported.append)
    assert sum(map(len, reported)) == 6


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="has no model 'C'"):
        reproduce(paper(("A", "83.33", "23.57")), models=["C"])
    with pytest.raises(UnknownNameError, match="has no data set 'big'"):
        reproduce(paper(("A", "83.33", "23.57")), datasets=["big"], data_dir=Path())


def known(bounds: tuple[float, float], dataset: str = "tiny") -> KnownDeviation:
    return KnownDeviation("A", dataset, "other rows", "docs/page.md#rows", bounds)


class TestKnownDeviations:
    # Ours is 83.33.
    FAR = paper(("A", "80.00", "23.57"))

    def test_a_difference_without_a_reason_is_unexplained(self) -> None:
        done = reproduce(self.FAR)
        assert [row.status for row in done.unexplained] == [Status.DIFFERS]
        assert "DIFFERS (not mean and std" in comparison_table(done.cells)

    @pytest.mark.parametrize("dataset", ["tiny", ""])
    def test_a_known_difference_is_explained_with_a_link(self, dataset: str) -> None:
        listed = replace(self.FAR, known_deviations=[known((0.0, 3.5), dataset)])
        done = reproduce(listed)
        assert not done.agrees
        assert not done.unexplained
        assert "differs (known: other rows)" in comparison_table(done.cells)
        assert verdict(done).splitlines()[1] == (
            "  known to differ: tiny: other rows (docs/page.md#rows)"
        )

    @pytest.mark.parametrize("bounds", [(0.0, 3.2), (-3.5, 0.0)])
    def test_a_difference_beyond_the_bounds_is_not_excused(
        self, bounds: tuple[float, float]
    ) -> None:
        done = reproduce(replace(self.FAR, known_deviations=[known(bounds)]))
        [row] = done.unexplained
        assert "beyond the known deviation" in row.judgement.text

    def test_bounds_of_the_standard_deviation(self) -> None:
        listed = KnownDeviation("A", "tiny", "", "", (0.0, 3.5), std_bounds=(-0.1, 0.1))
        done = reproduce(replace(paper(("A", "80.00", "20.00")), known_deviations=[listed]))
        assert done.unexplained

    @pytest.mark.parametrize("dataset", ["tiny", ""])
    def test_a_deviation_that_no_longer_differs_is_reported(self, dataset: str) -> None:
        near = paper(("A", "83.33", "23.57"))
        done = reproduce(replace(near, known_deviations=[known((0.0, 3.5), dataset)]))
        assert done.agrees
        [line] = [line for line in verdict(done).splitlines() if "no longer differs" in line]
        assert "docs/page.md#rows" in line

    def test_fewer_runs_do_not_outdate_a_deviation(self) -> None:
        near = replace(paper(("A", "83.33", "23.57")), splitter=WekaFolds(2, 10))
        listed = replace(near, known_deviations=[known((0.0, 3.5))])
        assert not reproduce(listed, repeats=1).outdated

    def test_a_column_is_not_outdated_by_one_of_its_cells(self) -> None:
        cells = tuple(
            PrintedCell("1", name, "A", Decimal("83.33"), Decimal("23.57"), "")
            for name in ("tiny", "other")
        )
        listed = replace(self.FAR, cells=cells, known_deviations=[known((0.0, 3.5), "")])
        assert not reproduce(listed, datasets=["tiny"]).outdated
        assert len(reproduce(listed).outdated) == 1


class TestOtherRuns:
    # One run of two folds instead of 50: 3 standard errors are 3 · 23.57 · √(1/2 - 1/100) = 49.5.
    def quick(self, printed: str, *deviations: KnownDeviation) -> ComparedCell:
        few = replace(
            paper(("A", printed, "1.00")),
            splitter=WekaFolds(2, 50),
            known_deviations=deviations,
        )
        [row] = reproduce(few, repeats=1).cells
        return row

    def test_fewer_runs_allow_for_sampling_error(self) -> None:
        row = self.quick("34.00")
        assert row.status is Status.SAMPLING_ERROR
        assert row.judgement.allowance == pytest.approx(49.5, abs=0.1)
        assert row.agrees is False  # by the tolerance itself

    def test_fewer_runs_do_not_excuse_everything(self) -> None:
        assert self.quick("33.00").status is Status.DIFFERS

    def test_bounds_of_a_known_deviation_are_widened_too(self) -> None:
        assert self.quick("33.00", known((0.0, 1.0))).status is Status.KNOWN

    def test_another_protocol_is_not_judged(self) -> None:
        done = reproduce(paper(("A", "80.00", "23.57")), protocol="honest")
        [row] = done.cells
        assert row.status is Status.NOT_JUDGED
        assert not done.unexplained
        assert not done.agrees


class TestText:
    RULE = EqualAfterRounding().description
    ROWS = (
        ComparedCell("iris", "NB", "2", "published", 94.46667, 5.61, Decimal("94.47"),
                   Decimal("5.61"), Judgement(Status.AGREES, RULE, agrees=True)),
        ComparedCell("labor", "NB", "2", "published", 93.0, 10.0, Decimal("93.13"),
                   Decimal("10.56"), Judgement(Status.DIFFERS, RULE, agrees=False)),
        ComparedCell("letter", "NB", "", "published", 70.0, 1.0, None, None,
                   Judgement(Status.NOT_PRINTED)),
    )  # fmt: skip

    def test_table(self) -> None:
        assert comparison_table(self.ROWS).splitlines() == [
            "dataset  model               ours        printed        difference",
            "-------  -----  -----------------  -------------  ----------------  " + 46 * "-",
            (
                "iris     NB     94.4667 ±  5.6100  94.47 ±  5.61  -0.0033  +0.0000  "
                "agrees (mean and std equal to 2 decimals)"
            ),
            (
                "labor    NB     93.0000 ± 10.0000  93.13 ± 10.56  -0.1300  -0.5600  "
                "DIFFERS (not mean and std equal to 2 decimals)"
            ),
            "letter   NB     70.0000 ±  1.0000              -                 -  -",
        ]

    def test_verdict(self) -> None:
        printed = paper(("NB", "1.00", "1.00"))
        assert verdict(Reproduction(printed, list(self.ROWS), [])).splitlines() == [
            (
                "NB: 1 of 2 cells agree (mean and std equal to 2 decimals); "
                "average 93.73, of the printed cells 93.80"
            ),
            "  DIFFERS without a known reason: labor",
        ]

    def test_verdict_on_another_protocol(self) -> None:
        printed = paper(("A", "83.33", "23.57"))
        last = verdict(reproduce(printed, protocol="honest")).splitlines()[-1]
        assert last == (
            "The printed numbers come from the published protocol. "
            "Those of another protocol are not expected to agree."
        )

    def test_verdict_on_other_repeats(self) -> None:
        printed = replace(paper(("A", "83.33", "23.57")), splitter=WekaFolds(2, 10))
        assert (
            verdict(reproduce(printed, repeats=1))
            .splitlines()[-1]
            .startswith("The folds were drawn once instead of 10 times, so the digits differ.")
        )
        assert "instead" not in verdict(reproduce(printed, repeats=10))

    def test_verdict_on_a_data_set_with_its_own_repeats(self) -> None:
        own = replace(WIDE, splitter=WekaFolds(2, 3), repeats={"letter": 1})
        other = "The folds were drawn {} instead of {}"

        def lines(repeats: int | None = None) -> list[str]:
            text = verdict(reproduce(own, models=["A"], repeats=repeats))
            return [line.split(",")[0] for line in text.splitlines() if "instead" in line]

        assert lines() == []
        assert lines(3) == [other.format("3 times", "once")]
        assert lines(2) == [
            other.format("2 times", "once"), other.format("2 times", "3 times"),
        ]  # fmt: skip

    def test_verdict_on_omissions(self) -> None:
        assert verdict(reproduce(WIDE)).splitlines()[1:] == [
            "ours: no printed numbers; average 83.33",
            "Left out: flare (not at hand).",
            "Left out: ours on letter (takes hours).",
        ]
