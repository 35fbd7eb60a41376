"""Load changed model files, and predict with what is accepted.

Run by test_fuzzed_model_files.py; longer by hand:

    python tests/attacks/fuzz_model_files.py --changes 2000 --seed 7

Each model is saved once. A child process, with limits of memory and processor time, makes the
changes, loads each file and predicts. What may come of it: a `ModelFileError`, or finite
probabilities that sum to one. The child writes down which change it is at, so that a crash
has a name; the parent goes on with the next change. The same seed makes the same changes.
"""

import argparse
import json
import os
import resource
import signal
import sys
import traceback
import warnings
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

MORE_MEMORY = 1 << 30  # beyond what the process has once everything is imported
FAULT = "AUGURY_FUZZ_FAULT"  # for the test of this program


def small_models() -> dict[str, Any]:
    """Return one of each classifier that is saved in tests/persist, and combinations of them."""
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


def save_models(folder: Path, models: dict[str, Any]) -> None:
    """Save each model, fitted to few rows, and the rows."""
    import numpy as np
    import pandas as pd
    from scipy import sparse
    from test_round_trip import COUNT_MODELS, mixed_rows

    from augury.persist import save_model

    rng = np.random.default_rng(0)
    columns = ["label", "category", "number", "flag"]
    frame = mixed_rows(24, rng, ["red", "blue", "green"])[columns]
    y = np.where(frame["number"].fillna(0) > 3, "p", np.where(frame["flag"], "q", "r"))
    counts = sparse.csr_array(rng.poisson(0.6, (24, 6)))
    new = mixed_rows(6, rng, ["red", "never"])[columns]
    pd.concat([frame, new], ignore_index=True).to_pickle(folder / "rows.pkl")
    sparse.save_npz(folder / "counts.npz", counts)
    for name, model in models.items():
        X = counts if name in COUNT_MODELS else frame
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            save_model(model.fit(X, y), folder / f"{name}.augury", X=X, target="class")


def rows_of(folder: Path, name: str) -> Any:
    import pandas as pd
    from scipy import sparse

    if name.endswith("of counts"):
        return sparse.csr_array(sparse.load_npz(folder / "counts.npz"))
    return pd.read_pickle(folder / "rows.pkl")


# ---- the child ---------------------------------------------------------------------------


def judge(path: Path, X: Any) -> str:
    """Return "refused" or "fine", or what is wrong."""
    from augury.persist import ModelFileError, load_model

    try:
        saved = load_model(path)
        rows = saved.metadata.select_columns(X) if hasattr(X, "columns") else X
    except ModelFileError as error:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, MemoryError):
                return f"took too much memory: {error}"
            cause = cause.__cause__
        return "refused"
    except Exception:  # noqa: BLE001  # any other is what is looked for
        return traceback.format_exc(limit=-3)
    try:
        return judge_predictions(saved.model, rows)
    except Exception:  # noqa: BLE001  # as above
        return traceback.format_exc(limit=-4)


def judge_predictions(model: Any, X: Any) -> str:
    import numpy as np

    n_rows = X.shape[0]
    predicted = np.asarray(model.predict(X))
    if predicted.shape != (n_rows,):
        return f"predict: shape {predicted.shape}"
    if not hasattr(model, "predict_proba"):
        return "fine"
    proba = np.asarray(model.predict_proba(X))
    if proba.shape != (n_rows, len(model.classes_)):
        return f"predict_proba: shape {proba.shape}"
    if not (np.isfinite(proba).all() and (proba >= 0).all()):
        return "predict_proba: not finite, or negative"
    return "fine" if np.allclose(proba.sum(axis=1), 1, atol=1e-9) else "predict_proba: sums"


def run_child(folder: Path, plan: dict[str, int], seed: int, start: int) -> None:
    """Make and judge so many changes of each model, of the first one from `start` on."""
    from model_file_changes import Payload, change

    warnings.simplefilter("ignore")
    target = folder / f"changed-{os.getpid()}.augury"
    for name in plan:  # imports everything, so that it is not counted
        result = judge(folder / f"{name}.augury", rows_of(folder, name))
        if result != "fine":
            tell({"name": name, "change": -1, "what": "unchanged", "result": result})
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for name, n_changes in plan.items():
        good, rows = Payload.read(folder / f"{name}.augury"), rows_of(folder, name)
        for k in range(start, n_changes):
            changed = good.copy()
            what = change(changed, Random(f"{seed}/{name}/{k}"))
            tell({"name": name, "change": k, "what": what})
            if FAULT in os.environ and k in (1, 2):
                fail_on_purpose(k)
            try:
                target.write_bytes(changed.to_bytes())
            except (ValueError, TypeError, OverflowError):  # no such file can be written
                tell({"result": "refused"})
            else:
                tell({"result": judge(target, rows)})
        start = 0
    target.unlink(missing_ok=True)
    tell({"end": True})


def fail_on_purpose(k: int) -> None:
    """Die, or tell of a wrong prediction: a test looks whether that is found."""
    if k == 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    tell({"result": "predict_proba: sums"})


def tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


# ---- the parent --------------------------------------------------------------------------


def run_all(folder: Path, plan: dict[str, int], seed: int, seconds: int) -> dict[str, Any]:
    """Return how many files were refused and fine, and all that was wrong."""
    counts: dict[str, int] = {"refused": 0, "fine": 0}
    wrong: list[str] = []
    start = 0
    while plan:
        here: dict[str, Any] = {"name": next(iter(plan)), "change": start}
        for line in run(folder, plan, seed, start, seconds):
            here |= line
            result = line.get("result")
            if result in counts:
                counts[result] += 1
            elif result is not None:
                wrong.append(f"{place(here, seed)}\n{result}")
        if "end" in here:
            break
        wrong.append(f"{place(here, seed)}\nthe process died")
        names = list(plan)
        plan = {name: plan[name] for name in names[names.index(here["name"]) :]}
        start = max(here["change"] + 1, 0)
        if start >= plan[here["name"]]:
            del plan[here["name"]]
            start = 0
    return counts | {"wrong": wrong}


def place(here: dict[str, Any], seed: int) -> str:
    return f"{here['name']}, change {here['change']} of seed {seed}: {here.get('what')}"


def run(
    folder: Path, plan: dict[str, int], seed: int, start: int, seconds: int
) -> list[dict[str, Any]]:
    """Return what a child says, whole lines only.

    The child is a fork of this process, which has imported everything already.
    """
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.dup2(writer, 1)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            run_child(folder, plan, seed, start)
        except BaseException:  # noqa: BLE001 - the parent finds no line "end"
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    lines = []
    for line in said.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:  # cut off when the child died
            continue
    return lines


def main() -> int:
    sys.path.append(str(Path(__file__).parents[1] / "persist"))
    # Before NumPy is imported: a child is a fork, and has no threads but one.
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--changes", type=int, default=200, help="of each class")
    parser.add_argument("--combinations", type=int, help="changes of each combination of classes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", default="", help="only those whose names hold this text")
    parser.add_argument("--seconds", type=int, default=36_000, help="processor time of a child")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    given = parser.parse_args()
    from test_round_trip import public_classifiers

    models = {name: model for name, model in small_models().items() if given.models in name}
    of_others = given.changes if given.combinations is None else given.combinations
    plan = {n: given.changes if n in public_classifiers() else of_others for n in models}
    with TemporaryDirectory() as made:
        save_models(Path(made), models)
        found = run_all(Path(made), plan, given.seed, given.seconds) | {"plan": plan}
    if given.json:
        tell(found)
    else:
        text = f"{found['refused']} refused, {found['fine']} fine, {len(found['wrong'])} wrong"
        sys.stdout.write("\n\n".join([*found["wrong"], text]) + "\n")
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
