"""Check of the memory that the coefficients of a logistic regression need."""

from augury.encode import TableEncoder
from augury.kernels import slot_offsets
from augury.memory import columns_named, require_bytes

# Number of arrays of the size of the coefficients during the search, pairs of L-BFGS included.
_ARRAYS_OF_COEFFICIENTS = 30


def require_coefficient_memory(
    owner: str, encoder: TableEncoder, n_numbers: int, n_classes: int
) -> None:
    """Raise if the coefficients and the steps of the search do not fit in memory.

    Parameters
    ----------
    owner : name of the estimator
    encoder : the fitted encoder of the categories
    n_numbers : number of terms of numbers
    n_classes : number of classes that have rows
    """
    n_terms = int(slot_offsets(encoder.n_states_)[-1]) + n_numbers + 1
    with columns_named(owner, encoder.table_names_):
        require_bytes(
            8 * _ARRAYS_OF_COEFFICIENTS * n_terms * n_classes,
            f"the coefficients of {n_terms:,} terms in {n_classes:,} classes, and the steps "
            "of the search,",
            encoder.n_states_,
            advice="leave these columns out, or group their labels",
        )


__all__ = ["require_coefficient_memory"]
