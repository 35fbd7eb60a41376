"""The named data sets: the 36 of the papers, and those of scikit-learn.

The 36 are sets of the UCI Machine Learning Repository in the form that WEKA distributes. Their
counts come from those files and are compared on every load, to detect another version of a set
or a wrong OpenML number. Identifiers are left out as in the published experiments.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """One named data set.

    `n_features` and `n_missing` do not count the target and identifiers. `n_classes` counts
    the declared classes, including those that no row has.
    """

    name: str
    openml_id: int
    n_samples: int
    n_features: int
    n_missing: int
    n_classes: int
    target: str
    identifiers: tuple[str, ...] = ()


# OpenML 1 is a deactivated version of OpenML 2 in which missing values are a label `?`. WEKA
# calls it anneal; the set that OpenML calls anneal is WEKA's anneal.ORIG.
UCI_SETS = (
    Entry("anneal", 1, 898, 38, 0, 6, "class"),
    Entry("anneal.ORIG", 2, 898, 38, 22175, 6, "class"),
    Entry("audiology", 7, 226, 69, 317, 24, "class"),
    Entry("autos", 9, 205, 25, 59, 7, "symboling"),
    Entry("balance-scale", 11, 625, 4, 0, 3, "class"),
    Entry("breast-cancer", 13, 286, 9, 9, 2, "Class"),
    Entry("breast-w", 15, 699, 9, 16, 2, "Class"),
    Entry("colic", 27, 368, 22, 1927, 2, "surgical_lesion"),
    Entry(
        "colic.ORIG", 25, 368, 26, 1927, 2, "pathology_cp_data", identifiers=("Hospital Number",)
    ),
    Entry("credit-a", 29, 690, 15, 67, 2, "class"),
    Entry("credit-g", 31, 1000, 20, 0, 2, "class"),
    Entry("diabetes", 37, 768, 8, 0, 2, "class"),
    Entry("glass", 41, 214, 9, 0, 7, "Type"),
    Entry("heart-c", 49, 303, 13, 7, 5, "num"),
    Entry("heart-h", 51, 294, 13, 782, 5, "num"),
    Entry("heart-statlog", 53, 270, 13, 0, 2, "class"),
    Entry("hepatitis", 55, 155, 19, 167, 2, "Class"),
    Entry("hypothyroid", 57, 3772, 29, 6064, 4, "Class"),
    Entry("ionosphere", 59, 351, 34, 0, 2, "class"),
    Entry("iris", 61, 150, 4, 0, 3, "class"),
    Entry("kr-vs-kp", 3, 3196, 36, 0, 2, "class"),
    Entry("labor", 4, 57, 16, 326, 2, "class"),
    Entry("letter", 6, 20000, 16, 0, 26, "class"),
    Entry("lymph", 10, 148, 18, 0, 4, "class"),
    Entry("mushroom", 24, 8124, 22, 2480, 2, "class"),
    Entry("primary-tumor", 171, 339, 17, 225, 22, "class"),
    Entry("segment", 36, 2310, 19, 0, 7, "class"),
    Entry("sick", 38, 3772, 29, 6064, 2, "Class"),
    Entry("sonar", 40, 208, 60, 0, 2, "Class"),
    Entry("soybean", 42, 683, 35, 2337, 19, "class"),
    Entry("splice", 46, 3190, 60, 0, 3, "Class", identifiers=("Instance_name",)),
    Entry("vehicle", 54, 846, 18, 0, 4, "Class"),
    Entry("vote", 56, 435, 16, 392, 2, "Class"),
    Entry("vowel", 307, 990, 13, 0, 11, "Class"),
    Entry("waveform-5000", 60, 5000, 40, 0, 3, "class"),
    Entry("zoo", 62, 101, 16, 0, 7, "type", identifiers=("animal",)),
)

SKLEARN_PREFIX = "sklearn:"
# Names with this prefix describe rows that are generated.
SYNTHETIC_PREFIX = "synthetic:"

# These are part of scikit-learn and need no network. The prefix distinguishes them from the UCI
# sets of the same name: scikit-learn's iris differs from UCI's in two rows.
SKLEARN_SETS = (
    Entry("sklearn:breast_cancer", 0, 569, 30, 0, 2, "target"),
    Entry("sklearn:digits", 0, 1797, 64, 0, 10, "target"),
    Entry("sklearn:iris", 0, 150, 4, 0, 3, "target"),
    Entry("sklearn:wine", 0, 178, 13, 0, 3, "target"),
)

CATALOGUE = {entry.name: entry for entry in (*UCI_SETS, *SKLEARN_SETS)}
