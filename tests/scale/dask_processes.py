"""Dask clusters for tests."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from distributed import LocalCluster


def start_cluster(n_workers: int, **options: Any) -> LocalCluster:
    """Start workers of one thread each; `processes=False` makes them threads of this process."""
    return LocalCluster(
        n_workers=n_workers, threads_per_worker=1, dashboard_address=":0", **options
    )


@contextmanager
def scheduler_process() -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Start a scheduler as a process of its own; yield it and its address."""
    command = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with subprocess.Popen(
        [sys.executable, "-m", "dask", *command], text=True, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stderr is not None
            lines = iter(process.stderr.readline, "")
            yield process, next(line.split()[-1] for line in lines if "Scheduler at:" in line)
        finally:
            process.kill()


@contextmanager
def worker_process(address: str, before: str = "pass") -> Iterator[None]:
    """Start a worker as a process of its own, which runs a statement before all others."""
    options = [address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
    code = f"import sys; {before}; from distributed.cli.dask_worker import main; main({options})"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()
