"""Counts of small tables by brute force."""

import numpy as np

from augury.counts.filled_cells import FilledCells


class Counts:
    """Counts of a table of codes by brute force; code n_states[j] is left out."""

    def __init__(self, codes, n_states, y, n_classes):
        self.codes, self.y, self.n_classes = codes, y, n_classes
        self.n_states = np.asarray(n_states)
        self.class_counts = np.bincount(y, minlength=n_classes).astype(float)
        self.names = [f"x{j}" for j in range(len(self.n_states))]
        self.n_counted, self.n_rows = 0, len(y)

    def joint(self, columns, *, with_class=True):
        self.n_counted += 1
        table = np.zeros((*self.n_states[list(columns)] + 1, self.n_classes))
        np.add.at(table, (*self.codes[:, list(columns)].T, self.y), 1)
        known = table[(slice(-1),) * len(columns)]
        return known if with_class else known.sum(axis=-1)

    def joint_with_each(self, columns, candidates, *, with_class=True):
        for k in candidates:
            yield np.array([k]), self.joint((k, *columns), with_class=with_class)

    def filled_with_each(self, parents, own, candidates, *, with_class=True):
        for k in candidates.tolist():
            rows = {}
            for row, c in zip(self.codes.tolist(), self.y.tolist(), strict=True):
                members = [k, *parents, *([] if own is None else [own])]
                if all(row[j] < self.n_states[j] for j in members):
                    configuration = tuple(row[j] for j in (k, *parents))
                    cell = rows.setdefault(configuration, {})
                    state = 0 if own is None else row[own]
                    counts = cell.setdefault(state, [0.0] * (self.n_classes if with_class else 1))
                    counts[c if with_class else 0] += 1.0
            counts = [counts for cell in rows.values() for counts in cell.values()]
            ends = np.cumsum([len(cell) for cell in rows.values()], dtype=int)
            starts = ends - [len(cell) for cell in rows.values()]
            counts = np.array(counts).reshape(-1, self.n_classes if with_class else 1)
            yield (
                np.array([k]),
                FilledCells(counts, np.asarray(starts, int), np.zeros(len(starts), int), 1),
            )

    def rows(self):
        return self.codes, self.y, None


def random_counts(seed, n_columns=4, n=80, left_out=0.0):
    rng = np.random.default_rng(seed)
    n_states = rng.integers(2, 4, n_columns)
    y = rng.integers(0, 2, n)
    codes = np.zeros((n, n_columns), dtype=int)
    for j in rng.permutation(n_columns):  # leans on a random mix of what is there already
        lean = codes @ rng.integers(0, 3, n_columns) + y * rng.integers(0, 2)
        codes[:, j] = np.where(rng.random(n) < 0.4, rng.integers(0, 9, n), lean) % n_states[j]
    codes[rng.random(codes.shape) < left_out] = 99
    return Counts(np.minimum(codes, n_states), n_states, y, 2)
