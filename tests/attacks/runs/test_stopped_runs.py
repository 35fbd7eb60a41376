"""Issue 11, "Runs": signals that stop a run."""

import contextlib
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.attacks.runs.stored_runs import (
    N_FOLDS,
    after_target,
    invoke,
    n_with,
    rows,
    start,
)

# ---- "SIGINT and SIGTERM: stop within 3 s, release claims, leave no process behind" -----------


@pytest.mark.parametrize(("name", "n_jobs"), [("SIGINT", "1"), ("SIGTERM", "2")])
def test_a_signal_stops_a_run_and_the_printed_command_continues_it(
    place: Path,
    attack: Any,
    undisturbed: dict[Any, Any],
    name: str,
    n_jobs: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack("sleep 600")
    number = signal.Signals[name]
    out = f"stopped by {name}"  # a name that a shell would split
    process = start(place, "run", "experiment.toml", "--out", out, "--jobs", n_jobs)
    # The folds of nb are done; at least one that sleeps is claimed.
    while n_with(place / out, "done") < N_FOLDS // 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    workers = psutil.Process(process.pid).children(recursive=True)
    assert len(workers) == int(n_jobs)
    sent = time.monotonic()
    process.send_signal(number)
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)  # who is impatient sees no traceback
    output, errors = process.communicate(timeout=60)
    assert time.monotonic() - sent < 30, "promised are 3 s; the test machine may be slow"
    assert (process.returncode, after_target(output)) == (128 + number, "")
    first, second = errors.splitlines()
    assert first == f"Stopped by {name}. {N_FOLDS // 2} folds are done and kept in {out}."
    assert psutil.wait_procs(workers, timeout=10)[1] == []
    assert n_with(place / out, "claimed") == 0
    attack("")
    command = shlex.split(second.removeprefix("To continue, run: "))
    assert command[-6:] == ["run", "experiment.toml", "--out", out, "--jobs", n_jobs]
    if name == "SIGTERM":
        monkeypatch.chdir(place)
        assert invoke(*command[command.index("run") :]).exit_code == 0
        assert rows(place / out) == undisturbed


def workers_of(parent: psutil.Process) -> list[psutil.Process]:
    """Return the processes that a process has started, without commands such as lscpu."""
    found = []
    for child in parent.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if child.name().startswith("python"):
                found.append(child)
    return found


@pytest.mark.parametrize("name", ["SIGHUP", "SIGKILL"])
def test_a_run_that_ends_while_its_workers_start_leaves_none(place: Path, name: str) -> None:
    process = start(place, "run", "experiment.toml", "--out", f"early {name}", "--jobs", "2")
    parent = psutil.Process(process.pid)
    while not (workers := workers_of(parent)):
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    process.send_signal(signal.Signals[name])
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (128 + signal.SIGHUP, -signal.SIGKILL), errors
    assert "Traceback" not in errors
    assert psutil.wait_procs(workers, timeout=30)[1] == []


# A library may ignore the exception that a signal raises, for example in a callback of C code.
SWALLOWING = """
import contextlib, os, signal
from augury.cli.terminal.stopping import stoppable
with stoppable():
    with contextlib.suppress(BaseException):
        os.kill(os.getpid(), signal.SIGHUP)
    print("goes on", flush=True)
"""


def test_a_signal_ends_a_run_that_ignores_its_exception() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWING], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (128 + signal.SIGHUP, "goes on\n")
    assert done.stderr.startswith("Stopped by SIGHUP. Nothing is kept.\n")
