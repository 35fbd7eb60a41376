"""Checks of the fitted state of a `TableEncoder`.

The state may come from a model file. The checks make sure that each row gets codes below the
number of states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from augury.encode.column_plan import (
    GapColumn,
    IntervalColumn,
    LabelColumn,
    OpenLabelColumn,
    lowest_integers,
)
from augury.encode.infrequent_labels import check_grouping
from augury.fitted_state import (
    FittedStateError,
    check_columns_in,
    check_flags,
    check_integers,
    check_texts,
    require,
)
from augury.validation import check_choice, check_flag, check_threads

if TYPE_CHECKING:
    from augury.encode.encoder import TableEncoder

MISSING_POLICIES = ("state", "replace", "ignore")


def check_encoder_parameters(encoder: TableEncoder, owner: str) -> None:
    """Raise if a parameter is not allowed; `owner` is named in errors."""
    check_choice(owner, "missing", encoder.missing, MISSING_POLICIES)
    check_flag(owner, "keep_numbers", encoder.keep_numbers)
    check_grouping(owner, encoder.min_frequency, encoder.max_states)
    check_threads(owner, encoder.n_jobs)


def check_fitted_encoder(encoder: TableEncoder) -> None:
    """Raise unless the attributes are as `fit` leaves them."""
    check_encoder_parameters(encoder, "TableEncoder")
    require(isinstance(encoder._owner, str), encoder, "_owner", "a name")
    n_features = check_columns_in(encoder)
    names = check_texts(encoder, "feature_names_", n_features)
    require(len(set(names)) == n_features, encoder, "feature_names_", "distinct")
    nominal = check_flags(encoder, "is_nominal_", n_features)
    labels = [names[j] for j in np.flatnonzero(nominal)]
    numbers = [names[j] for j in np.flatnonzero(~nominal)]
    _check_plan(encoder, labels, numbers)
    _check_states(encoder)
    if encoder.missing == "replace":
        _check_means(encoder, numbers)


def _check_plan(encoder: TableEncoder, labels: list[str], numbers: list[str]) -> None:
    """Raise unless each column of labels has a plan, and numbers are cut or kept."""
    require(isinstance(encoder._columns, list), encoder, "_columns", "a list")
    sources: dict[type, list[str]] = {LabelColumn: [], IntervalColumn: [], GapColumn: []}
    for column in encoder._columns:
        plan = LabelColumn if type(column) is OpenLabelColumn else type(column)
        require(plan in sources, encoder, "_columns", "plans of columns")
        column._check_fitted_state()
        named = labels if isinstance(column, LabelColumn) else numbers
        require(column.source < len(named), column, "source", f"below {len(named)}")
        sources[plan].append(named[column.source])
        if not isinstance(column, GapColumn):
            require(column.name == named[column.source], column, "name", "its column's")
    require(sources[LabelColumn] == labels, encoder, "_columns", "one for each label")
    cut = [] if encoder.discretizer is None else numbers
    require(sources[IntervalColumn] == cut, encoder, "_columns", "one for each cut number")
    marked = sources[GapColumn]
    fits = len(set(marked)) == len(marked) and (encoder.discretizer is None or not marked)
    require(fits, encoder, "_columns", "at most one that marks missing values of each number")
    kept = set(numbers if encoder.discretizer is None or encoder.keep_numbers else [])
    positions = [j for j, name in enumerate(encoder.feature_names_) if name in kept]
    require(encoder._kept == positions, encoder, "_kept", "the columns that stay numbers")


def _check_states(encoder: TableEncoder) -> None:
    n_columns = len(encoder._columns)
    check_texts(encoder, "table_names_", n_columns)
    check_texts(encoder, "number_names_", len(encoder._kept))
    counts = check_integers(encoder, "n_states_", n_columns)
    fits = isinstance(encoder.states_, list) and all(
        isinstance(states, list | tuple) for states in encoder.states_
    )
    require(fits, encoder, "states_", "a list of states")
    wanted = [list(column.states) for column in encoder._columns]
    require([*map(list, encoder.states_)] == wanted, encoder, "states_", "those of its columns")
    n_states = [len(states) for states in wanted]
    require(counts.tolist() == n_states, encoder, "n_states_", "the numbers of states")
    if encoder._lowest is not None:
        lowest = lowest_integers(encoder._columns, encoder.n_features_in_)
        found = check_integers(encoder, "_lowest", n_columns)
        fits = lowest is not None and np.array_equal(found, lowest) and found.dtype == np.int64
        require(fits, encoder, "_lowest", "the smallest label of each column")


def _check_means(encoder: TableEncoder, numbers: list[str]) -> None:
    for name in numbers:
        mean = encoder.replacements_[name]
        if not (isinstance(mean, float) and np.isfinite(mean)):
            raise FittedStateError(f"TableEncoder: replacements_[{name!r}] must be finite")


__all__ = ["MISSING_POLICIES", "check_encoder_parameters", "check_fitted_encoder"]
