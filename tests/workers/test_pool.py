"""Worker processes answer, fail and die one by one."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from augury.workers.pool import WorkerPool
from augury.workers.tasks import Answer, OwnProcess, Task, Workers, WorkersLostError


def answers(workers: Workers, *tasks: Task) -> dict[object, Answer]:
    with workers:
        return {answer.part: answer for answer in workers.run(iter(tasks))}


# Functions are local, so that they are sent by value: a worker cannot import this file.
@pytest.mark.parametrize("make", [OwnProcess, lambda: WorkerPool(2)])
def test_every_part_is_answered(make) -> None:
    def square_of_sum(shared, part):
        return (shared + part) ** 2

    tasks = [
        Task(square_of_sum, 1, [1, 2]),
        Task(square_of_sum, 5, []),
        Task(square_of_sum, 5, [10]),
    ]
    found = answers(make(), *tasks)
    assert {part: answer.value for part, answer in found.items()} == {1: 4, 2: 9, 10: 225}


def test_a_part_that_kills_its_worker_alone_is_an_error(tmp_path: Path) -> None:
    marker = str(tmp_path / "tried")

    def die(shared, part):
        import os
        import pathlib

        if part == "always":
            os._exit(3)
        if part == "once" and not pathlib.Path(shared).exists():
            pathlib.Path(shared).touch()
            os.kill(os.getpid(), 9)
        return part

    found = answers(WorkerPool(1), Task(die, marker, ["a", "always", "b", "once", "c"]))
    assert set(found) == {"a", "always", "b", "once", "c"}
    assert [part for part, answer in found.items() if answer.error is None] == [
        "a",
        "b",
        "c",
        "once",
    ]
    assert str(found["always"].error).startswith("the worker process died (exit code 3), also")


def test_what_cannot_be_sent_or_returned_is_an_error() -> None:
    class Unreadable:
        def __reduce__(self):
            return (int, ("no number",))

    lock = threading.Lock()

    def leave(shared, part):
        import sys
        import threading

        if part == "exit":
            sys.exit("it leaves")
        return threading.Lock() if part == "result" else part

    found = answers(
        WorkerPool(1),
        Task(leave, lock, ["shared lock"]),
        Task(leave, 0, ["result", "exit", "fine"]),
        Task(leave, Unreadable(), ["unreadable", "unreadable too"]),
    )
    assert "cannot pickle" in str(found["shared lock"].error)
    assert "cannot pickle" in str(found["result"].error)
    assert "it leaves" in str(found["exit"].error)
    assert found["fine"].value == "fine"
    assert "invalid literal for int" in str(found["unreadable"].error)
    assert "invalid literal for int" in str(found["unreadable too"].error)


def test_what_a_model_prints_is_no_message(capfd: pytest.CaptureFixture[str]) -> None:
    def talk(shared, part):
        print("It talks.")  # noqa: T201
        return part

    assert answers(WorkerPool(1), Task(talk, 0, [1]))[1].value == 1
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "It talks.\n")


def test_an_error_of_the_caller_ends_workers_in_the_middle_of_their_work() -> None:
    def wait(shared, part):
        import os
        import subprocess
        import time

        if part:
            # A process that the model starts, and does not end, ends as well.
            child = subprocess.Popen(["sleep", "600"])
            return os.getpid(), child.pid
        return time.sleep(600)

    pids: list[int] = []

    def interrupt() -> None:
        with WorkerPool(1) as pool:
            for answer in pool.run([Task(wait, 0, [True, False])]):
                pids.extend(answer.value)
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert len(pids) == 2
    for pid in pids:
        wait_until_gone(pid)


def wait_until_gone(pid: int) -> None:
    try:
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            process.wait(timeout=30)
    except psutil.NoSuchProcess:
        pass


@pytest.mark.parametrize("work", ["idle", "starting"])
def test_workers_end_with_a_run_that_is_killed(work: str) -> None:
    # A worker that still starts has not yet heard of its parent.
    code = (
        "import os, signal\n"
        "from augury.workers.pool import WorkerPool\n"
        "pool = WorkerPool(1)\n"
        "worker = pool._start()\n"
        "print(worker._process.pid, flush=True)\n"
        f"{work!r} == 'idle' and pool._events.get()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False)
    assert done.returncode == -signal.SIGKILL
    wait_until_gone(int(done.stdout))


def test_workers_that_do_not_start_are_no_fault_of_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augury.workers.pool._PROGRAM", "import os; os._exit(7)")
    with pytest.raises(
        WorkersLostError, match=r"3 worker processes died before .* \(exit code 7\)"
    ):
        answers(WorkerPool(2), Task(os.getenv, 0, [1]))
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(WorkersLostError, match="no worker process can be started"):
        answers(WorkerPool(2), Task(os.getenv, 0, [1]))


def test_workers_are_ended_at_the_given_time() -> None:
    def wait(shared, part):
        import time

        time.sleep(part)
        return part

    with WorkerPool(2) as workers:
        until = time.monotonic() + 5.0
        tasks = [Task(wait, None, [0.0]), Task(wait, None, [600.0, 601.0]), Task(wait, None, [0.1])]
        found = [answer.part for answer in workers.run(iter(tasks), until=until)]
        assert found == [0.0, 0.1]
        again = workers.run(iter([Task(wait, None, [0.2])]))
        assert [answer.value for answer in again] == [0.2], "new processes are started"
