"""Rows of word indices of different lengths, as sparse matrices of counts."""

from collections.abc import Iterable, Sequence
from copy import copy
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from augury.arrays import IntegerArray
from augury.memory import require_bytes
from augury.validation import check_integer

# A model has at least a sum and a log probability of each word for each of two classes.
_BYTES_OF_WORD = 2 * 2 * 8

# One row: the indices of its words, in any order, repeated words repeated.
WordRow = Sequence[int] | IntegerArray


class WordIndices:
    """Texts as lists of word indices: row i has one index for each word of text i.

    The event models (`MultinomialNaiveBayes`, `BernoulliNaiveBayes`, `PoissonNaiveBayes`) and
    the hybrids that accept sparse matrices take these rows as X. The order of the words of a row
    does not matter. A plain list of lists is a matrix for scikit-learn, also if all rows happen
    to have the same length. Therefore rows of indices are marked by this class.

    Parameters
    ----------
    rows : sequence of rows
        Each row is a list, a tuple or an array of whole numbers. A row may be empty.
    n_words : int or None
        Size of the vocabulary; larger indices are an error. None: the model that is fitted to
        these rows has the vocabulary up to the largest index, and a fitted model leaves out
        larger indices, as it leaves out unseen labels.
    first : {0, 1}
        Index of the first word of the vocabulary.

    Attributes
    ----------
    indices : array
        Indices of all words, row by row, counted from 0.
    starts : array of shape (n_rows + 1,)
        Position of the first word of each row in `indices`, and the number of all words.

    See Also
    --------
    sklearn.feature_extraction.text.CountVectorizer : counts words of texts.

    Examples
    --------
    The four mails of the notes, whose words are numbered from 1.

    >>> mails = WordIndices([(1, 2), (2, 1), (1, 3, 2), (3, 3, 3)], first=1)
    >>> mails.to_counts("example").toarray()
    array([[1, 1, 0],
           [1, 1, 0],
           [1, 1, 1],
           [0, 0, 3]])

    Rows can be selected, so that scikit-learn's cross-validation accepts them.

    >>> mails[[0, 3]]
    WordIndices(2 rows, 5 words, n_words=None)
    """

    # `augury.validation.check_table` recognises the class by this attribute.
    counts_words = True

    def __init__(self, rows: Iterable[WordRow], n_words: int | None = None, first: int = 0) -> None:
        owner = type(self).__name__
        if isinstance(first, bool) or not isinstance(first, Integral) or first not in (0, 1):
            raise ValueError(f"{owner}: first must be 0 or 1, got {first!r}")
        if n_words is not None:
            n_words = check_integer(owner, "n_words", n_words, at_least=1)
        lengths, indices = _read_rows(owner, rows)
        self.n_words: int | None = n_words
        self.indices: IntegerArray = indices - int(first)
        self.starts: IntegerArray = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._check_range(owner, int(first))

    def _check_range(self, owner: str, first: int) -> None:
        wrong = self.indices < 0
        allowed = f"at least {first}"
        if self.n_words is not None:
            wrong |= self.indices >= self.n_words
            allowed = f"from {first} to {self.n_words + first - 1}"
        if wrong.any():
            place = int(np.argmax(wrong))
            row = int(np.searchsorted(self.starts, place, side="right")) - 1
            raise ValueError(
                f"{owner}: word indices must be {allowed} (first={first}), got "
                f"{self.indices[place] + first} in row {row}"
            )

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, and of words of the vocabulary."""
        if self.n_words is not None:
            return len(self), self.n_words
        return len(self), int(self.indices.max(initial=-1)) + 1

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({len(self)} rows, {len(self.indices)} words, "
            f"n_words={self.n_words})"
        )

    def __getitem__(self, rows: Any) -> "WordIndices":
        """Return the rows of a slice, of an array of row numbers, or of a mask."""
        if isinstance(rows, tuple):  # scikit-learn asks for X[rows, ...]
            if len(rows) != 2 or rows[1] is not Ellipsis:
                raise IndexError(f"WordIndices has rows only, got the index {rows!r}")
            rows = rows[0]
        chosen = np.arange(len(self))[rows]
        if chosen.ndim != 1:
            raise IndexError(f"WordIndices must be indexed by a list of rows, got {rows!r}")
        selected = self._as_csr(self.shape[1])[chosen]
        return self._part(self.n_words, selected.indices, selected.indptr)

    def _part(self, n_words: int | None, indices: Any, starts: Any) -> "WordIndices":
        """Return rows that have been checked."""
        part = copy(self)
        part.n_words = n_words
        part.indices = indices.astype(np.int64, copy=False)
        part.starts = starts.astype(np.int64, copy=False)
        return part

    def _as_csr(self, n_words: int) -> csr_array:
        """Return a matrix with a stored 1 for each word, repeated words repeated."""
        ones = np.ones(len(self.indices), dtype=np.int64)
        shape = (len(self), max(n_words, 1))  # SciPy needs at least one column
        # A copy, because SciPy sorts and sums in place.
        return csr_array((ones, self.indices, self.starts), shape=shape, copy=True)

    def to_counts(self, owner: str, n_words: int | None = None) -> csr_array:
        """Return the number of times that each word occurs in each row.

        Parameters
        ----------
        owner : str
            Named in errors.
        n_words : int or None
            Size of the vocabulary of a fitted model. Without an `n_words` of its own, this table
            leaves larger indices out.
        """
        if n_words is None or self.n_words is not None:
            n_words = self.shape[1]
        if not n_words:
            raise ValueError(
                f"{owner}: X must have words, got {len(self)} empty rows; give WordIndices the "
                "size of the vocabulary, n_words"
            )
        require_bytes(
            _BYTES_OF_WORD * n_words,
            f"the counts of {n_words:,} words",
            owner=owner,
            advice="number the words of the vocabulary without gaps",
        )
        known = self
        if n_words < self.shape[1]:
            known = self._without_words_from(n_words)
        counts = known._as_csr(n_words)
        counts.sum_duplicates()
        return counts

    def count_from(self, n_words: int) -> int:
        """Return the number of words whose index is at least `n_words`."""
        return int(np.count_nonzero(self.indices >= n_words))

    def _without_words_from(self, n_words: int) -> "WordIndices":
        kept = self.indices < n_words
        n_before = np.concatenate([[0], np.cumsum(kept)])
        return self._part(n_words, self.indices[kept], n_before[self.starts])


def _read_rows(owner: str, rows: Iterable[WordRow]) -> tuple[list[int], IntegerArray]:
    """Return the lengths of the rows, and all indices in one array."""
    _refuse_text(owner, rows)
    if isinstance(rows, np.ndarray) and rows.ndim == 1 and rows.dtype.kind in "iuf":
        raise _wrong_row(owner, 0, rows[0] if len(rows) else rows)
    try:
        listed = list(rows)
    except TypeError:
        raise TypeError(f"{owner}: rows must be a list of rows, got {rows!r:.60}") from None
    lengths = []
    for number, row in enumerate(listed):
        _refuse_text(owner, row)
        if not hasattr(row, "__len__") or isinstance(row, dict | set | frozenset):
            raise _wrong_row(owner, number, row)
        lengths.append(len(row))
    # The dtype of an empty array may be float.
    filled = [_plain_row(row) for row, length in zip(listed, lengths, strict=True) if length]
    if all(isinstance(row, np.ndarray) for row in filled):
        words: Any = np.concatenate(filled) if filled else np.empty(0, dtype=np.int64)
    else:
        words = _to_array(chain.from_iterable(filled))
    if words.dtype.kind not in "iu" or words.ndim != 1:
        raise _wrong_word(owner, filled)
    return lengths, words.astype(np.int64)


def _plain_row(row: Any) -> Any:
    """Return a row whose iteration is fast: an array, a list or a tuple."""
    return row if isinstance(row, list | tuple | np.ndarray) else np.asarray(row)


def _to_array(words: Iterable[Any]) -> Any:
    """Return words as an array; one of objects if they are lists of different lengths."""
    listed = list(words)
    try:
        return np.array(listed)
    except ValueError:
        return np.empty(len(listed), dtype=object)


def _wrong_word(owner: str, rows: Iterable[Iterable[Any]]) -> TypeError:
    """Return the error for the first word that is not an integer of at most 64 bits."""
    largest = np.iinfo(np.int64).max
    others = (
        word
        for word in chain.from_iterable(rows)
        if isinstance(word, bool) or not isinstance(word, Integral) or abs(int(word)) > largest
    )
    word = next(others, None)
    _refuse_text(owner, word)
    return TypeError(f"{owner}: word indices must be whole numbers, got {word!r:.60}")


def _refuse_text(owner: str, value: object) -> None:
    if isinstance(value, str | bytes):
        raise TypeError(
            f"{owner}: word indices must be whole numbers, got the text {value!r:.60}; "
            "sklearn.feature_extraction.text.CountVectorizer counts the words of texts"
        )


def _wrong_row(owner: str, number: int, row: object) -> TypeError:
    return TypeError(
        f"{owner}: each row must be a list, a tuple or an array of word indices, got {row!r:.60} "
        f"as row {number}"
    )


__all__ = ["WordIndices"]
