from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]

def integer_ranges(
    x: Array, lo: Array, hi: Array, out: Array | None, start: int, stop: int, /
) -> None: ...
def mark_present(codes: Array, seen: Array, /) -> None: ...
def shift_integers(
    x: Array, lo: Array, widths: Array, out: Array, start: int, stop: int, /
) -> None: ...
def count_class_values(
    codes: Array,
    y: Array,
    weight: Array | None,
    offsets: Array,
    n_classes: int,
    out: Array,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_log_factors(
    codes: Array, table: Array, offsets: Array, out: Array, start: int, stop: int, /
) -> None: ...
def count_pairs(
    codes: Array,
    y: Array,
    weight: Array | None,
    n_states: Array,
    n_classes: int,
    out: Array,
    start: int,
    stop: int,
    /,
) -> None: ...
def add_pair_factors(
    codes: Array, column: int, block: Array, offsets: Array, out: Array, start: int, stop: int, /
) -> None: ...
def pair_information(table: Array, n_states: Array, negligible: float, out: Array, /) -> None: ...
def log_likelihoods(tables: Array, out: Array, /) -> None: ...
def add_to_slots(
    codes: Array, values: Array, offsets: Array, out: Array, start: int, stop: int, /
) -> None: ...
def logistic_loss(
    codes: Array,
    offsets: Array,
    numbers: Array,
    table: Array,
    y: Array,
    weight: Array | None,
    reference: bool,
    out: Array,
    start: int,
    stop: int,
    /,
) -> float: ...
def mdl_cuts(
    values: Array, y: Array, weight: Array | None, n_classes: int, out: Array, /
) -> int: ...
