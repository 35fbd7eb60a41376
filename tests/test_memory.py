import pickle
import resource

import pytest

from augury import memory
from augury.memory import TableTooLargeError, available_bytes, columns_named, require_bytes

GIB = 1 << 30


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


MEMINFO = {"proc/meminfo": f"MemTotal: 99 kB\nMemAvailable:   {8 * GIB // 1024} kB\n"}


@pytest.fixture(autouse=True)
def without_limits_of_the_process(monkeypatch):
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: unlimited)


def test_the_machine_is_asked_for_what_is_available(tmp_path):
    assert available_bytes(write(tmp_path, MEMINFO)) == 8 * GIB


def test_a_cgroup_of_version_2_and_those_above_it_are_asked(tmp_path):
    write(tmp_path, MEMINFO)
    write(
        tmp_path,
        {
            "proc/self/cgroup": "0::/box/inner\n",
            "sys/fs/cgroup/box/inner/memory.max": "max\n",
            "sys/fs/cgroup/box/inner/memory.current": "5\n",
            "sys/fs/cgroup/box/memory.max": f"{3 * GIB}\n",
            "sys/fs/cgroup/box/memory.current": f"{2 * GIB}\n",
            "sys/fs/cgroup/box/memory.stat": "anon 7\ninactive_file 1000\nactive_file 9\n",
        },
    )
    assert available_bytes(tmp_path) == GIB + 1000


def test_a_cgroup_of_version_1_whose_path_is_the_hosts_is_seen_at_the_top(tmp_path):
    write(tmp_path, MEMINFO)
    write(
        tmp_path,
        {
            "proc/self/cgroup": "7:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{2 * GIB}\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": f"{GIB}\n",
        },
    )
    assert available_bytes(tmp_path) == GIB
    write(tmp_path, {"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"})
    assert available_bytes(tmp_path) == 8 * GIB


def test_more_used_than_allowed_is_nothing_left(tmp_path):
    files = {
        "proc/self/cgroup": "0::/\n",
        "sys/fs/cgroup/memory.max": "100\n",
        "sys/fs/cgroup/memory.current": "300\n",
    }
    assert available_bytes(write(tmp_path, MEMINFO | files)) == 0


def test_limits_of_the_process_count(tmp_path, monkeypatch):
    page = resource.getpagesize()
    write(tmp_path, MEMINFO | {"proc/self/statm": "100 50 10 1 0 20 0\n"})
    limits = {resource.RLIMIT_AS: 1000 * page, resource.RLIMIT_DATA: 500 * page}
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits[kind], -1))
    assert available_bytes(tmp_path) == 480 * page


def test_a_system_that_says_nothing_has_physical_memory_or_no_limit(tmp_path, monkeypatch):
    assert available_bytes(tmp_path) > 0
    monkeypatch.setattr("os.sysconf_names", {})
    assert available_bytes(tmp_path) is None
    monkeypatch.setattr(memory, "available_bytes", lambda: None)
    require_bytes(10**30, "the tables")
    assert memory.is_affordable(10**30)


def test_the_error_says_who_what_how_much_and_what_to_do(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: GIB)
    require_bytes(GIB, "the tables")
    with (
        pytest.raises(ValueError) as caught,
        columns_named("Ensemble", []),
        columns_named("Model", ["sky", "zip"]),
    ):
        require_bytes(20 * GIB, "the tables", [2, 30_000], advice="leave them out")
    said = (
        "Ensemble: the tables need 20.0 GiB of memory, and 1.0 GiB are available; the columns with "
        "the most states are 'zip' (30,000): leave them out"
    )
    assert str(caught.value) == said
    assert str(pickle.loads(pickle.dumps(caught.value))) == said
    assert isinstance(caught.value, TableTooLargeError)
