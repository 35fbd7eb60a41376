import io
import json
import os
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import augury
from augury.cli import main
from augury.cli.terminal.output import live_progress


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, list(arguments), env=environment)


class TestHelp:
    def test_version(self) -> None:
        assert run("--version").output == f"augury, version {augury.__version__}\n"

    @pytest.mark.parametrize(
        "command",
        [
            "compare",
            "datasets",
            "doctor",
            "explain",
            "fit",
            "models",
            "predict",
            "reproduce",
            "run",
        ],
    )
    def test_commands(self, command: str) -> None:
        assert command in run("--help").output
        assert run(command, "-h").exit_code == 0

    def test_papers_are_named(self) -> None:
        shown = run("reproduce", "--help").output
        assert all(name in shown for name in augury.papers.paper_names())

    def test_needs_nothing_heavy(self) -> None:
        code = (
            "import sys\n"
            "from augury.cli import main\n"
            "heavy = {'numpy', 'pandas', 'sklearn', 'joblib'} & set(sys.modules)\n"
            "assert not heavy, heavy\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, env=in_source())

    def test_the_list_of_data_sets_needs_no_scikit_learn(self) -> None:
        code = (
            "import sys\n"
            "from augury.cli import main\n"
            "main(['datasets'], standalone_mode=False)\n"
            "heavy = {'sklearn', 'scipy', 'joblib'} & set(sys.modules)\n"
            "assert not heavy, heavy\n"
        )
        subprocess.run(
            [sys.executable, "-c", code], check=True, env=in_source(), stdout=subprocess.DEVNULL
        )


def in_source() -> dict[str, str]:
    """Return the environment in which a new process finds this augury."""
    source = str(Path(augury.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8"}


class TestDatasets:
    def test_table(self) -> None:
        result = run("datasets")
        assert result.exit_code == 0
        [line] = [line for line in result.output.splitlines() if line.startswith("sklearn:iris ")]
        assert line.split() == ["sklearn:iris", "150", "4", "0", "3", "scikit-learn"]

    def test_json(self) -> None:
        rows = {row["name"]: row for row in json.loads(run("datasets", "--json").output)}
        assert rows["letter"]["rows"] == 20_000
        assert rows["sklearn:iris"]["local"] is True

    def test_missing_folder(self, tmp_path: Path) -> None:
        result = run("datasets", "--data", str(tmp_path / "nowhere"))
        assert_one_line(result, f"--data is '{tmp_path / 'nowhere'}', which is not a folder")

    def test_a_wrong_environment(self, tmp_path: Path) -> None:
        result = run("datasets", AUGURY_DATA=str(tmp_path / "nowhere"))
        assert_one_line(result, "AUGURY_DATA is ")
        assert_one_line(result, "nowhere', which is not a folder")
        assert run("datasets", "--data", str(tmp_path), AUGURY_DATA="nowhere").exit_code == 0


@pytest.mark.usefixtures("without_worker_processes")
class TestReproduce:
    def test_cells_that_agree(self, shared_data: Path) -> None:
        result = run(
            "reproduce", "hybrid-2022", "--models", "NB", "--datasets", "iris,zoo",
            "--data", str(shared_data), "--jobs", "1",
        )  # fmt: skip
        assert result.exit_code == 0
        assert result.stderr == ""
        lines = result.stdout.splitlines()
        assert lines[2].split() == [
            "iris", "NB", "94.4667", "±", "5.6102", "94.47", "±", "5.61", "-0.0033", "+0.0002",
            "agrees", "(mean", "and", "std", "equal", "to", "2", "decimals)",
        ]  # fmt: skip
        assert lines[4].startswith(
            "NB: 2 of 2 cells agree (mean and std equal to 2 decimals); average"
        )
        assert lines[5:7] == ["", "model  accuracy %  log loss  fit ms  × NB  wins/ties/losses"]
        assert lines[8].startswith("NB ")

    def test_another_protocol(self, shared_data: Path) -> None:
        arguments = (
            "reproduce", "hybrid-2022", "--models", "NB", "--datasets", "glass",
            "--protocol", "honest", "--jobs", "1",
        )  # fmt: skip
        result = run(*arguments, AUGURY_DATA=str(shared_data))
        assert result.exit_code == 0
        assert run(*arguments, "--strict", AUGURY_DATA=str(shared_data)).exit_code == 1
        assert "not judged (another protocol)" in result.stdout
        assert "NB: 0 of 1 cells agree" in result.stdout
        assert "\nThe printed numbers come from the published protocol" in result.stdout

    def test_a_quick_look(self, shared_data: Path) -> None:
        result = run(
            "reproduce", "hybrid-2022", "--datasets", "labor,zoo", "--repeats", "1",
            "--jobs", "1", "--data", str(shared_data),
        )  # fmt: skip
        assert "\nThe folds were drawn once instead of 10 times" in result.stdout
        lines = result.stdout.splitlines()
        [outcome] = [line for line in lines if line.startswith("HNB ")]
        assert sum(map(int, outcome.split()[-1].split("/"))) == 2

    def test_json(self, shared_data: Path, labor_of_hybrid_2022: Path) -> None:
        result = run(
            "reproduce", "hybrid-2022", "--datasets", "labor", "--data", str(shared_data), "--json",
            "--jobs", "1", "--out", str(labor_of_hybrid_2022),
        )  # fmt: skip
        answer = json.loads(result.stdout)
        assert (answer["paper"], answer["reference"]) == ("hybrid-2022", "NB")
        assert (answer["unexplained"], answer["agrees"], result.exit_code) == (0, False, 0)
        rows = answer["cells"]
        # Without --models all columns that are available.
        assert [row["model"] for row in rows] == list(
            augury.papers.find_paper("hybrid-2022").columns
        )
        row = rows[0]
        assert (row["dataset"], row["printed_mean"], row["agrees"]) == ("labor", 93.13, True)
        assert (row["status"], row["known"]) == ("agrees", None)
        assert row["tolerance"] == "mean and std equal to 2 decimals"
        [differs] = [row for row in rows if not row["agrees"]]
        assert (differs["model"], differs["status"]) == ("HBayes-NB", "known deviation")
        assert differs["known"]["link"].startswith("docs/results/hybrid-2022.md#")
        first, *others = answer["models"]
        assert (first["model"], first["fit_ratio"], first["wins"]) == ("NB", 1.0, None)
        assert all(model["wins"] + model["ties"] + model["losses"] == 1 for model in others)
        assert answer["omitted"] == []

    def test_cells_that_are_not_printed(self, shared_data: Path) -> None:
        arguments = (
            "reproduce", "adaboost-nb", "--models", "AdaBoost-NB resampled", "--datasets",
            "breast-cancer", "--repeats", "1", "--data", str(shared_data), "--jobs", "1",
        )  # fmt: skip
        table = run(*arguments)
        assert table.exit_code == 0
        assert table.stdout.splitlines()[2].split()[-3:] == ["-", "-", "-"]
        [row] = json.loads(run(*arguments, "--json").stdout)["cells"]
        assert (row["table"], row["printed_mean"], row["printed_std"], row["agrees"]) == (
            "", None, None, None,
        )  # fmt: skip

    def test_sets_that_are_views_of_ours(self, shared_data: Path) -> None:
        result = run(
            "reproduce", "acll-bagging-2014", "--models", "aCLL,Bayes", "--datasets", "glass",
            "--data", str(shared_data), "--jobs", "1", "--json",
        )  # fmt: skip
        answer = json.loads(result.stdout)
        assert [row["dataset"] for row in answer["cells"]] == ["glass", "glass"]
        assert [model["model"] for model in answer["models"]] == ["aCLL", "Bayes"]

    def test_a_set_whose_file_the_user_does_not_have(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("AUGURY_DATA", raising=False)
        arguments = ("reproduce", "acll-bagging-2014", "--datasets", "flare")
        assert_one_line(run(*arguments, "--data", str(tmp_path)), "solar.flare2.arff")

    def test_figures(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        paper = augury.papers.find_paper("hybrid-2022")
        drawing = augury.reproduce.Figure(
            lambda inputs: f"<svg>{len(inputs.dataset.X)}</svg>", dataset="iris"
        )
        drawn = replace(paper, figures={"curve": drawing}, load=lambda *_: iris())
        monkeypatch.setattr(augury.papers, "find_paper", lambda _: drawn)
        monkeypatch.setattr(
            "augury.reproduce.reproduction.reproduce", lambda *_, **__: pytest.fail("a table")
        )
        folder = tmp_path / "new"
        arguments = (
            "reproduce", "hybrid-2022", "--datasets", "iris", "--jobs", "1",
            "--figures", str(folder),
        )  # fmt: skip
        assert run(*arguments).stdout == f"Written: {folder / 'curve.svg'}\n"
        assert (folder / "curve.svg").read_text() == "<svg>150</svg>"
        assert json.loads(run(*arguments, "--json").stdout)["figures"] == [
            str(folder / "curve.svg")
        ]
        (tmp_path / "file").touch()
        assert_one_line(
            run(*arguments[:-1], str(tmp_path / "file")), "where no file can be written"
        )
        at_home = run(*arguments[:-1], "~/drawn", HOME=str(tmp_path))
        assert at_home.stdout == f"Written: {tmp_path / 'drawn' / 'curve.svg'}\n"
        assert_one_line(run(*arguments, "--marks"), "--figures computes no table")

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="root may write anywhere else")
    def test_a_folder_that_cannot_be_written_to(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            "augury.reproduce.reproduction.reproduce", lambda *_, **__: pytest.fail("began")
        )
        result = run("reproduce", "adaboost-nb", "--figures", "/proc/self")
        assert_one_line(result, "--figures is '/proc/self', where no file can be written: ")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nonsense-1999"], "no paper 'nonsense-1999'; known: acll-bagging-2014, "),
            (["hybrid-2022", "--models", "XYZ"], "hybrid-2022 has no model 'XYZ'"),
            (["hybrid-2022", "--models", ","], "hybrid-2022 has no model"),
            (["hybrid-2022", "--datasets", "iriss"], "did you mean iris?"),
            (["hybrid-2022", "--data", "/no/such/folder"], "--data is '/no/such/folder'"),
            (["hybrid-2022", "--data", "~nobody-of-this-name"], "which is not a folder"),
            (["hybrid-2022", "--jobs", "0"], "--jobs must be at least 1"),
            (["acll-bagging-2014", "--figures", "/tmp"], "acll-bagging-2014 has no figures"),
        ],
    )
    def test_what_the_user_can_mend(self, arguments: list[str], message: str) -> None:
        assert_one_line(run("reproduce", *arguments), message)

    def test_data_that_are_nowhere(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def unreachable(*_: Any, **__: Any) -> None:
            raise OSError("no network")

        monkeypatch.setattr("augury.data.load.fetch_frame", unreachable)
        folder = str(tmp_path)
        result = run("reproduce", "hybrid-2022", AUGURY_DATA=folder, AUGURY_CACHE=folder)
        assert_one_line(result, "'anneal.ORIG' was not found")

    def test_unknown_option_of_a_choice(self) -> None:
        result = run("reproduce", "hybrid-2022", "--protocol", "optimistic")
        assert result.exit_code == 2
        assert "'published', 'honest'" in result.stderr

    def test_numbers_that_make_no_sense(self) -> None:
        result = run("reproduce", "hybrid-2022", "--repeats", "0")
        assert result.exit_code == 2
        assert "'--repeats'" in result.stderr

    def test_an_error_of_the_program_is_not_hidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_: Any, **__: Any) -> None:
            raise ValueError("a bug")

        monkeypatch.setattr("augury.reproduce.reproduction.reproduce", broken)
        result = run("reproduce", "hybrid-2022")
        assert isinstance(result.exception, ValueError)

    def test_in_a_process_of_its_own(self, shared_data: Path) -> None:
        command = [sys.executable, "-m", "augury.cli", "reproduce", "hybrid-2022"]
        arguments = ["--datasets", "labor", "--models", "NB,HNB", "--jobs", "2"]
        arguments += ["--data", str(shared_data)]
        done = subprocess.run(
            command + arguments, check=False, capture_output=True, text=True, encoding="utf-8",
            env=in_source(),
        )  # fmt: skip
        assert done.stderr == ""
        assert "\nNB: 1 of 1 cells agree" in done.stdout
        assert done.returncode == 0


def iris() -> augury.data.Dataset:
    return replace(augury.data.load_dataset("sklearn:iris"), name="iris")


def assert_one_line(result: Result, message: str) -> None:
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1


def test_warnings_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(_: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("column 'id' looks like an identifier", stacklevel=1)
        raise augury.data.DataError("stop")

    monkeypatch.setattr("augury.data.list_datasets", listed)
    assert run("datasets").stderr.splitlines() == [
        "Warning: column 'id' looks like an identifier",
        "Error: stop",
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    row = type("Row", (), {"dataset": "iris"})()
    with live_progress({"iris": 10, "wine": 10}, {"wine": 4}) as progress:
        assert progress is not None
        progress([row, row])
    last = terminal.getvalue().rpartition("\x1b[J")[2].splitlines()
    assert last[0].startswith("6 of 20 folds, ")
    assert last[0].endswith(" left")
    assert last[1].startswith("  iris  ████····")
    assert last[1].endswith("  2/10")
    assert last[2].endswith("  4/10")


def test_no_progress_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with live_progress({"iris": 4}, {}) as progress:
        assert progress is None
