"""Keys that are twice in one object, in bodies of many keys."""

import pytest

from augury.serve.json_body import _unique, parse_body
from augury.serve.problems import RequestError


class CountedKey(str):
    """A key that counts its comparisons with others."""

    __slots__ = ()
    n_compared = 0

    def __eq__(self, other):
        CountedKey.n_compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_the_search_for_a_key_that_is_twice_is_linear():
    keys = [CountedKey(f"k{i}") for i in range(3000)]
    pairs = [(key, 0) for key in [*keys, CountedKey("k2999")]]
    CountedKey.n_compared = 0
    with pytest.raises(ValueError, match='the key "k2999" is twice in one object'):
        _unique(pairs)
    assert CountedKey.n_compared < 10 * len(pairs)


def test_the_first_key_that_is_twice_is_named():
    with pytest.raises(RequestError, match='the key "b" is twice'):
        parse_body(b'{"row": {"a": 1, "b": 2, "b": 3, "a": 4}}')
