"""Install the built wheel where there is no compiler, and use it as a new user does.

    python tools/check_wheel.py dist

The folder holds the wheel and the source distribution of `make wheel`. Every step raises if it
fails: the files in the archives, the first example of README.md, `augury compare`, `fit`,
`predict` and `doctor`, `uv tool install`, and the message of a build without a compiler.
"""

import doctest
import json
import os
import re
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "constraints.txt"
# The Python files alone take 1.1 MB, each compressed by itself, as the format of wheels demands.
MAX_WHEEL_BYTES = 2_000_000
LEFTOVERS = re.compile(r"\.(so|pyd|o|obj|pyc)$|__pycache__|(^|/)(build|tests|\.venv)/")
NOT_IN_WHEEL = re.compile(r"\.(c|h|o|pyc)$|__pycache__|(^|/)tests/")
NO_COMPILER = "augury from source needs a C compiler, which is not found"
TABLE = "sklearn:iris"  # scikit-learn ships it

# Runs the examples of a text in the Python of the new environment.
RUN_EXAMPLES = """
import doctest, sys
failed, n = doctest.testfile(sys.argv[1], module_relative=False)
sys.exit(f"{failed} of {n} lines fail" if failed or not n else 0)
"""


def require(condition: object, message: str) -> None:
    """Stop with a message unless a condition holds."""
    if not condition:
        raise SystemExit(f"check_wheel: {message}")


def check_wheel(wheel: Path) -> None:
    """Check tags, size and files of the wheel."""
    require(
        re.search(r"-cp311-abi3-manylinux[\w.]+\.whl$", wheel.name),
        f"the wheel must be for the stable ABI of 3.11 and for manylinux, got {wheel.name}",
    )
    size = wheel.stat().st_size
    require(size <= MAX_WHEEL_BYTES, f"the wheel has {size:,} bytes, more than {MAX_WHEEL_BYTES:,}")
    names = ZipFile(wheel).namelist()
    _require_none(names, NOT_IN_WHEEL, wheel)
    for name in ("augury/py.typed", "augury/kernels/_native.abi3.so"):
        require(name in names, f"{wheel.name} lacks {name}")
    print(f"{wheel.name}: {size:,} bytes, {len(names)} files")


def check_source(archive: Path) -> None:
    """Check that the source distribution has the sources and nothing of a build."""
    with tarfile.open(archive) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
    _require_none(names, LEFTOVERS, archive)
    for name in ("src/augury/kernels/_native.c", "src/augury/kernels/_native.h", "LICENSE"):
        require(name in names, f"{archive.name} lacks {name}")
    print(f"{archive.name}: {archive.stat().st_size:,} bytes, {len(names)} files")


def _require_none(names: Iterable[str], pattern: re.Pattern[str], archive: Path) -> None:
    found = [name for name in names if pattern.search(name)]
    require(not found, f"{archive.name} must not hold {', '.join(found[:5])}")


def first_example() -> str:
    """Return the first Python example of README.md."""
    text = (ROOT / "README.md").read_text("utf-8")
    match = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    require(match and doctest.DocTestParser().get_examples(match[1]), "README.md has no example")
    assert match is not None
    return match[1]


class NewUser:
    """A user with a new environment and an empty folder, without a compiler.

    Parameters
    ----------
    folder : an empty folder
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "AUGURY"))}
        self.environment = {
            **kept,
            "CC": "/bin/false",
            "CXX": "/bin/false",
            "UV_TOOL_DIR": str(folder / "tools"),
            "UV_TOOL_BIN_DIR": str(folder / "commands"),
        }
        venv.create(folder / "venv", with_pip=True)
        self.bin = folder / "venv" / "bin"

    def run(self, *command: object) -> str:
        """Run a command that must succeed, and return its output."""
        done = self.try_to_run(*command)
        shown = " ".join(map(str, command))
        require(done.returncode == 0, f"`{shown}` failed:\n{done.stdout}{done.stderr}")
        print(f"ok: {shown[:100]}")
        return done.stdout

    def try_to_run(self, *command: object) -> subprocess.CompletedProcess[str]:
        """Run a command that may fail."""
        return subprocess.run(
            [str(part) for part in command],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )


def use_the_wheel(user: NewUser, wheel: Path) -> None:
    """Install the wheel by pip and run what README.md shows first."""
    pip = (user.bin / "python", "-m", "pip", "install", "--quiet", "-c", CONSTRAINTS)
    user.run(*pip, "--only-binary", ":all:", wheel)
    (user.folder / "example.txt").write_text(first_example(), "utf-8")
    user.run(user.bin / "python", "-c", RUN_EXAMPLES, "example.txt")
    augury = user.bin / "augury"
    user.run(augury, "compare", TABLE, "--models", "nb,lr", "--out", "compared")
    require((user.folder / "compared" / "report.html").is_file(), "`augury compare` wrote no page")
    user.run(augury, "fit", TABLE, "--model", "nb-lr", "-o", "iris.augury")
    found = json.loads(user.run(augury, "doctor", "--json"))
    require(not found["problems"], f"`augury doctor` finds {found['problems']}")
    extras = [package["name"] for package in found["packages"] if package["extra"]]
    installed = [p["name"] for p in found["packages"] if p["extra"] and p["installed"]]
    require(extras and not installed, f"extras are installed with the core: {installed}")


def use_uv(user: NewUser, wheel: Path) -> None:
    """Install the command by uv."""
    uv = Path(sys.executable).with_name("uv")
    user.run(uv, "tool", "install", "--quiet", "--python", sys.executable, wheel)
    user.run(user.folder / "commands" / "augury", "--version")
    user.run(user.folder / "commands" / "augury", "doctor")


def build_without_compiler(user: NewUser, archive: Path) -> None:
    """Check the message of a build from source."""
    done = user.try_to_run(
        user.bin / "python", "-m", "pip", "install", "--no-deps", "--force-reinstall", archive
    )
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines()]
    said = [line for line in lines if NO_COMPILER in line]
    require(done.returncode and said, "a build without a compiler does not say what is missing")
    print(f"ok: without a compiler: {said[0]}")


def main(folder: Path) -> None:
    """Check the archives of a folder."""
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    check_wheel(wheel)
    check_source(archive)
    with TemporaryDirectory() as empty:
        user = NewUser(Path(empty))
        use_the_wheel(user, wheel)
        build_without_compiler(user, archive)
        use_uv(user, wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
