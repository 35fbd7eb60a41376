"""Every console line of README.md and of the guide runs, on tables that this test makes.

So does Python without prompts; doctest runs Python with them. The lines of a page run in order in
one folder. `SHORTER` has the lines that would take minutes, and `ELSEWHERE` those that other steps
of CI run. test_five_minutes.py runs the pages of five minutes.
"""

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import palmerpenguins
import pandas as pd
import pytest
from click.testing import CliRunner

from augury.cli import main
from tests.docs.shell_blocks import Command, shown_commands
from tests.scale.dask_processes import start_cluster
from tests.serve.served import serving

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OTHER_TESTS = {DOCS / "five-minutes.md", DOCS / "zh" / "five-minutes.md"}
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted(DOCS.rglob("*.md")))
    if page not in OTHER_TESTS and shown_commands(page)
]

ELSEWHERE = {
    "pip install dist/augury-*.whl": "tools/check_wheel.py",
    "make run": "the first command of README.md, which CI has no time for",
    "make test": "runs this test",
}
# Reproductions of all sets take up to hours, and comparisons with all models half a minute.
SHORTER = {
    "augury reproduce hybrid-2022 --out results": "--datasets labor --models NB --repeats 1",
    "augury reproduce hybrid-2022 --datasets iris,labor --models NB,HNB,NB-LR --out results": (
        "--repeats 1"
    ),
    "augury reproduce acll-bagging-2014": "--datasets corral --repeats 1",
    "augury reproduce adaboost-nb": "--datasets breast-cancer --repeats 1",
    "augury compare mine.csv": "--quick --models nb,lr",
    "augury compare flights.csv --target cancelled --threshold auto": "--quick --models nb,lr",
    "augury run --datasets iris,glass,vote,zoo --models nb,tan,lr,nb-lr --out results": (
        "--repeats 1"
    ),
}


def places(n_rows: int, seed: int) -> pd.DataFrame:
    """Return labels, numbers and gaps; the last column is the class."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(["in", "out"], n_rows)
    sky = np.where(rng.random(n_rows) < 0.8, np.where(kind == "in", "rain", "sun"), "fog")
    wind = rng.normal(np.where(kind == "in", 20.0, 8.0), 4.0).round(1)
    wind[rng.random(n_rows) < 0.1] = np.nan
    return pd.DataFrame({"sky": sky, "wind": wind, "kind": kind})


def flights(n_rows: int, seed: int) -> pd.DataFrame:
    """Return flights of which few are cancelled."""
    rng = np.random.default_rng(seed)
    cancelled = rng.random(n_rows) < 0.1
    delay = rng.normal(np.where(cancelled, 40.0, 10.0), 15.0).round(1)
    carrier = rng.choice(["AA", "UA", "WN"], n_rows)
    yes_or_no = np.where(cancelled, "yes", "no")
    return pd.DataFrame({"carrier": carrier, "delay": delay, "cancelled": yes_or_no})


def write_parquet(table: pd.DataFrame, folder: Path, label: str | None) -> None:
    """Write two files with an identifier of each row, and the class as the last column."""
    folder.mkdir()
    named = table.drop(columns="kind").assign(id=np.arange(len(table)))
    if label is not None:
        named[label] = table["kind"]
    half = len(table) // 2
    named[:half].to_parquet(folder / "0.parquet", index=False)
    named[half:].to_parquet(folder / "1.parquet", index=False)


def shorter_experiment(text: str, *, sets: str) -> str:
    """Return an experiment file of the documentation with fewer folds, sets and rows."""
    lines = []
    for line in text.splitlines():
        name = line.partition("=")[0].strip()
        shorter = {
            "folds": "folds = 2",
            "repeats": "repeats = 1",
            "train_sizes": "train_sizes = [16, 1.0]",
        }
        lines.append(shorter.get(name, line))
    start = next(k for k, line in enumerate(lines) if line.startswith("datasets"))
    end = next(k for k in range(start, len(lines)) if lines[k].endswith("]"))
    lines[start : end + 1] = [f"datasets = {sets}"]
    return "\n".join(lines).replace("n_estimators = 300", "n_estimators = 5")


def experiment_files() -> Iterator[str]:
    """Yield the experiment files that docs/experiments.md shows."""
    for part in (DOCS / "experiments.md").read_text(encoding="utf-8").split("```toml\n")[1:]:
        yield part.partition("```")[0]


def write_files(folder: Path, page: Path) -> None:
    """Write the tables that the lines of a page name."""
    make = flights if page.name == "imbalance.md" else places
    name = "flights" if page.name == "imbalance.md" else "mine"
    make(300, seed=1).to_csv(folder / f"{name}.csv", index=False)
    make(80, seed=2).to_csv(folder / "new.csv", index=False)
    costs = pd.DataFrame({"no": [0, 1], "yes": [10, 0]}, index=pd.Index(["no", "yes"]))
    costs.to_csv(folder / "costs.csv")
    penguins = palmerpenguins.load_penguins()
    penguins.to_csv(folder / "penguins.csv", index=False)
    if page.name == "drift.md":
        mixed = penguins.drop(columns="year").sample(frac=1.0, random_state=0)
        mixed = mixed[[*mixed.columns[1:], mixed.columns[0]]]
        mixed[:250].to_csv(folder / "train.csv", index=False)
        mixed[250:].to_csv(folder / "new.csv", index=False)
    write_parquet(places(600, seed=3), folder / "big", "class")
    write_parquet(places(60, seed=4), folder / "new", None)
    orders = places(200, seed=5).rename(columns={"kind": "returned"})
    with duckdb.connect(folder / "sales.duckdb") as database:
        database.register("frame", orders)
        database.execute("CREATE TABLE orders AS SELECT * FROM frame")
    experiment, _ = experiment_files()
    sets = '["sklearn:iris", {file = "mine.csv", target = "kind", name = "kinds"}]'
    (folder / "experiment.toml").write_text(shorter_experiment(experiment, sets=sets), "utf-8")
    (folder / "examples").mkdir()
    curves = (ROOT / "examples" / "ng-jordan.toml").read_text(encoding="utf-8")
    curves = shorter_experiment(curves, sets='["sklearn:iris"]')
    (folder / "examples" / "ng-jordan.toml").write_text(curves, "utf-8")


def run_line(line: str) -> str:
    """Run a command of augury in this process, and return its output."""
    name, *words = shlex.split(line)
    assert name == "augury", line
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception!r}"
    return done.stdout


def check_output(command: Command, output: str) -> None:
    """Compare what a page shows, where it shows an output."""
    shown = [line.split() for line in command.output]
    found = [line.split() for line in output.splitlines() if line.strip()]
    assert not shown or shown == found, command.line


@pytest.fixture
def scheduler() -> Iterator[Callable[[], str]]:
    """Return a function that starts a Dask cluster and returns its address."""
    clusters = []

    def start() -> str:
        clusters.append(start_cluster(1, processes=False))
        return str(clusters[-1].scheduler_address)

    yield start
    for cluster in clusters:
        cluster.close()


def serve_and_ask(serve: Command, ask: Command) -> None:
    """Run a line that serves a model, and send what a line of curl sends; curl is not needed."""
    program, *_, option, body = shlex.split(ask.line)
    assert (program, option) == ("curl", "-d")
    with serving(Path(shlex.split(serve.line)[2])) as server:
        status, answer = server.predict(json.loads(body))
        assert server.stop()[0] == 0
    shown = json.loads("".join(ask.output))
    assert (status, answer["predicted"]) == (200, shown["predicted"])
    assert answer["probabilities"] == pytest.approx(shown["probabilities"], rel=1e-6)


@pytest.mark.filterwarnings("default")  # commands print them
@pytest.mark.usefixtures("without_worker_processes")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_console_lines(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared_data: Path,
    scheduler: Callable[[], str],
) -> None:
    write_files(tmp_path, page)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AUGURY_DATA", str(shared_data))
    commands = iter(shown_commands(page))
    for command in commands:
        line = command.line.partition("  #")[0].strip()
        if line in ELSEWHERE:
            continue
        if line.startswith("augury serve"):
            if command.output:
                serve_and_ask(command, next(commands))
            else:
                with serving(Path(shlex.split(line)[2])) as server:
                    assert server.request("GET", "/health")[0] == 200
            continue
        if "tcp://head:8786" in line:
            line = line.replace("tcp://head:8786", scheduler())
        for part in line.split(" && "):
            output = run_line(f"{part} {SHORTER.get(part, '')}")
        check_output(command, output)


def test_shorter_lines_are_on_a_page() -> None:
    commands = [command for page in PAGES for command in shown_commands(page)]
    lines = {command.line.partition("  #")[0].strip() for command in commands}
    assert set(SHORTER) | set(ELSEWHERE) <= lines


def test_python_without_prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, DOCS / "scale.md")
    monkeypatch.chdir(tmp_path)
    found = {page: list(plain_python(page)) for page in DOCS.rglob("*.md")}
    assert {page.name: len(blocks) for page, blocks in found.items() if blocks} == {"scale.md": 2}
    in_pieces, on_dask = found[DOCS / "scale.md"]
    exec(in_pieces, {})
    assert len(pd.read_parquet("answers.parquet")) == 60
    imports, _, *lines = on_dask.splitlines()
    with start_cluster(1, processes=False) as cluster:
        for line in lines:
            code = line.replace("tcp://head:8786", cluster.scheduler_address)
            code = code.replace(
                "n_workers=8", "n_workers=1, processes=False, dashboard_address=':0'"
            )
            names: dict[str, Any] = {}
            exec(f"{imports}\n{code}", names)
            with names["client"] as client:
                assert client.submit(sum, [1, 2]).result() == 3
            if client.cluster is not None:
                client.cluster.close()


def plain_python(page: Path) -> Iterator[str]:
    """Yield the blocks of Python without prompts."""
    for part in page.read_text(encoding="utf-8").split("```python\n")[1:]:
        block = part.partition("```")[0]
        if ">>>" not in block:
            yield block
