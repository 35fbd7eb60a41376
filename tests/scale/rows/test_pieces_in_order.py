"""Pieces that threads make arrive in order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augury.scale.rows.pieces_in_order import PiecesInOrder


@given(
    sizes=st.lists(st.integers(0, 6), max_size=12),
    n_threads=st.integers(1, 5),
    limit=st.integers(1, 10),
    failing=st.integers(0, 20),
)
@settings(max_examples=80)
def test_pieces_are_in_order_up_to_the_first_error(sizes, n_threads, limit, failing):
    def work(numbered):
        number, n_pieces = numbered
        for k in range(n_pieces):
            yield number, k
        if number == failing:
            raise ArithmeticError(str(number))

    wanted = [(number, (number, k)) for number, n in enumerate(sizes) for k in range(n)]
    pieces = PiecesInOrder(list(enumerate(sizes)), work, lambda _: 3, n_threads, limit)
    found = []
    try:
        if failing < len(sizes):
            wanted = [(number, piece) for number, piece in wanted if number <= failing]
            with pytest.raises(ArithmeticError, match=f"^{failing}$"):
                found.extend(iter_into(pieces, found))
        else:
            found.extend(iter_into(pieces, found))
    finally:
        pieces.close()
    assert found == wanted
    assert not any(thread.is_alive() for thread in pieces._threads)


def iter_into(pieces, found):
    for piece in pieces:
        found.append(piece)
    return []


def test_threads_wait_for_room():
    """Without a reader, each of the begun partitions has few pieces."""
    made = []

    def work(number):
        for k in range(1000):
            made.append((number, k))
            yield k

    pieces = PiecesInOrder([0, 1, 2, 3, 4], work, lambda _: 1, n_threads=2, waiting_bytes=10)
    reading = iter(pieces)
    for _ in range(500):
        next(reading)
    pieces.close()
    assert {number for number, _ in made} == {0, 1}
    assert len(made) <= 500 + 2 * (10 + 2)
