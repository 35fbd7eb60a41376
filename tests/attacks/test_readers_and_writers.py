"""Issue 11, "Readers and writers": each line as a test."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.data import DataError, read_table
from augury.encode import TidyColumns

# The command line prints warnings; pytest would raise them.
pytestmark = pytest.mark.filterwarnings("default")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def rows(header: str, make: Any, n: int = 40) -> str:
    return header + "\n" + "".join(f"{make(i)}\n" for i in range(n))


def fit(path: Path, *options: str | Path) -> Result:
    return run("fit", path, "--model", "nb", "-o", path.parent / "m.augury", *options)


@pytest.fixture
def with_gaps(tmp_path: Path) -> Path:
    """Return a table of 40 rows, four of them without a class."""
    label = {0: "", 1: "no", 2: "yes"}
    return write(
        tmp_path,
        "gaps.csv",
        rows("a,b,left", lambda i: f"{i * i % 7},{i % 3},{label[0 if i % 10 == 0 else i % 2 + 1]}"),
    )


# "Rows without a class stop fit, compare and run. They are left out …"
class TestRowsWithoutAClass:
    def test_fit_leaves_them_out_and_says_how_many(self, with_gaps: Path) -> None:
        done = fit(with_gaps, "--json")
        assert done.exit_code == 0, done.output
        [line] = done.stderr.splitlines()
        assert "rows without a class are left out" in line
        assert "missing in 4 of 40 rows, first in line 2; --strict refuses such a file" in line
        said = json.loads(done.stdout)
        assert (said["rows"], said["rows_left_out"]) == (36, 4)

    def test_compare_and_run_leave_them_out(self, with_gaps: Path, tmp_path: Path) -> None:
        common = ("--models", "majority", "--jobs", "1", "--json")
        done = run("compare", with_gaps, "--out", tmp_path / "c", *common)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["rows_left_out"] == 4
        assert "missing in 4 of 40 rows" in done.stderr
        folds = ("--folds", "2", "--repeats", "1")
        done = run("run", "--datasets", with_gaps, "--out", tmp_path / "r", *folds, *common)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["datasets"]["gaps"]["rows_left_out"] == 4
        assert "missing in 4 of 40 rows" in done.stderr

    def test_strict_keeps_the_error(self, with_gaps: Path, tmp_path: Path) -> None:
        plan = write(tmp_path, "e.toml", 'datasets = ["gaps.csv"]\nstrict = true\nmodels.nb = {}\n')
        out = ("--out", tmp_path / "r")
        for done in (
            fit(with_gaps, "--strict"),
            run("compare", with_gaps, "--strict", *out),
            run("run", "--datasets", with_gaps, "--models", "nb", "--strict", *out),
            run("run", plan, *out),
        ):
            assert done.exit_code == 2, done.output
            assert "the target 'left' is missing in 4 of 40 rows, first in line 2" in done.stderr
        assert not (tmp_path / "m.augury").exists()

    def test_without_any_class_it_is_an_error(self, tmp_path: Path) -> None:
        path = write(tmp_path, "none.csv", rows("a,b,left", lambda i: f"{i},{i},"))
        done = fit(path)
        assert done.exit_code == 2
        assert "missing in all 40 rows; choose another column with --target" in done.stderr

    def test_predict_predicts_them_and_measures_the_others(self, with_gaps: Path) -> None:
        model = with_gaps.parent / "m.augury"
        assert fit(with_gaps).exit_code == 0
        said = json.loads(run("predict", model, with_gaps, "--json").stdout)
        assert (said["rows"], said["accuracy_rows"]) == (40, 36)
        assert len(said["predictions"]) == 40
        known = pd.read_csv(with_gaps)["left"]
        right = [p["predicted"] == y for p, y in zip(said["predictions"], known, strict=True)]
        assert said["accuracy"] == pytest.approx(np.mean(np.array(right)[known.notna()]))
        assert "in 36 rows; 4 rows have no class" in run("predict", model, with_gaps).stderr

    def test_weights_and_lines_go_with_the_rows(self, tmp_path: Path) -> None:
        head = "@relation r\n@attribute a numeric\n@attribute c {u,v}\n@data\n"
        path = write(tmp_path, "w.arff", head + "1,u,{2}\n2,?,{3}\n3,v,{4}\n")
        with pytest.warns(UserWarning, match=r"1 of 3 rows, first in line 6; missing_target='err"):
            data = read_table(path)
        assert data.sample_weight is not None
        assert data.sample_weight.tolist() == [2, 4]
        assert (data.X["a"].tolist(), data.n_left_out) == ([1, 3], 1)


# "The chosen target is always printed first. `fit nosuch.csv` says …"
class TestTargetsNamesAndFlags:
    @pytest.fixture
    def table(self, tmp_path: Path) -> Path:
        text = rows("size,Class,kind", lambda i: f"{i * i % 7},{'uv'[i % 2]},{'xyz'[i % 3]}")
        return write(tmp_path, "toys.csv", text)

    def test_the_target_is_printed_first(self, table: Path, tmp_path: Path) -> None:
        first = "Target: Class (the column named class; --target chooses another); 40 rows, 2"
        assert fit(table).stdout.startswith(first)
        assert fit(table, "--target", "kind").stdout.startswith("Target: kind (chosen by --target)")
        common = ("--models", "majority", "--jobs", "1", "--out")
        assert run("compare", table, *common, tmp_path / "c").stdout.startswith(first)
        folds = ("--folds", "2", "--repeats", "1")
        done = run("run", "--datasets", table, *folds, *common, tmp_path / "r")
        assert done.stdout.startswith("toys: target Class (the column named class")
        last = write(tmp_path, "last.csv", table.read_text().replace("Class", "colour"))
        assert fit(last).stdout.startswith("Target: kind (the last column; --target chooses")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["fit", "nosuch.csv"], "Error: nosuch.csv: there is no such file"),
            (["fit", "no/such"], "Error: no/such: there is no such file"),
            (["compare", "nosuch.parquet"], "Error: nosuch.parquet: there is no such file"),
            (
                ["run", "--out", "r", "--models", "nb", "--datasets", "no.tsv.gz"],
                "there is no such",
            ),
            (["predict", "nosuch.augury", "TABLE"], "MODEL is nosuch.augury: there is no such fi"),
            (["fit", "TOYZ"], "there is no such file; did you mean 'toys.csv'?"),
            (["fit", "irsi"], "there is no data set named 'irsi'; did you mean 'iris'? `augury da"),
            (["fit", "sklearn:iris", "--target", "size"], "has the target 'target', not 'size'"),
            (["fit", "TABLE", "--target", "Kind"], "did you mean 'kind'? the columns are 'size'"),
            (["compare", "TABLE", "--models", "nb,ann"], "no model named 'ann'; did you mean tan"),
            (
                ["fit", "TABLE", "--model", "nb", "--set", "alfa=1"],
                "--set: nb has no parameter 'al",
            ),
            (["fit", "TABLE", "--model", "nb", "--set", "alfa=1"], "did you mean 'alpha'? Its par"),
            (
                ["fit", "TABLE", "--model", "nb", "--set", "alpha=-1"],
                "--set alpha=-1: NaiveBayes: ",
            ),
            (["run", "PLAN", "--out", "r"], "nb has no parameter 'alfa'; did you mean 'alpha'?"),
            (["fit", "FOLDER"], "by a pattern, such as"),
        ],
    )
    def test_names_get_a_suggestion(
        self, table: Path, tmp_path: Path, arguments: list[str], message: str
    ) -> None:
        plan = 'datasets = ["sklearn:iris"]\nmodels.nb = {alfa = 1.0}\n'
        places = {
            "TABLE": table,
            "TOYZ": tmp_path / "toyz.csv",
            "FOLDER": tmp_path,
            "PLAN": write(tmp_path, "e.toml", plan),
        }
        done = run(*[places.get(each, each) for each in arguments])
        assert done.exit_code == 2, done.output
        assert message in done.stderr
        # A folder is read in pieces, which the command says before it opens the files.
        errors = [line for line in done.stderr.splitlines() if not line.startswith("Reading ")]
        assert len(errors) == 1

    def test_messages_name_flags_and_no_functions(self, tmp_path: Path) -> None:
        tables = {
            "decimals": rows("a,b", lambda i: f"{i},{i / 7}"),
            "two": "class,Class,b\n1,x,2\n3,y,4\n",
            "one": rows("a,b", lambda i: f"{i % 3},x"),
            "many": rows("a,b", lambda i: f"{i % 3},{i}"),
            "numbers": "1,2\n3,4\n",
        }
        for name, text in tables.items():
            done = fit(write(tmp_path, f"{name}.csv", text))
            assert "--" in done.stderr, name
            for word in ("target=", "header=", "read_table", "_datasets(", "data_dir", ".drop("):
                assert word not in done.stderr, name

    def test_every_option_of_the_readers_has_a_flag(self) -> None:
        from augury.cli.terminal.errors import FLAGS
        from augury.data.errors import PYTHON_NAMES

        assert set(FLAGS) == set(PYTHON_NAMES)


# "Columns of currency ($1,234.50), percent (12.3%), thousands separators, …"
class TestNumbersInText:
    def test_the_command_line_reads_them_and_says_so(self, tmp_path: Path) -> None:
        text = rows(
            "price,rate,people,heat,share,zip,left",
            lambda i: (
                f'"${1000 + 37.5 * i:,.2f}",{1.3 * i:.1f}%,"{10_000 + 999 * i:,}",'
                f"{'-' if i % 8 == 0 else i / 4},{'missing' if i % 5 == 0 else i % 6},"
                f"{100 * (i % 9) + 2139:05d},{'uv'[i % 2]}"
            ),
        )
        done = fit(write(tmp_path, "money.csv", text), "--json")
        said = {each["name"]: each for each in json.loads(done.stdout)["columns"]}
        numbers = ["price", "rate", "people", "heat", "share"]
        assert [said[name]["treatment"] for name in numbers] == ["numbers"] * 5
        assert said["price"]["reason"] == (
            "from 1000 to 2462.5; numbers written as currency ($), with commas between thousands"
        )
        assert said["rate"]["reason"].endswith("numbers written as percent")
        assert said["people"]["reason"].endswith("'10,000' is read as 10000")
        assert said["heat"]["reason"].endswith("'-' read as missing, 5 values")
        assert said["share"]["reason"].endswith("'missing' read as missing, 8 values")
        assert said["zip"]["treatment"] == "labels"
        assert said["zip"]["reason"].endswith("digits with leading zeros are codes")

    def test_new_rows_are_read_in_the_same_way(self, tmp_path: Path) -> None:
        train = write(
            tmp_path, "t.csv", rows("p,n,c", lambda i: f'"${i * 100:,}",{i / 2},{"uv"[i > 20]}')
        )
        plain = write(
            tmp_path, "p.csv", rows("p,n,c", lambda i: f"{i * 100},{i / 2},{'uv'[i > 20]}")
        )
        assert fit(train).exit_code == 0
        model = tmp_path / "m.augury"
        same = json.loads(run("predict", model, train, "--json").stdout)
        assert json.loads(run("predict", model, plain, "--json").stdout) == same
        new = write(tmp_path, "n.csv", 'p,n\n"$3,000",1\n€7,n/a\n-,oops\n')
        done = run("predict", model, new)
        assert done.exit_code == 0, done.output
        assert "'p' holds numbers, but 1 of 3 rows have something else, such as '€7'" in done.stderr
        assert "'n' holds numbers, but 1 of 3 rows have something else, such as 'oops'" in (
            done.stderr
        )
        assert done.stderr.count("Warning") == 2, "each once, although the file is read twice"

    def test_run_reads_them_too(self, tmp_path: Path) -> None:
        path = write(tmp_path, "t.csv", rows("p,q,c", lambda i: f"{i % 4}%,{i % 3},{'uv'[i % 2]}"))
        options = ("--models", "nb", "--folds", "2", "--repeats", "1", "--jobs", "1")
        done = run("run", "--datasets", path, "--out", tmp_path / "r", *options)
        assert done.exit_code == 0, done.output
        assert "column 'p' is read as numbers: from 0 to 3; numbers written as percent" in (
            done.stderr
        )

    # "A file without a header, a class with a single row, dates that leave …: say so."
    def test_a_file_without_a_header(self, tmp_path: Path) -> None:
        text = rows("5.1,3.5,u", lambda i: f"{4 + i % 7 / 10},{3 + i % 3 / 10},{'uv'[i % 2]}")
        path = write(tmp_path, "iris.csv", text)
        done = fit(path)
        assert "the first line looks like a row of data ('5.1, 3.5, u')" in done.stderr
        assert "--no-header reads it as a row" in done.stderr
        done = fit(path, "--no-header", "--json")
        assert done.stderr == ""
        said = json.loads(done.stdout)
        assert (said["rows"], said["target"]) == (41, "column3")
        done = run("predict", tmp_path / "m.augury", path, "--no-header", "--json")
        assert json.loads(done.stdout)["rows"] == 41
        options = ("--models", "majority", "--folds", "2", "--repeats", "1", "--jobs", "1")
        place = ("--out", tmp_path / "r")
        done = run("run", "--datasets", path, *options, *place, "--no-header", "--json")
        assert json.loads(done.stdout)["datasets"]["iris"]["rows"] == 41
        assert fit(path, "--header").stderr == ""
        numbers = write(tmp_path, "n.csv", "1,2\n3,4\n")
        assert "--no-header reads the first line as a row" in fit(numbers).stderr
        twice = write(tmp_path, "d.csv", "x,x,u\nx,y,v\ny,x,u\n")
        assert "if the first line is a row of data, --no-header" in fit(twice).stderr

    def test_names_that_are_names_are_not_doubted(self, tmp_path: Path) -> None:
        for head in ("size,2019,kind", "a,b,u"):
            text = rows(head, lambda i: f"{'xyz'[i % 3]},{i % 4},{'uv'[i % 2]}")
            assert fit(write(tmp_path, "t.csv", text)).stderr == "", head

    def test_a_class_with_a_single_row(self, tmp_path: Path) -> None:
        text = rows("a,c", lambda i: f"{i % 4},{'odd' if i == 7 else 'uv'[i % 2]}")
        assert "the class 'odd' of c has a single row" in fit(write(tmp_path, "t.csv", text)).stderr

    def test_dates_that_leave_day_and_month_open(self, tmp_path: Path) -> None:
        text = rows(
            "open,us,eu,c",
            lambda i: (
                f"{i % 12 + 1:02d}/{i % 7 + 1:02d}/2024,{i % 12 + 1}/{i % 28 + 1}/2024,"
                f"{i % 28 + 1}.{i % 12 + 1}.2024,{'uv'[i % 2]}"
            ),
        )
        done = fit(write(tmp_path, "t.csv", text), "--json")
        said = {each["name"]: each for each in json.loads(done.stdout)["columns"]}
        assert {each["treatment"] for each in said.values()} == {"date"}
        assert (
            "'01/01/2024' does not show which part is the month: the day is read first"
            in (said["open"]["reason"])
        )
        assert said["us"]["reason"].endswith("read with the month first")
        assert said["eu"]["reason"].endswith("read with the day first")


# "Values that a spreadsheet would run as a formula (=, +, -, @ first) in predict's CSV …"
def test_formulas_in_predictions_are_escaped_on_request(tmp_path: Path) -> None:
    labels = ["=1+1", "+a", "@b", "-c", "-3.5", "plain"]
    text = rows("a,kind", lambda i: f"v{i % 6},{labels[i % 6]}", 60)
    path = write(tmp_path, "t.csv", text)
    assert fit(path).exit_code == 0
    model, out = tmp_path / "m.augury", tmp_path / "o.csv"
    done = run("predict", model, path, "-o", out)
    assert pd.read_csv(out, dtype=str)["predicted"].tolist() == pd.read_csv(path)["kind"].tolist()
    assert "begins like a formula, which a spreadsheet may run; --escape-formulas" in done.stderr
    done = run("predict", model, path, "-o", out, "--escape-formulas")
    assert done.stderr == ""
    assert pd.read_csv(out, dtype=str)["predicted"].tolist()[:6] == [
        "'=1+1", "'+a", "'@b", "'-c", "-3.5", "plain",
    ]  # fmt: skip
    assert "--escape-formulas" in run("predict", "--help").output


# "A 78 kB .arff.gz that grows to 3 GB: a limit with a message, and an option to lift it."
class TestFilesThatGrow:
    ARFF = b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"

    def bomb(self, path: Path, head: bytes, mebibytes: int) -> Path:
        with gzip.open(path, "wb", 9) as file:
            file.write(head)
            for _ in range(mebibytes):
                file.write(b"0,x\n1,y\n" * (1 << 17))
        return path

    @pytest.mark.parametrize(("name", "head"), [("b.arff.gz", ARFF), ("b.csv.gz", b"a,b\n")])
    def test_a_small_file_takes_little_memory(self, tmp_path: Path, name: str, head: bytes) -> None:
        path = self.bomb(tmp_path / name, head, 80)
        assert path.stat().st_size < 300_000
        code = (
            "import resource, sys\n"
            "from augury.data import DataError, read_table\n"
            "base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
            "try:\n"
            "    read_table(sys.argv[1])\n"
            "except DataError as error:\n"
            "    print(error)\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
        )
        message, more = done.stdout.splitlines()
        assert f"{path}: " in message
        assert "grow to more than 32 MiB, the limit for this file" in message
        assert int(more) < 200_000, "kilobytes"
        assert "raise the limit with --max-size" in fit(path).stderr

    def test_the_option_lifts_the_limit(self, tmp_path: Path) -> None:
        path = tmp_path / "t.csv.gz"
        path.write_bytes(gzip.compress(rows("a,c", lambda i: f"{i % 4},{'uv'[i % 2]}").encode()))
        done = fit(path, "--max-size", "100")
        assert "grow to more than 100 bytes" in done.stderr
        assert fit(path, "--max-size", "1kB").exit_code == 0
        assert fit(path, "--max-size", "none").exit_code == 0
        assert "--max-size must be a size such as 500MB" in fit(path, "--max-size", "much").stderr
        model = tmp_path / "m.augury"
        assert "more than 100 bytes" in run("predict", model, path, "--max-size", "100").stderr
        done = run("compare", path, "--max-size", "100", "--out", tmp_path / "c")
        assert "more than 100 bytes" in done.stderr
        run_options = ("--models", "nb", "--out", tmp_path / "r", "--max-size", "100")
        assert "more than 100 bytes" in run("run", "--datasets", path, *run_options).stderr

    def test_parquet_of_many_equal_rows(self, tmp_path: Path) -> None:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        path = tmp_path / "t.parquet"
        one = pyarrow.table({"a": np.zeros(1 << 20), "c": np.zeros(1 << 20)})
        with parquet.ParquetWriter(path, one.schema) as writer:
            for _ in range(2):
                writer.write_table(one)
        assert path.stat().st_size < 100_000
        with pytest.raises(DataError, match=r"2097152 rows of 2 columns takes 32 MiB, more than"):
            read_table(path, "c", max_size=1 << 20)
        texts = pyarrow.table({"a": ["x" * 100_000] * 1000, "c": ["u", "v"] * 500})
        parquet.write_table(texts, path)
        assert path.stat().st_size < 200_000
        with pytest.raises(DataError, match=r"the text in its columns takes 95 MiB, more than"):
            read_table(path, "c", max_size=1 << 20)
        assert len(read_table(path, "c").X) == 1000


def test_a_python_user_gets_it_too() -> None:
    X = pd.DataFrame({"price": ["$1,000", "(2.50)", None, "n/a"], "kind": ["-", "a", "b", "a"]})
    tidy = TidyColumns().fit(X)
    read = tidy.transform(X)
    assert read["price"].tolist()[:2] == [1000, -2.5]
    assert read["price"].isna().tolist() == [False, False, True, True]
    assert read["kind"].tolist() == ["-", "a", "b", "a"], "a label among labels"
    assert TidyColumns(read_numbers=False).fit(X).decisions_[0].treatment == "labels"
