"""Differences of single columns and of whole rows, with the p-values of their tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import IntegerArray
from augury.drift.column_states import merge_to_bins
from augury.drift.column_tally import ColumnTally
from augury.drift.new_rows import NewRows
from augury.drift.reference import DATE, LABELS, ColumnReference, Reference
from augury.drift.report import Finding
from augury.drift.two_samples import (
    all_in_new_probability,
    homogeneity_test,
    larger_share_probability,
    other_share_probability,
)

# A column of which more than this share cannot be read has another kind.
_OTHER_KIND = 0.5


@dataclass(frozen=True)
class Candidate(Finding):
    """A difference that may be drift.

    Attributes
    ----------
    p_value : of the test, not adjusted; None if the difference is drift without a test
    is_notable : whether the difference is shown if the test finds no drift
    needs_change : whether it is drift only if the change is not small
    """

    is_notable: bool = False
    needs_change: bool = False

    def judged(self, p_value: float | None) -> Finding:
        """Return the finding with the adjusted p-value."""
        values = (self.column, self.kind, self.expected, self.came, self.change)
        return Finding(*values, p_value, self.sentence)


def column_candidates(
    column: ColumnReference, new: ColumnTally, states: IntegerArray, reference: Reference
) -> Iterator[Candidate]:
    """Yield the tested differences of a column."""
    n_old = reference.n_rows
    kind = _kind_candidate(column, new, states)
    if kind is not None:
        yield kind
        return
    if new.n_unread or column.n_unread:
        yield _unread_candidate(column, new, n_old)
    yield _gap_candidate(column, new, n_old)
    if column.treatment == LABELS:
        if not column.n_unlisted:
            yield label_candidate(column, new, n_old)
    elif column.low is not None:
        yield _range_candidate(column, new, states, n_old)
    shift = (
        label_shift(column, new) if column.treatment == LABELS else _number_shift(column, states)
    )
    if shift is not None:
        yield shift


def _kind_candidate(
    column: ColumnReference, new: ColumnTally, states: IntegerArray
) -> Candidate | None:
    """Return that most values have another kind; None if they have not."""
    there = new.n_known + new.n_unread
    strange = new.n_unread
    if column.treatment == LABELS and new.holds_numbers and not column.n_unlisted:
        strange = max(strange, int(states[-2]))
    if there and strange > _OTHER_KIND * there:
        held = {LABELS: "labels", DATE: "dates"}.get(column.treatment, "numbers")
        holds = "numbers" if new.holds_numbers else "text"
        if held == holds:  # only infinite numbers cannot be read as numbers
            holds = "infinite"
        example = new.unread or tuple(new.labels)[:3]
        return Candidate(
            column.name,
            "changed kind",
            held,
            f"{holds} in {_percent(strange / there)}",
            strange / there,
            None,
            f"Column {column.name!r} holds {held} in the training rows. "
            f"{_percent(strange / there)} of the new values are {holds}, such as "
            f"{_listed(example)}.",
        )
    return None


def _unread_candidate(column: ColumnReference, new: ColumnTally, n_old: int) -> Candidate:
    """Return values that cannot be read as in the training rows, and count as missing."""
    old_share, new_share = column.n_unread / n_old, new.n_unread / new.n_rows
    example = f", such as {_listed(new.unread)}" if new.unread else ""
    return Candidate(
        column.name,
        "changed kind",
        f"{_percent(old_share)} unreadable",
        f"{_percent(new_share)} unreadable",
        abs(new_share - old_share),
        larger_share_probability(column.n_unread, n_old, new.n_unread, new.n_rows),
        f"Column {column.name!r}: {_percent(new_share)} of the new rows have a value that cannot "
        f"be read as in the training rows{example}; {_percent(old_share)} of the training rows "
        "have such a value.",
        is_notable=new.n_unread > 0 and not column.n_unread,
    )


def _gap_candidate(column: ColumnReference, new: ColumnTally, n_old: int) -> Candidate:
    old_share, new_share = column.n_gaps / n_old, new.n_gaps / new.n_rows
    return Candidate(
        column.name,
        "missing values",
        _percent(old_share),
        _percent(new_share),
        abs(new_share - old_share),
        other_share_probability(column.n_gaps, n_old, new.n_gaps, new.n_rows),
        f"Column {column.name!r} has no value in {_percent(new_share)} of the new rows, and in "
        f"{_percent(old_share)} of the training rows.",
    )


def label_candidate(
    column: ColumnReference, new: ColumnTally, n_old: int, noun: str = "labels"
) -> Candidate:
    """Return the unseen labels of a column of which all training labels are listed.

    Two tests, both given the numbers of rows that each label has in all rows: that all rows of
    the most frequent unseen label are new, for any label that has as many rows; and that so many
    of the labels of one row are in new rows.
    """
    known = dict(zip(column.labels, column.label_counts, strict=True))
    unseen = {label: count for label, count in new.labels.items() if label not in known}
    n_unseen = sum(unseen.values()) + new.n_unlisted
    p_value = 1.0
    if unseen:
        most = max(unseen.values())
        together = [known.get(label, 0) + new.labels.get(label, 0) for label in {*known, *unseen}]
        n_as_frequent = sum(count >= most for count in together)
        of_label = n_as_frequent * all_in_new_probability(n_old, new.n_rows, most)
        singles = [label for label, count in known.items() if count == 1]
        n_old_singles = sum(label not in new.labels for label in singles)
        n_new_singles = sum(count == 1 for count in unseen.values())
        of_singles = larger_share_probability(n_old_singles, n_old, n_new_singles, new.n_rows)
        p_value = min(1.0, 2.0 * min(of_label, of_singles))
    frequent = sorted(unseen, key=lambda label: (-unseen[label], label))[:3]
    named = ", ".join(f"{label!r} ({unseen[label]})" for label in frequent)
    more = ", …" if len(unseen) > len(frequent) else ""
    share = n_unseen / new.n_rows
    return Candidate(
        column.name or None,
        f"unseen {noun}",
        ", ".join(column.labels[:2]) + (", …" if len(column.labels) > 2 else ""),
        f"{frequent[0] if frequent else 'none'}{', …' if len(unseen) > 1 else ''} in {n_unseen} "
        f"row{'s' if n_unseen != 1 else ''}",
        share,
        p_value,
        f"Column {column.name!r}: {n_unseen} of {new.n_rows} new rows ({_percent(share)}) have "
        f"{noun} that no training row has: {named}{more}.",
        is_notable=n_unseen > 0,
    )


def _range_candidate(
    column: ColumnReference, new: ColumnTally, states: IntegerArray, n_old: int
) -> Candidate:
    assert column.low is not None
    assert column.high is not None
    n_known_old, n_known_new = n_old - column.n_gaps, new.n_known
    n_below, n_above = int(states[0]), int(states[-2])
    p_value = 2.0 * min(
        all_in_new_probability(n_known_old, n_known_new, n_below),
        all_in_new_probability(n_known_old, n_known_new, n_above),
    )
    write = _day if column.treatment == DATE else _number
    width = column.high - column.low
    far = max(column.low - new.low, new.high - column.high)
    parts = []
    if n_below:
        parts.append(f"{n_below} below the smallest training value, down to {write(new.low)}")
    if n_above:
        parts.append(f"{n_above} above the largest training value, up to {write(new.high)}")
    span = f"{write(column.low)} to {write(column.high)}"
    share = (n_below + n_above) / new.n_rows
    return Candidate(
        column.name,
        "range",
        span,
        f"{write(new.low)} to {write(new.high)}" if n_known_new else "no values",
        share,
        min(1.0, p_value),
        f"Column {column.name!r}: of {new.n_rows} new rows, {' and '.join(parts)}. Training "
        f"values are from {span}.",
        is_notable=bool(n_below + n_above) and far > width,
    )


def _number_shift(column: ColumnReference, states: IntegerArray) -> Candidate | None:
    old = merge_to_bins(_total(column), is_labels=False)
    new = merge_to_bins(states.tolist(), is_labels=False)
    tested = homogeneity_test(old, new, is_ordered=True)
    if tested.p_value is None:
        return None
    differences = np.cumsum(new / new.sum() - old / old.sum())[:-1]
    k = int(np.abs(differences).argmax())
    old_share, new_share = np.cumsum(old)[k] / old.sum(), np.cumsum(new)[k] / new.sum()
    edge = (_day if column.treatment == DATE else _number)(column.edges[k])
    return Candidate(
        column.name,
        "distribution",
        f"{_percent(old_share)} ≤ {edge}",
        f"{_percent(new_share)} ≤ {edge}",
        tested.distance,
        tested.p_value,
        f"Column {column.name!r}: {_percent(old_share)} of the training values are at most {edge}, "
        f"and {_percent(new_share)} of the new values. The distributions differ in "
        f"{_percent(tested.distance)} of the rows.",
        needs_change=True,
    )


def label_shift(
    column: ColumnReference, new: ColumnTally, kind: str = "distribution"
) -> Candidate | None:
    """Return the difference of the distributions of labels; None if there are too few rows."""
    known = dict(zip(column.labels, column.label_counts, strict=True))
    # The order decides which rare labels are merged, so it must not tell who has a label.
    labels = sorted({*known, *new.labels})
    old_counts = np.array([known.get(label, 0) for label in labels])
    new_counts = np.array([new.labels.get(label, 0) for label in labels])
    if column.n_unlisted:
        tested = homogeneity_test(
            np.array(column.bucket_counts), np.array(new.buckets), is_ordered=False, fewest_share=0
        )
    else:
        tested = homogeneity_test(old_counts, new_counts, is_ordered=False)
    if tested.p_value is None:
        return None
    n_old, n_new = sum(column.label_counts) + column.n_unlisted, new.n_known
    k = int(np.abs(old_counts / n_old - new_counts / n_new).argmax())
    old_share, new_share = old_counts[k] / n_old, new_counts[k] / n_new
    return Candidate(
        column.name,
        kind,
        f"{_percent(old_share)} {labels[k]}",
        f"{_percent(new_share)} {labels[k]}",
        tested.distance,
        tested.p_value,
        f"Column {column.name!r}: {_percent(old_share)} of the training rows have {labels[k]!r}, "
        f"and {_percent(new_share)} of the new rows. The distributions differ in "
        f"{_percent(tested.distance)} of the rows.",
        needs_change=True,
    )


def row_candidates(reference: Reference, new: NewRows) -> Iterator[Candidate]:
    """Yield the tested differences of whole rows: p(x), predicted classes, known classes."""
    if new.classes is not None and new.classes.n_known:
        if not reference.classes.n_unlisted:
            yield label_candidate(reference.classes, new.classes, reference.n_rows, "classes")
        shift = label_shift(reference.classes, new.classes, "classes")
        if shift is not None:
            yield shift
    if new.scores is None:
        return
    yield _rare_candidate(reference, new.scores.n_rare, new.n_rows)
    predicted = _predicted_candidate(reference, new.scores.predicted)
    if predicted is not None:
        yield predicted
    if new.scores.n_known and reference.n_predicted:
        yield _relation_candidate(reference, new.scores.n_right, new.scores.n_known)


def _rare_candidate(reference: Reference, n_rare: int, n_rows: int) -> Candidate:
    old_share, new_share = reference.n_rare / reference.n_sampled, n_rare / n_rows
    return Candidate(
        None,
        "rare rows",
        f"{_percent(max(old_share, 0.001))} below {reference.rare_log_p:.1f}",
        f"{_percent(new_share)} below {reference.rare_log_p:.1f}",
        max(0.0, new_share - old_share),
        larger_share_probability(reference.n_rare, reference.n_sampled, n_rare, n_rows),
        f"{_percent(new_share)} of the new rows ({n_rare} of {n_rows}) are less probable than "
        f"99.9 % of the training rows: their log p(x) is below {reference.rare_log_p:.1f}.",
    )


def _predicted_candidate(reference: Reference, predicted: IntegerArray) -> Candidate | None:
    old = np.array(reference.predicted_counts)
    tested = homogeneity_test(old, predicted, is_ordered=False)
    if tested.p_value is None:
        return None
    old_shares, new_shares = old / old.sum(), predicted / predicted.sum()
    k = int(np.abs(old_shares - new_shares).argmax())
    many = len(reference.classes.labels) > len(old)
    name = f"group {k + 1} of the classes" if many else reference.classes.labels[k]
    return Candidate(
        None,
        "predicted classes",
        f"{_percent(old_shares[k])} {name}",
        f"{_percent(new_shares[k])} {name}",
        tested.distance,
        tested.p_value,
        f"Naive Bayes predicts {name!r} for {_percent(new_shares[k])} of the new rows, and for "
        f"{_percent(old_shares[k])} of the training rows. The predicted classes differ in "
        f"{_percent(tested.distance)} of the rows.",
        needs_change=True,
    )


def _relation_candidate(reference: Reference, n_right: int, n_known: int) -> Candidate:
    n_old = reference.n_predicted
    old_share, new_share = reference.n_right / n_old, n_right / n_known
    return Candidate(
        None,
        "relation",
        f"{_percent(old_share)} right",
        f"{_percent(new_share)} right",
        abs(new_share - old_share),
        other_share_probability(reference.n_right, n_old, n_right, n_known),
        f"Naive Bayes predicts {_percent(new_share)} of the known classes of the new rows "
        f"correctly, and {_percent(old_share)} of those of the training rows.",
        needs_change=True,
    )


def _total(column: ColumnReference) -> list[int]:
    return [sum(counts) for counts in column.state_counts]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _number(value: float) -> str:
    return f"{value:.6g}"


def _day(value: float) -> str:
    return str(np.datetime64(round(value), "D"))


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(map(repr, labels))


__all__ = ["Candidate", "column_candidates", "row_candidates"]
