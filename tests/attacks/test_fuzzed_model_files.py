"""Model files with structured changes and right checksums are refused, or predict probabilities.

AUGURY_FUZZ_CHANGES and AUGURY_FUZZ_SEED set the number of changes of each class, and the seed.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import augury

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="limits of a process are set as Linux has them"
)

CHANGES = int(os.environ.get("AUGURY_FUZZ_CHANGES", "200"))
LONG_CHANGES = int(os.environ.get("AUGURY_FUZZ_CHANGES", "600"))
SEED = int(os.environ.get("AUGURY_FUZZ_SEED", "0"))


def fuzz(*options, **environment):
    """Return what the program finds, with this augury."""
    program = Path(__file__).with_name("fuzz_model_files.py")
    source = str(Path(augury.__file__).parents[1])
    ended = subprocess.run(
        [sys.executable, program, "--json", "--seed", str(SEED), *options],
        env=os.environ | {"PYTHONPATH": source} | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return json.loads(ended.stdout.splitlines()[-1])


def check_changes(n_changes_of_a_class):
    # Combinations are classes that have their own changes, with other parameters or as parts.
    found = fuzz("--changes", str(n_changes_of_a_class),
                 "--combinations", str(n_changes_of_a_class // 5),
                 "--seconds", str(300 + 5 * n_changes_of_a_class))  # fmt: skip
    assert not found["wrong"], "\n\n".join(found["wrong"][:10])
    n_changes = sum(found["plan"].values())
    assert found["refused"] + found["fine"] == n_changes
    assert sum(n == n_changes_of_a_class for n in found["plan"].values()) >= 30
    # The changes are neither all harmless nor all coarse.
    assert found["refused"] > 0.5 * n_changes
    assert found["fine"] > 0.05 * n_changes


# "A fuzz of model files in the suite: for every saved class at least 200 structured changes"
def test_changed_files_are_refused_or_predict_probabilities():
    check_changes(CHANGES)


@pytest.mark.long
def test_many_changed_files_are_refused_or_predict_probabilities():
    check_changes(LONG_CHANGES)


def test_the_fuzz_names_a_change_that_kills_the_process_or_predicts_nonsense():
    found = fuzz("--models", "TreeAugmented", "--changes", "4", AUGURY_FUZZ_FAULT="1")
    problems = [(text.splitlines()[0], text.splitlines()[-1]) for text in found["wrong"]]
    assert [last for _, last in problems] == ["the process died", "predict_proba: sums"]
    assert problems[0][0].startswith(f"TreeAugmentedNaiveBayes, change 1 of seed {SEED}: ")
    assert found["refused"] + found["fine"] == 3
