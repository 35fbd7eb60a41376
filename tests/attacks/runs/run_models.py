"""A classifier that harms its own process, as the file in AUGURY_TEST_ATTACK says."""

import os
import signal
import time
from pathlib import Path

import numpy as np
from sklearn.naive_bayes import GaussianNB


class Poison(GaussianNB):
    """Fits like its base, but for the attack.

    `kill SUM …` kills the process that fits rows with such a sum; `sleep SECONDS` fits slowly.
    """

    def fit(self, X, y, sample_weight=None):
        file = Path(os.environ["AUGURY_TEST_ATTACK"])
        what, *values = file.read_text().split() or [""]
        if what == "kill" and sum_of(X) in values:
            os.kill(os.getpid(), signal.SIGKILL)
        if what == "sleep":
            time.sleep(float(values[0]))
        return super().fit(X, y, sample_weight)


def sum_of(X) -> str:
    return f"{np.asarray(X, dtype=float).sum():.3f}"
