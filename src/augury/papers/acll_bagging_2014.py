"""Bagged networks under an approximate conditional likelihood (2014): Table 2.

The paper searched structures by hill climbing under three scores: aCLL, a generative score
("Bayes"), and the conditional likelihood. It bagged the networks found under aCLL. All numeric
columns were discretised beforehand: this is the protocol "published". The paper reports
"averages of several experiments". It states neither how rows were split nor how many parents a
node may have. Some of its standard deviations are 0.00 and others 10.00, which no single way of
splitting can give. Ours are WEKA's 10 folds, drawn three times, with `MAX_PARENTS`. A cell
therefore agrees if its mean is within two points.

The printed columns use the search as the paper describes it: hill climbing visits the nodes in
turn, beginning at a fixed node (`HillClimb(order="columns")`), and each round of Bagging-aCLL
begins at another node. The columns "… steepest" have no printed numbers. Their search takes the
best move of all nodes. The page of results lists other readings of the paper.

The data sets are those of Friedman, Geiger and Goldszmidt (1997), which are variants of ours:

- Rows with a missing value are removed (breast 683, cleve 296, crx 653, hepatitis 80).
  australian, the Statlog variant of crx, has all 690 rows: missing values are replaced by modes
  and means, and A4 is left out, which has the same information as A5.
- glass is float-processed windows (70 + 17) against the others (76).
- letter (15,000), chess (2,130) and mofn (300) are Friedman's training parts. Our file of
  letter has its rows in another order than UCI's, so our first 15,000 rows are not his. The
  rows of kr-vs-kp that he used are not known, and the file is sorted, so chess has all 3,196.
  mofn is drawn again with a seed of ours, and corral is the complete table of 128 rows.
- The paper states that all data sets have two classes, but prints iris (3) and letter (26).
  For these, log V is a mean over the other classes, see `augury.structure.conditional_scores`.
- Table 1 prints 128 rows for cleve and 635 for crx. These must be misprints of 296 (the next
  line has 128) and 653.
- flare is UCI's flare.data2 (1,066 rows), whose last columns count the flares of three kinds.
  Ours is binary by common flares: none in 884 rows, some in 182. The file is not in the
  catalogue, so the set is computed only if the user's folder has it.

Declared states of a column stay declared when rows are removed: A4 of crx keeps its label t,
which no row has. Classes without rows are dropped, because the paper has none.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from augury.data import DataError, Dataset, load_dataset
from augury.data.formats.arff import read_arff
from augury.data.load import find_file
from augury.data.synthetic import make_corral, make_m_of_n
from augury.ensemble import BaggedNetworks
from augury.evaluate import WekaFolds
from augury.generative import BayesianNetworkClassifier
from augury.reproduce.known_deviation import measured_deviations
from augury.reproduce.paper import Column, DataDir, Paper
from augury.reproduce.printed_cell import read_cells
from augury.reproduce.tolerance import WithinPoints
from augury.structure import HillClimb

# The paper states no limit. It prints 96.90 on chess for all scores. By the steepest search with
# one parent besides the class CLL has 96.7, but LL and aCLL have 92.7 and 93.7. With two parents
# LL and aCLL have 95.4 and 95.5, and CLL has 98.5. docs/results/acll-bagging-2014.md has one, two
# and three parents on the other sets.
MAX_PARENTS = 2

# The estimates of WEKA, on which the paper's program was built: a pseudo-count of one half for
# each state, and no sharing between parent configurations.
ALPHA, EQUIVALENT_SAMPLE_SIZE = 0.5, 0.0

# The paper does not state the number of networks either.
N_NETWORKS = 30

FLARE_FILE = "solar.flare2"

_FLOAT = {"build wind float": "float", "vehic wind float": "float",
          "build wind non-float": "non-float"}  # fmt: skip


def load_view(name: str, data_dir: DataDir = None) -> Dataset:
    """Return a data set of the paper, derived from one of ours.

    Parameters
    ----------
    name : str
        Name as printed in Table 1.
    data_dir : path, default=None
        The folder in which `augury.data.load_dataset` looks first.
    """
    return replace(_VIEWS[name](data_dir), name=name)


def _same(name: str) -> Callable[[DataDir], Dataset]:
    return lambda data_dir: load_dataset(name, data_dir)


def _complete(name: str) -> Callable[[DataDir], Dataset]:
    def view(data_dir: DataDir) -> Dataset:
        dataset = load_dataset(name, data_dir)
        complete = _take(dataset, dataset.X.notna().all(axis=1))
        return replace(complete, y=complete.y.cat.remove_unused_categories())

    return view


def _take(dataset: Dataset, rows: pd.Series) -> Dataset:
    return replace(dataset, X=dataset.X[rows], y=dataset.y[rows])


def _australian(data_dir: DataDir) -> Dataset:
    dataset = load_dataset("credit-a", data_dir)
    X = dataset.X.drop(columns="A4")
    for name, column in X.items():
        is_nominal = isinstance(column.dtype, pd.CategoricalDtype)
        X[name] = column.fillna(column.mode()[0] if is_nominal else column.mean())
    return replace(dataset, X=X)


def _glass(data_dir: DataDir) -> Dataset:
    dataset = load_dataset("glass", data_dir)
    windows = _take(dataset, dataset.y.isin(list(_FLOAT)))
    labels = windows.y.astype("str").map(_FLOAT)
    return replace(windows, y=labels.astype(pd.CategoricalDtype(["float", "non-float"])))


def _letter(data_dir: DataDir) -> Dataset:
    dataset = load_dataset("letter", data_dir)
    return replace(dataset, X=dataset.X.iloc[:15_000], y=dataset.y.iloc[:15_000])


def _flare(data_dir: DataDir) -> Dataset:
    file = find_file(FLARE_FILE, data_dir)
    if file is None:
        raise DataError(
            f"data set 'flare' was not found: it is read from the file {FLARE_FILE}.arff (UCI's "
            "flare.data2 as ARFF), which is not in the catalogue",
            advice="choose the folder that has it with {data_dir} or the environment variable "
            "AUGURY_DATA; its folder extra is searched too",
        )
    frame = read_arff(file).frame
    *columns, common, _, _ = frame.columns
    labels = np.where(frame[common].astype(int) > 0, "some", "none")
    return Dataset(
        X=frame[columns],
        y=pd.Series(pd.Categorical(labels, ["none", "some"]), name=common),
        name="flare",
        target=common,
        source=str(file),
    )


_VIEWS: dict[str, Callable[[DataDir], Dataset]] = {
    "australian": _australian,
    "breast": _complete("breast-w"),
    "chess": _same("kr-vs-kp"),
    "cleve": _complete("heart-c"),
    "corral": lambda _: make_corral(),
    "crx": _complete("credit-a"),
    "diabetes": _same("diabetes"),
    "flare": _flare,
    "german": _same("credit-g"),
    "glass": _glass,
    "heart": _same("heart-statlog"),
    "hepatitis": _complete("hepatitis"),
    "iris": _same("iris"),
    "letter": _letter,
    "mofn": lambda _: make_m_of_n(3, 7, 10, 300, random_state=0),
}

_TOLERANCE = WithinPoints(2.0)
_PAGE = "docs/results/acll-bagging-2014.md"
# The search may decide a few ties differently on another machine.
_MARGIN = 0.3

# Our mean minus the printed one. Splits, estimates and the limit of parents are not known, so
# each difference has several possible causes. On chess, letter and mofn the rows differ too.
_UNKNOWN_DESIGN = {
    "aCLL": {"cleve": -3.17, "corral": -2.04, "german": -2.77},
    "Bayes": {"crx": -2.72, "diabetes": -2.33, "heart": -4.20},
    "CLL": {"cleve": -5.59, "corral": -2.83, "crx": -2.66, "diabetes": -2.51, "german": -2.69},
    "Bagging-aCLL": {"cleve": -3.34},
}
_OTHER_ROWS = {
    "aCLL": {"chess": -2.19, "letter": 2.57},
    "Bayes": {"letter": 2.83},
    "CLL": {"letter": 3.49},
    "Bagging-aCLL": {"letter": 3.95, "mofn": 2.61},
}

_CAUSES = (
    (_UNKNOWN_DESIGN, "the paper states neither splits nor parents", "what-the-paper-leaves-open"),
    (_OTHER_ROWS, "our rows are not the paper's", "other-rows"),
)

KNOWN_DEVIATIONS = tuple(
    known
    for by_model, reason, anchor in _CAUSES
    for model, differences in by_model.items()
    for known in measured_deviations(
        model, differences, reason, f"{_PAGE}#{anchor}", margin=_MARGIN
    )
)

_SLOW = "seconds for each of 30 fits of an extra column: name the data set to wait for it"


def _network(score: str, order: str | None) -> Callable[[], BayesianNetworkClassifier]:
    return lambda: BayesianNetworkClassifier(
        HillClimb(score=score, max_parents=MAX_PARENTS, order=order),
        alpha=ALPHA,
        equivalent_sample_size=EQUIVALENT_SAMPLE_SIZE,
    )


def _bagged(start_nodes: str | None) -> Callable[[], BaggedNetworks]:
    return lambda: BaggedNetworks(
        structure_score="acll",
        n_estimators=N_NETWORKS,
        max_parents=MAX_PARENTS,
        start_nodes=start_nodes,
        alpha=ALPHA,
        equivalent_sample_size=EQUIVALENT_SAMPLE_SIZE,
        random_state=0,
    )


PAPER = Paper(
    name="acll-bagging-2014",
    citation=(
        "Y.-C. Hao (2014): Bayesian networks classifier using approximation (in Chinese). "
        "Shanxi University of Finance & Economics"
    ),
    protocol="published",
    splitter=WekaFolds(n_splits=10, n_repeats=3),
    cells=read_cells(__file__),
    columns={
        "aCLL": Column(_network("acll", "columns"), _TOLERANCE),
        "Bayes": Column(_network("ll", "columns"), _TOLERANCE),
        "CLL": Column(_network("cll", "columns"), _TOLERANCE),
        "Bagging-aCLL": Column(_bagged("distinct"), _TOLERANCE),
        # The columns below are not in the paper. Its text has LL and its table has "Bayes"; K2
        # is the score that WEKA calls BAYES.
        "K2": Column(_network("k2", "columns"), _TOLERANCE),
        "aCLL steepest": Column(_network("acll", None), _TOLERANCE),
        "Bayes steepest": Column(_network("ll", None), _TOLERANCE),
        "CLL steepest": Column(_network("cll", None), _TOLERANCE, {"letter": _SLOW}),
        "Bagging-aCLL steepest": Column(_bagged(None), _TOLERANCE),
        "K2 steepest": Column(_network("k2", None), _TOLERANCE),
    },
    reference="aCLL",
    load=load_view,
    user_files={"flare": FLARE_FILE},
    known_deviations=KNOWN_DEVIATIONS,
)

__all__ = ["FLARE_FILE", "MAX_PARENTS", "N_NETWORKS", "PAPER", "load_view"]
