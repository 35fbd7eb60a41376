"""Arrays as compressed blobs of a store."""

import zlib

import numpy as np

from augury.arrays import Array

_CONFIDENCE_STEPS = 65535
_INTEGERS = "bhiq"  # NumPy's codes, the narrowest first


def pack_integers(values: Array) -> bytes:
    """Return integers in the narrowest type that holds them, compressed.

    >>> unpack_integers(pack_integers(np.array([3, -1, 70000])))
    array([    3,    -1, 70000])
    """
    values = np.asarray(values)
    largest = int(np.abs(values).max(initial=0))
    code = next(code for code in _INTEGERS if largest <= np.iinfo(np.dtype(code)).max)
    return code.encode() + zlib.compress(values.astype(np.dtype(code).newbyteorder("<")).tobytes())


def unpack_integers(blob: bytes) -> Array:
    """Return packed integers; raise ValueError if the blob is damaged."""
    if chr(blob[0]) not in _INTEGERS:
        raise ValueError(f"integers must begin with one of {_INTEGERS!r}, got {blob[:1]!r}")
    kind = np.dtype(chr(blob[0])).newbyteorder("<")
    return np.frombuffer(zlib.decompress(blob[1:]), dtype=kind).astype(np.int64)


def pack_shares(values: Array | None) -> bytes | None:
    """Return numbers from 0 to 1 in steps of 1 / 65535, compressed; None stays None.

    >>> unpack_shares(pack_shares(np.array([0.0, 0.25, 1.0]))).round(4)
    array([0.  , 0.25, 1.  ])
    """
    if values is None:
        return None
    steps = np.rint(np.clip(values, 0.0, 1.0) * _CONFIDENCE_STEPS)
    return zlib.compress(steps.astype("<u2").tobytes())


def unpack_shares(blob: bytes | None) -> Array | None:
    """Return numbers from 0 to 1."""
    if blob is None:
        return None
    return np.frombuffer(zlib.decompress(blob), dtype="<u2") / _CONFIDENCE_STEPS


def pack_distributions(probabilities: Array) -> bytes:
    """Return the logarithms of class probabilities as 32-bit numbers, compressed.

    Logarithms keep small probabilities, and the small distances of large ones from 1: the order of
    the rows by a probability is that of the original, up to relative differences of 1e-7.

    >>> blob = pack_distributions(np.array([[1.0, 1e-60], [0.25, 0.75]]))
    >>> bool(np.allclose(unpack_distributions(blob, 2), [[1.0, 1e-60], [0.25, 0.75]], 1e-6, 0))
    True
    """
    with np.errstate(divide="ignore"):
        logarithms = np.log(np.clip(probabilities, 0.0, 1.0))
    # Class by class: the numbers of a class are alike. They hardly compress at any level.
    return zlib.compress(logarithms.T.astype("<f4", order="C").tobytes(), level=1)


def unpack_distributions(blob: bytes, n_classes: int) -> Array:
    """Return class probabilities that sum to 1 in each row; raise ValueError if damaged."""
    numbers = np.frombuffer(zlib.decompress(blob), dtype="<f4").astype(np.float64)
    if n_classes < 1 or len(numbers) % n_classes:
        raise ValueError(f"probabilities must be a number for each of {n_classes} classes")
    logarithms = numbers.reshape(n_classes, -1).T
    if not (logarithms <= 0).all():  # NaN fails this comparison too
        raise ValueError("probabilities must be from 0 to 1")
    weights = np.exp(logarithms)
    totals = weights.sum(axis=1, keepdims=True)
    if not (np.abs(totals - 1.0) < 1e-5).all():
        raise ValueError("probabilities must sum to 1")
    return np.asarray(weights / totals)


def pack_weights(weight: Array) -> bytes:
    """Return 64-bit numbers, compressed.

    >>> unpack_weights(pack_weights(np.array([1.0, 0.1])))
    array([1. , 0.1])
    """
    return zlib.compress(np.asarray(weight, dtype="<f8").tobytes())


def unpack_weights(blob: bytes) -> Array:
    """Return packed numbers."""
    return np.frombuffer(zlib.decompress(blob), dtype="<f8").astype(np.float64)


__all__ = [
    "pack_distributions",
    "pack_integers",
    "pack_shares",
    "pack_weights",
    "unpack_distributions",
    "unpack_integers",
    "unpack_shares",
    "unpack_weights",
]
