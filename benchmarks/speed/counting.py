"""Ways to count class × value in 1,000,000 rows × 30 columns, five values, three classes."""

import numpy as np

from augury.kernels import count_class_values, slot_offsets
from benchmarks.timing import best_seconds, report

N, D, V, Q = 1_000_000, 30, 5, 3


def by_bincount(codes, y):
    return np.array(
        [np.bincount(codes[:, j] * np.intp(Q) + y, minlength=V * Q).reshape(V, Q) for j in range(D)]
    )


def by_narrow_bincount(codes, y):
    # The combined code fits into one byte; only bincount converts it to a wider type.
    combined = y.astype(np.uint8)
    return np.array(
        [
            np.bincount(codes[:, j] * np.uint8(Q) + combined, minlength=V * Q).reshape(V, Q)
            for j in range(D)
        ]
    )


def by_matrix_product(codes, y):
    classes = (y[:, None] == np.arange(Q)).astype(np.float32)
    return np.array(
        [(codes[:, j, None] == np.arange(V)).astype(np.float32).T @ classes for j in range(D)]
    )


def by_bitsets(codes, y):
    classes = [np.packbits(y == c).view(np.uint8) for c in range(Q)]
    counts = np.empty((D, V, Q))
    for j in range(D):
        for v in range(V):
            rows = np.packbits(codes[:, j] == v)
            for c in range(Q):
                counts[j, v, c] = np.bitwise_count(rows & classes[c]).sum(dtype=np.int64)
    return counts


def by_numba(codes, y):
    """Return a compiled counter, or None if numba is not installed."""
    try:
        import numba
    except ModuleNotFoundError:
        return None

    @numba.njit(nogil=True)
    def count(codes, y):
        counts = np.zeros((D, V, Q))
        for j in range(D):
            for i in range(len(y)):
                counts[j, codes[i, j], y[i]] += 1.0
        return counts

    seconds = best_seconds(lambda: count(codes, y), 1)
    report("numba: first call", seconds, "s")
    return count


def main() -> None:
    rng = np.random.default_rng(0)
    codes = np.asfortranarray(rng.integers(0, V, (N, D)).astype(np.uint8))
    y = rng.integers(0, Q, N).astype(np.int32)
    offsets = slot_offsets(np.full(D, V))
    expected = by_bincount(codes, y)
    peers = {
        "np.bincount, wide codes": by_bincount,
        "np.bincount, one-byte codes": by_narrow_bincount,
        "one-hot float32 matrix product": by_matrix_product,
        "NumPy bitsets": by_bitsets,
        "numba": by_numba(codes, y),
    }
    for name, count in peers.items():
        if count is None:
            print(f"{name}: not installed, not measured")
            continue
        np.testing.assert_array_equal(count(codes, y), expected)
        report(name, best_seconds(lambda f=count: f(codes, y), 3), "s")
    for n_threads in (1, 2):
        seconds = best_seconds(
            lambda n=n_threads: count_class_values(codes, y, None, offsets, Q, n_threads=n)
        )
        report(f"augury.kernels, {n_threads} thread(s)", seconds, "s")
    report(
        "reading the codes once (their sum)", best_seconds(lambda: codes.sum(dtype=np.uint8)), "s"
    )


if __name__ == "__main__":
    main()
