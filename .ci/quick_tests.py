"""Print the tests that `make check` runs, one path a line.

These are a few fast folders, the changed tests, and the tests of the changed source files. A file
has changed if it differs from the branch main, committed or not. The tests of a source file
`src/augury/FOLDER/.../NAME.py` are its doctests and the files `tests/FOLDER/**/test_*NAME*.py`; if
there is no such file, all tests of the folder. Tests of slow folders run only if they themselves
have changed; `make test` runs them all.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALWAYS = ("tests/counts", "tests/kernels", "tests/structure/test_structure.py", "README.md")
SLOW = ("attacks", "checks", "conformance", "papers", "report", "experiments", "serve", "workers")


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints; none if it fails."""
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files() -> list[Path]:
    """Return the files that differ from main, relative to the root."""
    bases = git("merge-base", "HEAD", "main") or git("merge-base", "HEAD", "origin/main")
    base = bases[0] if bases else "HEAD"
    names = git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")
    return [Path(name) for name in names if (ROOT / name).is_file()]


def tests_of(source: Path) -> list[Path]:
    """Return the tests of a file of src/augury, relative to the root."""
    parts = source.relative_to("src/augury").parts
    folder = ROOT / "tests" / (parts[0] if len(parts) > 1 else "")
    if not folder.is_dir() or folder.name in SLOW:
        return []
    named = sorted(folder.rglob(f"test_*{source.stem.strip('_')}*.py"))
    all_of_it = sorted(folder.rglob("test_*.py")) if len(parts) > 1 else []
    return [path.relative_to(ROOT) for path in named or all_of_it]


def main() -> None:
    """Print the paths."""
    chosen = {Path(name) for name in ALWAYS}
    for file in changed_files():
        if file.suffix != ".py":
            continue
        if file.is_relative_to("src/augury"):
            chosen |= {file, *tests_of(file)}
        elif file.is_relative_to("tests") and file.name.startswith("test_"):
            chosen.add(file)
    inside = {path for path in chosen if any(above in chosen for above in path.parents)}
    sys.stdout.writelines(f"{path.as_posix()}\n" for path in sorted(chosen - inside))


if __name__ == "__main__":
    main()
