"""Compute the share of public names whose types are complete, by `pyright --verifytypes`.

    python tools/type_score.py

scikit-learn has no types. Its published stubs are put beside augury in an environment of their own,
so that the base classes of the estimators are known, and mypy's environment stays as it is.
"""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FLOOR = 95.0
STUBS = "scikit-learn-stubs==0.0.3"


def make_environment(folder: Path) -> Path:
    """Return an environment that sees augury, its dependencies and the stubs."""
    venv.create(folder, clear=True)
    python = folder / "bin" / "python"
    packages = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", STUBS],
        check=True,
    )
    seen = [str(ROOT / "src"), sysconfig.get_path("purelib")]
    (packages / "seen.pth").write_text("\n".join(seen) + "\n")
    return python


def main() -> None:
    """Print the score, and stop with an error if it is below the floor."""
    folder = ROOT / "build" / "types"
    make_environment(folder)
    pyright = Path(sys.executable).with_name("pyright")
    environment = {
        **os.environ,
        "VIRTUAL_ENV": str(folder),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [pyright, "--verifytypes", "augury", "--ignoreexternal", "--outputjson"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)["typeCompleteness"]
    score = 100 * found["completenessScore"]
    counts = found["exportedSymbolCounts"]
    n_names = counts["withKnownType"] + counts["withAmbiguousType"] + counts["withUnknownType"]
    print(f"{score:.1f} % of {n_names} public names have complete types; at least {FLOOR:g} % must")
    if not n_names or score < FLOOR:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
