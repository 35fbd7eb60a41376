"""Sums over partitions in threads."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from augury.data.errors import DataError
from augury.encode import CategoricalTable
from augury.scale.rows.block_files import BlockFile
from augury.scale.rows.streamed_rows import StreamedRows
from augury.scale.rows.thread_engine import ThreadEngine


class Part(NamedTuple):
    name: str
    value: int


PARTS = [Part(f"part {k}", k) for k in range(20)]


@pytest.mark.parametrize("n_threads", [1, 3])
def test_sums_are_in_the_order_of_the_partitions(n_threads: int) -> None:
    with ThreadEngine(n_threads) as engine:
        assert engine.total(PARTS, lambda part: [part.value]) == list(range(20))
        odd = engine.total(PARTS, lambda part: [part.value] if part.value % 2 else None)
        assert odd == list(range(1, 20, 2))
        assert engine.total(PARTS, lambda part: None) is None


def test_few_partitions_are_ahead_of_the_sum() -> None:
    """While the first partition is computed, the other thread computes two more and no others."""
    begun: list[int] = []
    third_is_done = threading.Event()

    def work(part: Part) -> list[set[int]]:
        begun.append(part.value)
        if part.value == 2:
            third_is_done.set()
        if part.value:
            return []
        assert third_is_done.wait(timeout=30)
        return [set(begun)]

    with ThreadEngine(2) as engine:
        assert engine.total(PARTS, work) == [{0, 1, 2}]


@pytest.mark.parametrize("n_threads", [1, 3])
def test_the_first_error_ends_the_pass(n_threads: int) -> None:
    begun: list[int] = []

    def work(part: Part) -> int:
        begun.append(part.value)
        if part.value == 4:
            raise ValueError("no number")
        return 1

    with ThreadEngine(n_threads) as engine, pytest.raises(ValueError, match=r"^part 4: no number"):
        engine.total(PARTS, work)
    assert len(begun) <= 5 + 2 * n_threads


def blocks_of(part: Part) -> Iterator[tuple[CategoricalTable, Any, Any]]:
    """Yield blocks of several sizes; every third partition has none."""
    for size in range(part.value % 3):
        codes = np.full((size + 1, 2), part.value % 2)
        table = CategoricalTable.from_codes(codes, n_states=[2, 2])
        numbers = np.full((size + 1, 1), np.nan)
        table = CategoricalTable(table.codes, table.states, table.names, numbers, ["x"])
        yield table, np.full(size + 1, part.value), np.full(size + 1, 0.5)


def describe(table: CategoricalTable, y: Any, weight: Any) -> list[Any]:
    assert table.codes.flags.f_contiguous
    assert np.isnan(table.numbers).all()
    return [(table.codes.tolist(), y.tolist(), weight.tolist())]


@pytest.mark.parametrize("n_threads", [1, 3])
def test_kept_blocks_are_those_that_were_read(n_threads: int, tmp_path: Path) -> None:
    with ThreadEngine(n_threads, tmp_path) as engine:
        rows = StreamedRows(engine, PARTS, blocks_of, keep_after=1)
        first = rows.total(describe)
        assert not list(tmp_path.rglob("*.arrow")), "the first pass keeps nothing"
        assert rows.total(describe) == rows.total(describe) == first
        assert rows.first(describe) == first[:1]
        n_with_rows = sum(part.value % 3 > 0 for part in PARTS)
        assert len(list(tmp_path.rglob("*.arrow"))) == n_with_rows
    assert not any(tmp_path.iterdir())


def test_a_kept_file_that_is_damaged_is_an_error(tmp_path: Path) -> None:
    with ThreadEngine(1, tmp_path) as engine:
        files, read = engine.keep(PARTS, blocks_of)
        file: BlockFile = files[1]
        content = file.path.read_bytes()
        for damaged in (content[:-20], b""):
            file.path.write_bytes(damaged)
            with pytest.raises(DataError, match=r"^part 2: .*the temporary file cannot be read"):
                engine.total(files, lambda each: sum(1 for _ in read(each)))
        file.path.unlink()
        with pytest.raises(DataError, match=r"cannot be read .*No such file"):
            engine.total(files, lambda each: sum(1 for _ in read(each)))


def test_streamed_rows_cannot_be_iterated_over() -> None:
    with ThreadEngine(1) as engine:
        rows = StreamedRows(engine, PARTS, blocks_of)
        with pytest.raises(TypeError, match="take sums of them"):
            iter(rows)
        with pytest.raises(TypeError, match="take sums of them"):
            iter(rows.map(lambda *block: block))
        empty = StreamedRows(engine, PARTS[:1], blocks_of)
        with pytest.raises(DataError, match="has no row with a class"):
            empty.first(describe)
