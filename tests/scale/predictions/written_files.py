"""What the tests of predictions share: numbers of rows, kept columns, files that are left."""

from pathlib import Path

N_ROWS = 3000
KEEP = ("when", "id", "sky", "checked")


def leftovers(folder: Path) -> list[str]:
    """Return the names of temporary files."""
    return [path.name for path in folder.rglob("*") if "temporary" in path.name]


class Recorded:
    """A progress that adds up what it is told."""

    def __init__(self):
        self.begun, self.n_partitions, self.n_rows = [], 0, 0

    def begin(self, *about):
        self.begun.append(about)

    def advance(self, n_partitions, n_rows):
        assert n_partitions >= 0
        self.n_partitions += n_partitions
        self.n_rows += n_rows
