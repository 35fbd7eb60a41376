"""The model that the other models of an experiment are compared with."""

from collections.abc import Sequence


def choose_reference(wanted: str, models: Sequence[str]) -> tuple[str, str | None]:
    """Return the reference model, and a note if it is not the one wanted.

    Parameters
    ----------
    wanted : str
        Name of a model.
    models : sequence of str
        Models with completed folds, in the order asked for.

    Examples
    --------
    >>> choose_reference("nb", ["nb", "lr"])
    ('nb', None)
    >>> choose_reference("nb", ["lr", "tan"])
    ('lr', 'nb has no completed folds: the models are compared with lr instead.')
    """
    if wanted in models or not models:
        return wanted, None
    note = f"{wanted} has no completed folds: the models are compared with {models[0]} instead."
    return models[0], note


__all__ = ["choose_reference"]
