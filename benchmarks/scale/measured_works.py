"""The works that `python -m benchmarks.scale` measures, each in a process of its own."""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

LABELS = [f"x{j}" for j in range(20)]


def naive_bayes(tables: str) -> Callable[[], Any]:
    from augury import NaiveBayes
    from augury.scale import fit

    return lambda: fit(NaiveBayes(categorical_features="all"), tables, "class", n_jobs=2)


def hidden_naive_bayes(tables: str) -> Callable[[], Any]:
    from augury import HiddenNaiveBayes
    from augury.scale import fit

    return lambda: fit(HiddenNaiveBayes(categorical_features="all"), tables, "class", n_jobs=2)


def duckdb_values(tables: str) -> Callable[[], Any]:
    return _duckdb(tables, [(name,) for name in LABELS])


def duckdb_pairs(tables: str) -> Callable[[], Any]:
    return _duckdb(tables, list(combinations(LABELS, 2)))


def _duckdb(tables: str, groups: list[tuple[str, ...]]) -> Callable[[], Any]:
    import duckdb

    connection = duckdb.connect()
    connection.execute("set threads = 2")
    query = "select class, {}, count(*) from read_parquet('{}/*.parquet') group by all"
    return lambda: [
        connection.execute(query.format(", ".join(group), tables)).fetchall() for group in groups
    ]


def polars_values(tables: str) -> Callable[[], Any]:
    return _polars(tables, [(name,) for name in LABELS])


def polars_pairs(tables: str) -> Callable[[], Any]:
    return _polars(tables, list(combinations(LABELS, 2)))


def _polars(tables: str, groups: list[tuple[str, ...]]) -> Callable[[], Any]:
    os.environ["POLARS_MAX_THREADS"] = "2"
    import polars as pl

    rows = pl.scan_parquet(f"{tables}/*.parquet")
    return lambda: [
        rows.group_by("class", *group).len().collect(engine="streaming") for group in groups
    ]


def hybrid(tables: str) -> Callable[[], Any]:
    from augury import AugmentedClassifier, HiddenNaiveBayes
    from augury.scale import fit

    return lambda: fit(AugmentedClassifier(HiddenNaiveBayes()), tables, "class", n_jobs=2)


def lightgbm_two_round(tables: str) -> Callable[[], Any]:
    """Labels become integer codes in a CSV file, which LightGBM reads twice."""
    import lightgbm

    path = f"{tables}.codes.csv"
    _write_codes(tables, path)

    def work() -> Any:
        settings = {
            "objective": "binary",
            "two_round": True,
            "header": True,
            "label_column": "name:class",
            "categorical_feature": "name:" + ",".join(f"t{j}" for j in range(10)),
            "num_threads": 2,
            "verbosity": -1,
        }
        data = lightgbm.Dataset(path, params=settings)
        return lightgbm.train(settings, data, num_boost_round=100)

    return work


def xgboost_external(tables: str) -> Callable[[], Any]:
    """XGBoost reads batches of a million rows and keeps them as pages on disk."""
    import xgboost

    class Batches(xgboost.DataIter):
        def __init__(self) -> None:
            self._batches: Any = None
            super().__init__(cache_prefix=f"{tables}.xgboost")

        def next(self, input_data: Callable[..., Any]) -> bool:
            batch = next(self._batches, None)
            if batch is None:
                return False
            y = batch.pop("class")
            input_data(data=batch, label=y)
            return True

        def reset(self) -> None:
            self._batches = _joined(_coded_frames(tables), 1_000_000)

    def work() -> Any:
        data = xgboost.ExtMemQuantileDMatrix(Batches(), enable_categorical=True, nthread=2)
        settings = {"objective": "binary:logistic", "tree_method": "hist", "nthread": 2}
        return xgboost.train(settings, data, num_boost_round=100)

    return work


def _coded_frames(tables: str) -> Any:
    """Yield the rows of a table with labels as category codes."""
    import pandas as pd

    from augury.scale import open_source
    from benchmarks.scale.big_tables import CITIES

    for partition in open_source(tables).partitions:
        for frame in partition.frames():
            for j in range(10):
                codes = pd.Categorical(frame[f"t{j}"], categories=CITIES)
                frame[f"t{j}"] = codes
            frame["class"] = (frame["class"] == "yes").astype("int8")
            yield frame


def _joined(frames: Iterable[Any], n_rows: int) -> Iterator[Any]:
    """Yield frames of at least `n_rows` rows: XGBoost reads each of its pages in every round."""
    import pandas as pd

    waiting: list[Any] = []
    for frame in frames:
        waiting.append(frame)
        if sum(map(len, waiting)) >= n_rows:
            yield pd.concat(waiting, ignore_index=True)
            waiting = []
    if waiting:
        yield pd.concat(waiting, ignore_index=True)


def _write_codes(tables: str, path: str) -> None:
    if Path(path).exists():
        return
    for number, frame in enumerate(_coded_frames(tables)):
        for j in range(10):
            frame[f"t{j}"] = frame[f"t{j}"].cat.codes
        frame.to_csv(path, mode="a", header=number == 0, index=False)


def fit_csv(path: str) -> Callable[[], Any]:
    from augury.models.tidy_model import tidy_model
    from augury.scale import fit

    return lambda: fit(tidy_model("nb"), path, "class")


def dask_hybrid(tables: str, n_workers: str) -> Callable[[], Any]:
    import dask
    from distributed import Client, LocalCluster

    from augury import AugmentedClassifier, HiddenNaiveBayes, LogisticRegression
    from augury.scale import fit

    # Dask's default makes NumPy's temporary arrays four times as expensive.
    dask.config.set({"distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 1 << 27})
    cluster = LocalCluster(
        n_workers=int(n_workers), threads_per_worker=1, dashboard_address=None, memory_limit="8GiB"
    )
    client = Client(cluster)
    model = AugmentedClassifier(
        HiddenNaiveBayes(categorical_features="all"),
        LogisticRegression(categorical_features=LABELS, continuous="standardize"),
    )

    def work() -> None:
        fit(model, tables, "class", client=client)
        client.close()
        cluster.close()

    return work


def main(name: str, *arguments: str) -> None:
    work = globals()[name](*arguments)
    start, used = time.perf_counter(), os.times()
    work()
    wall, after = time.perf_counter() - start, os.times()
    processor = (after.user + after.system + after.children_user + after.children_system) - (
        used.user + used.system + used.children_user + used.children_system
    )
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"wall": wall, "processor": processor, "resident": resident}))


if __name__ == "__main__":
    main(*sys.argv[1:])
