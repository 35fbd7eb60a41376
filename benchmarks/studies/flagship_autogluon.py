"""AutoGluon in an interpreter of its own, since it needs other versions than augury."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd


class AutoGluon:
    """AutoGluon with a time limit for each fit; it reads the columns by itself.

    Fit and prediction happen together in `predict_proba`, in a process of the given interpreter,
    on one core.
    """

    def __init__(self, python: str, seconds: int) -> None:
        self.python = python
        self.seconds = seconds

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> "AutoGluon":
        """Keep the rows."""
        if not self.python:
            raise SystemExit("give --autogluon PYTHON, an interpreter that has autogluon.tabular")
        self._train = plain(X).assign(augury_class=[f"c{code:03d}" for code in y])
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        """Fit in another process, and return its probabilities of the rows."""
        with tempfile.TemporaryDirectory() as folder:
            self._train.to_csv(Path(folder) / "train.csv", index=False)
            plain(X).to_csv(Path(folder) / "test.csv", index=False)
            command = [self.python, __file__, folder, str(self.seconds)]
            subprocess.run(command, check=True, capture_output=True)
            answer = json.loads((Path(folder) / "answer.json").read_text())
        self.fit_seconds_, self.predict_seconds_ = answer["fit"], answer["predict"]
        return np.array(answer["proba"])


def plain(X: pd.DataFrame) -> pd.DataFrame:
    """Return the columns with numbered names, labels as text."""
    frame = X.copy()
    frame.columns = [f"column{j}" for j in range(frame.shape[1])]
    return frame


def work(folder: Path, seconds: int) -> None:
    """Fit AutoGluon to train.csv, and write the probabilities of test.csv to answer.json."""
    import time

    from autogluon.tabular import TabularPredictor  # type: ignore[import-not-found]

    train, test = pd.read_csv(folder / "train.csv"), pd.read_csv(folder / "test.csv")
    started = time.time()
    predictor = TabularPredictor("augury_class", path=folder / "models", verbosity=0)
    predictor.fit(train, time_limit=seconds, num_cpus=1, num_gpus=0)
    fitted = time.time()
    proba = predictor.predict_proba(test)
    predicted = time.time()
    labels = sorted(train["augury_class"].unique())
    found = proba.reindex(columns=labels).fillna(0.0).to_numpy()  # it drops very rare classes
    answer = {"proba": found.tolist(), "fit": fitted - started, "predict": predicted - fitted}
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    work(Path(sys.argv[1]), int(sys.argv[2]))
