"""Load changed model files, and predict with what is accepted.

Run by tests/attacks/test_fuzzed_model_files.py; longer by hand:

    python tests/attacks/fuzz_model_files.py --changes 2000 --seed 7

Each model is saved once. A child process, with limits of memory and processor time, makes the
changes, loads each file and predicts. What may come of it: a `ModelFileError`, or finite
probabilities that sum to one. The child writes down which change it is at, so that a crash
has a name; the parent goes on with the next one.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import traceback
import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "persist")]
MORE_MEMORY = 1 << 30  # beyond what the process has once everything is imported


def small_models() -> dict[str, Any]:
    """Return one of each classifier that is saved in tests/persist, and how they are combined."""
    from sklearn.pipeline import make_pipeline
    from test_round_trip import COUNT_MODELS, NESTED, public_classifiers

    from augury.encode.tidy_columns import TidyColumns
    from augury.generative import HiddenNaiveBayes, NaiveBayes
    from augury.hybrid import AugmentedClassifier

    models = public_classifiers() | NESTED | COUNT_MODELS
    models["as augury fit saves it"] = make_pipeline(TidyColumns(), HiddenNaiveBayes())
    models["published hybrid"] = AugmentedClassifier.as_published("nb-lr")
    models["replaced gaps"] = NaiveBayes(missing="replace", continuous="gaussian")
    for model in models.values():
        if "n_estimators" in model.get_params():
            model.set_params(n_estimators=2)
    return models


def save_all(folder: Path) -> None:
    """Save each model, fitted to few rows, and the rows."""
    import numpy as np
    from scipy import sparse
    from test_round_trip import COUNT_MODELS, mixed_rows

    from augury.persist import save_model

    rng = np.random.default_rng(0)
    frame = mixed_rows(24, rng, ["red", "blue", "green"])
    frame.loc[0, "whole"] = 7
    y = np.where(frame["number"].fillna(0) > 3, "p", np.where(frame["flag"], "q", "r"))
    counts = sparse.csr_array(rng.poisson(0.6, (24, 6)))
    mixed_rows(6, rng, ["red", "never"]).to_pickle(folder / "new.pkl")
    frame.to_pickle(folder / "seen.pkl")
    sparse.save_npz(folder / "counts.npz", counts)
    for name, model in small_models().items():
        X = counts if name in COUNT_MODELS else frame
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            save_model(model.fit(X, y), folder / f"{name}.augury", X=X, target="class")


def rows_of(folder: Path, name: str) -> list[Any]:
    import pandas as pd
    from scipy import sparse

    if name.endswith("of counts"):
        return [sparse.csr_array(sparse.load_npz(folder / "counts.npz"))]
    return [pd.read_pickle(folder / f"{each}.pkl") for each in ("seen", "new")]


# ---- the child ---------------------------------------------------------------------------


def judge(path: Path, tables: list[Any]) -> str:
    """Return "refused" or "fine", or what is wrong."""
    import numpy as np

    from augury.persist import ModelFileError, load_model

    try:
        saved = load_model(path)
    except ModelFileError as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, MemoryError):
                return f"took too much memory: {error}"
            cause = cause.__cause__
        return "refused"
    except Exception:
        return traceback.format_exc(limit=-3)
    try:
        for X in tables:
            rows = X
            if hasattr(X, "columns"):
                try:
                    rows = saved.metadata.select_columns(X)
                except ModelFileError:
                    continue  # the file describes other rows
            predicted = np.asarray(saved.model.predict(rows))
            if predicted.shape != (X.shape[0],):
                return f"predict: shape {predicted.shape}"
            if not hasattr(saved.model, "predict_proba"):
                continue
            proba = np.asarray(saved.model.predict_proba(rows))
            if proba.shape != (X.shape[0], len(saved.model.classes_)):
                return f"predict_proba: shape {proba.shape}"
            if not (np.isfinite(proba).all() and (proba >= 0).all()):
                return "predict_proba: not finite, or negative"
            if not np.allclose(proba.sum(axis=1), 1.0, atol=1e-9):
                return "predict_proba: sums are not one"
    except Exception:
        return traceback.format_exc(limit=-4)
    return "fine"


def run_child(folder: Path, names: list[str], seed: int, start: int, stop: int) -> None:
    """Make and judge the changes of each model, of the first one from `start` on."""
    from model_file_changes import Payload, change

    warnings.simplefilter("ignore")
    target = folder / f"changed-{os.getpid()}.augury"
    for name in names:  # imports everything, so that it is not counted
        result = judge(folder / f"{name}.augury", rows_of(folder, name))
        if result != "fine":
            _tell({"name": name, "change": -1, "what": "unchanged", "result": result})
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for name in names:
        good, tables = Payload.read(folder / f"{name}.augury"), rows_of(folder, name)
        for k in range(start, stop):
            changed = good.copy()
            what = change(changed, Random(f"{seed}/{name}/{k}"))  # noqa: S311
            _tell({"name": name, "change": k, "what": what})
            try:
                target.write_bytes(changed.to_bytes())
            except (ValueError, TypeError, OverflowError):  # no such file can be written
                _tell({"result": "refused"})
            else:
                _tell({"result": judge(target, tables)})
        start = 0
    target.unlink(missing_ok=True)
    _tell({"end": True})


def _tell(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


# ---- the parent --------------------------------------------------------------------------


def run_all(
    folder: Path, names: list[str], changes: int, seed: int, seconds: int
) -> dict[str, Any]:
    """Return how many files were refused and fine, and all that was wrong."""
    counts: dict[str, int] = {"refused": 0, "fine": 0}
    wrong: list[str] = []
    start = 0
    while names:
        here: dict[str, Any] = {"name": names[0], "change": start}
        for line in _run(folder, names, seed, start, changes, seconds):
            here |= line
            result = line.get("result")
            if result in counts:
                counts[result] += 1
            elif result is not None:
                wrong.append(f"{_place(here, seed)}\n{result}")
        if "end" in here:
            break
        wrong.append(f"{_place(here, seed)}\nthe process died")
        names = names[names.index(here["name"]) :]
        start = max(here["change"] + 1, 0)
        if start >= changes:
            names, start = names[1:], 0
    return counts | {"wrong": wrong}


def _place(here: dict[str, Any], seed: int) -> str:
    return f"{here['name']}, change {here['change']} of seed {seed}: {here.get('what')}"


def _run(
    folder: Path, names: list[str], seed: int, start: int, stop: int, seconds: int
) -> list[dict[str, Any]]:
    command = [sys.executable, __file__, "--child", json.dumps(names), "--folder", str(folder)]
    command += ["--seed", str(seed), "--start", str(start), "--changes", str(stop)]
    ended = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
    )
    lines = []
    for line in ended.stdout.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:  # cut off
            continue
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--changes", type=int, default=200, help="for each model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", help="only those whose names hold this text")
    parser.add_argument("--seconds", type=int, default=3600, help="of processor time for a child")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        run_child(given.folder, json.loads(given.child), given.seed, given.start, given.changes)
        return 0
    with TemporaryDirectory() as made:
        folder = Path(made)
        save_all(folder)
        names = [n for n in small_models() if given.models is None or given.models in n]
        found = run_all(folder, names, given.changes, given.seed, given.seconds)
    for problem in found["wrong"]:
        print(problem, end="\n\n")
    print(f"{found['refused']} refused, {found['fine']} fine, {len(found['wrong'])} wrong")
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
