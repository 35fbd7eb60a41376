"""Arrow types of the columns that are carried over to the predictions."""

from collections.abc import Sequence
from typing import Any

from augury.optional import import_extra
from augury.scale.predictions.forms import arrow_types
from augury.scale.sources.source import Partition, Source


def types_of_kept(source: Source, keep: Sequence[str], client: Any = None) -> dict[str, Any]:
    """Return the Arrow types of columns, from as few rows as possible.

    The dtypes of all frames of a source are equal. Only the type of a column of objects, such as
    dates or booleans with missing values, depends on the values: the rows are searched for the
    first one. A column without any value is text.

    Parameters
    ----------
    source : Source
    keep : the names of the columns
    client : distributed.Client or None
        Workers read the rows if it is given.
    """
    if not keep:
        return {}
    types: dict[str, Any] = dict.fromkeys(keep)
    for partition in source.partitions:
        wanted = [name for name in keep if types[name] is None]
        if not wanted:
            break
        if client is None:
            found = _types_in(partition, wanted)
        else:
            found = client.submit(_types_in, partition, wanted, pure=False).result()
        types |= found
    text = import_extra("pyarrow", extra="parquet", purpose="writing Parquet files").large_string()
    return {name: text if kind is None else kind for name, kind in types.items()}


def _types_in(partition: Partition, names: list[str]) -> dict[str, Any]:
    """Return the types that the rows of a partition tell; None where it has no value."""
    types: dict[str, Any] = {}
    for frame in partition.frames(names):
        types |= arrow_types(
            frame[[name for name in names if types.get(name) is None]], partition.name
        )
        if all(kind is not None for kind in types.values()):
            break
    return types


__all__ = ["types_of_kept"]
