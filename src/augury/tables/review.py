"""Notes on the columns and the classes of a user's table."""

from collections.abc import Mapping
from typing import Any

from augury.data import Dataset
from augury.encode import ColumnDecision, TidyColumns


def review_columns(dataset: Dataset) -> list[ColumnDecision]:
    """Return the decisions of `TidyColumns` about the columns, learned from all rows.

    Decisions are learned again in each training fold; they rarely differ.
    """
    return TidyColumns().fit(dataset.X).decisions_


def review_target(dataset: Dataset) -> list[str]:
    """Return notes on classes that look like mistakes, one sentence each.

    Examples
    --------
    >>> import pandas as pd
    >>> y = pd.Series(["yes", "yes", "no", "no", "No"])
    >>> review_target(Dataset(pd.DataFrame({"a": range(5)}), y, "toys", "left", "toys.csv"))
    ["the class 'No' of left has a single row: no model can learn it and be tested on it",
     "the classes 'no', 'No' of left differ only in case or blanks"]
    """
    return review_classes(dataset.target, dataset.y.value_counts().to_dict())


def review_classes(target: str, counts: Mapping[Any, float]) -> list[str]:
    """Return notes on classes, given the number of rows of each class."""
    notes = []
    single = [label for label, count in counts.items() if count == 1]
    if len(single) == 1:
        notes.append(
            f"the class {single[0]!r} of {target} has a single row: no model can learn it "
            "and be tested on it"
        )
    elif single:
        shown = ", ".join(repr(label) for label in single[:5]) + (", …" if single[5:] else "")
        notes.append(
            f"{len(single)} classes of {target} have a single row ({shown}): no model can "
            "learn them and be tested on them"
        )
    alike: dict[str, list[str]] = {}
    for label in counts:
        if isinstance(label, str):
            alike.setdefault(" ".join(label.casefold().split()), []).append(label)
    notes += [
        f"the classes {', '.join(map(repr, labels))} of {target} differ only in case or blanks"
        for labels in alike.values()
        if len(labels) > 1
    ]
    return notes


__all__ = ["review_classes", "review_columns", "review_target"]
