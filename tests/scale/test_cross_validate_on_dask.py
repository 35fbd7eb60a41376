"""Cross-validation on the workers of a Dask cluster: the results of one process."""

import dask.dataframe as dd
from distributed import Client

from augury import HiddenNaiveBayes
from augury.generative import KDependenceBayes
from augury.scale import cross_validate
from tests.scale.dask_processes import start_cluster
from tests.scale.hash_folds import assert_same_results, in_memory
from tests.scale.same_model import EXACT
from tests.scale.tables import TARGET, in_parts, mixed_table

MODELS = {"hnb": HiddenNaiveBayes(), "kdb": KDependenceBayes(), "lr": EXACT}


def test_workers_have_the_results_of_memory() -> None:
    """Partitions of a Dask DataFrame do not know their numbers of rows: these are counted."""
    table = mixed_table()[["size", "width", "colour", TARGET]]
    expected = in_memory(MODELS, table, TARGET, 3)
    with (
        start_cluster(2, processes=False, protocol="tcp") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        for source in (in_parts(table, (60, 1, 0, 99, 50)), dd.from_pandas(table, npartitions=3)):
            found = cross_validate(MODELS, source, TARGET, folds=3, client=client)
            assert_same_results(found, expected, 1e-6)
