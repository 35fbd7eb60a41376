"""Bagging of Bayesian networks that are searched from different start nodes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, repeat
from math import prod

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.utils import check_random_state

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.counts import floored_log, normalize
from augury.counts.sparse_table import largest_dense
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.ensemble.bases.generative_ensemble import GenerativeEnsemble
from augury.ensemble.sampling.bootstrap import Bootstrap
from augury.generative import BayesianNetworkClassifier
from augury.generative.bases.generative_classifier import AnyGenerativeClassifier
from augury.generative.bases.training_rows import ReadRows, TrainingRows, take_read
from augury.memory import is_affordable, require_bytes
from augury.registration import register_model
from augury.structure import HillClimb
from augury.structure.hill_climb import SCORES
from augury.structure.parent_list import ParentList, strongest_members
from augury.validation import check_choice, check_integer, check_number

# Rows, times classes, whose votes are in memory at once.
_VOTES_AT_ONCE = 1 << 24
# A count and its log probability.
_BYTES_OF_CELL = 16


@register_model("bagged-networks", "Bagged Bayesian networks")
class BaggedNetworks(DrawsStructure, GenerativeEnsemble):
    """Bagging-aCLL: networks of bootstrap samples, searched from different start nodes, vote.

    Each round draws as many rows with replacement as there are. Hill climbing visits the columns
    in turn, beginning at another column in each round (`order` and `start_node` of `HillClimb`).
    The network that it finds is one member.

    Parameters
    ----------
    n_estimators : int
        Number of rounds.
    structure_score : {"acll", "fcll", "cll", "bic", "aic", "ll", "k2", "bdeu"}
        Score that the search of each round maximises.
    max_parents : int
        Largest number of parents of a column besides the class.
    start_nodes : {"distinct", "random"} or None
        "distinct", as in the document, takes another start node in each round: a random
        permutation of the columns, which is repeated if there are more rounds than columns.
        "random" draws the start node of each round by itself, so that start nodes repeat by
        chance. None has no start node: the search takes the best move of all columns.
    voting : {"hard", "soft"}
        "hard", as in the document, counts the members that predict a class: p(c | x) is
        (votes + 1/q) / (n_estimators + 1). "soft" is the mean of their class probabilities.
    alpha, equivalent_sample_size : float
        Smoothing of the members, see `BayesianNetworkClassifier`.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories, the same for all members. Infrequent labels of a
        column with many labels share a state (`min_frequency="auto"`), unless its categories are
        declared.
    random_state : int, RandomState or None
        Seed of the bootstrap samples and the start nodes.
    n_jobs : int or None
        Number of rounds that run in parallel, each in a process; None means 1, -1 one for each
        core. The result does not depend on it.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    estimators_ : the members, each with its `structure_`
    oob_score_ : float
        Accuracy on the training rows, each predicted by the members whose sample does not
        contain it; NaN if every sample contains every row.

    Notes
    -----
    All rounds together must not take more than ten minutes (for each 100,000 rows) by the
    estimate of `BayesianNetworkClassifier`, or `fit` is refused before the first one. If the
    tables of all members may not fit in memory, the first round is run alone, and `fit` is refused
    after it if members of its size do not fit.

    Cut points are learned once, from all training rows, as in the document. Rows are drawn by
    their position in a canonical order. The samples therefore do not depend on the order of
    the rows, and a row of weight 2 is drawn like two rows.

    Memory in bytes (see `augury.memory`): fit takes `n (10 d + 18 m + t + 60) + 8 (q + 1) s² +
    32 q s (v + 1)² + 16 q c`, and the model keeps `16 q c + 100 s`.

    References
    ----------
    Y.-C. Hao: Bayesian networks classifier using approximation (in Chinese). 2014.

    Examples
    --------
    >>> from augury.ensemble import BaggedNetworks
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 5
    >>> y = ["same", "same", "other", "other"] * 5
    >>> model = BaggedNetworks(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict(X[:4]).tolist()
    ['same', 'same', 'other', 'other']
    >>> {len(member.structure_.edges) for member in model.estimators_}
    {1}
    """

    estimator = None  # the parameters of this class are those of the members

    _share_scored = 0.37  # the rows out of bag

    def __init__(
        self,
        n_estimators: int = 30,
        structure_score: str = "acll",
        max_parents: int = 2,
        start_nodes: str | None = "distinct",
        voting: str = "hard",
        alpha: float = 1.0,
        equivalent_sample_size: float = 5.0,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.structure_score = structure_score
        self.max_parents = max_parents
        self.start_nodes = start_nodes
        self.voting = voting
        self.alpha = alpha
        self.equivalent_sample_size = equivalent_sample_size
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_integer(self._owner, "n_estimators", self.n_estimators, at_least=1)
        check_choice(self._owner, "structure_score", self.structure_score, SCORES)
        check_integer(self._owner, "max_parents", self.max_parents, at_least=0)
        if self.start_nodes is not None:
            check_choice(self._owner, "start_nodes", self.start_nodes, ("distinct", "random"))
        check_choice(self._owner, "voting", self.voting, ("hard", "soft"))
        check_number(self._owner, "alpha", self.alpha, at_least=0)
        check_number(self._owner, "equivalent_sample_size", self.equivalent_sample_size, at_least=0)

    def _default_estimator(self) -> AnyGenerativeClassifier:
        return BayesianNetworkClassifier(
            alpha=self.alpha,
            equivalent_sample_size=self.equivalent_sample_size,
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
        )

    # ---- fitting ----------------------------------------------------------------------

    def _fit_members(self, template: AnyGenerativeClassifier, training: TrainingRows) -> None:
        n_rows, n_states = len(training.y), template.encoder_.n_states_
        search = HillClimb(score=self.structure_score, max_parents=self.max_parents)
        search.require_time(n_rows, n_states, len(self.classes_), n_searches=self.n_estimators)
        random = check_random_state(self.random_state)
        template.set_params(n_jobs=None)  # the rounds run in parallel
        sample = Bootstrap(training)
        starts = self._draw_start_nodes(max(len(n_states), 1), random)
        rounds = [(sample.draw(random), next(starts)) for _ in range(self.n_estimators)]
        jobs = (  # the weights of a round are in memory while it runs
            delayed(_fit_round)(
                template, search, training.reweighted(times.astype(np.float64)), start_node
            )
            for times, start_node in rounds
        )
        self.estimators_ = []
        if not is_affordable(self._most_bytes(n_rows, n_states)):
            # The structure decides how large the tables are, so the first member shows it.
            fit_first, arguments, _ = next(jobs)
            self.estimators_ = [fit_first(*arguments)]
            self._require_memory(self.estimators_[0], n_states)
        self.estimators_ += Parallel(n_jobs=self.n_jobs)(jobs)
        self.oob_score_ = self._out_of_bag_accuracy(training, [times for times, _ in rounds])

    def _most_bytes(self, n_rows: int, n_states: Array) -> int:
        """Return the bytes of all members if each column had the parents with the most states."""
        slots = sorted((int(n) + 1 for n in n_states), reverse=True)
        of_parents = prod(slots[: self.max_parents])
        cells = sum(min(n * of_parents, largest_dense(n_rows)) for n in slots)
        return _BYTES_OF_CELL * len(self.classes_) * cells * self.n_estimators

    def _require_memory(self, member: AnyGenerativeClassifier, n_states: Array) -> None:
        """Raise unless there is memory for all members, if they are as large as this one."""
        n_cells = sum(table.size for table in member.statistics_.tables)
        require_bytes(
            _BYTES_OF_CELL * n_cells * (self.n_estimators - 1),
            f"the tables of the other {self.n_estimators - 1:,} members, of the size of the first,",
            n_states,
            advice="take fewer members or max_parents=1, leave these columns out, merge rare "
            "classes, or take one network by BayesianNetworkClassifier",
        )

    def _draw_start_nodes(
        self, n_columns: int, random: np.random.RandomState
    ) -> Iterator[int | None]:
        if self.start_nodes is None:
            yield from repeat(None)
        elif self.start_nodes == "distinct":
            yield from cycle(random.permutation(n_columns).tolist())
        else:
            while True:
                yield int(random.randint(n_columns))

    def _out_of_bag_accuracy(self, training: TrainingRows, drawn: list[Array]) -> float:
        right = total = 0.0
        start = 0
        step = max(1, _VOTES_AT_ONCE // len(self.classes_))
        for read, y, weight in training:
            weight = np.ones(len(y)) if weight is None else weight
            for first in range(0, len(y), step):
                part = np.arange(first, min(first + step, len(y)))
                some = read if len(part) == len(y) else take_read(read, part)
                scores = np.zeros((len(part), len(self.classes_)))
                for member, times in zip(self.estimators_, drawn, strict=True):
                    out = np.flatnonzero(times[start + part] == 0)
                    scores[out] += self._votes_of(member, take_read(some, out))
                judged = scores.any(axis=1)
                right += weight[part][judged & (scores.argmax(axis=1) == y[part])].sum()
                total += weight[part][judged].sum()
            start += len(y)
        return float(right / total) if total else float("nan")

    # ---- voting -----------------------------------------------------------------------

    def _votes_of(self, member: AnyGenerativeClassifier, read: ReadRows) -> Array:
        """Return one vote for a class of each row, or the class probabilities."""
        joint = member._log_joint(read)
        if self.voting == "soft":
            return normalize(joint)
        votes = np.zeros_like(joint)
        votes[np.arange(len(joint)), joint.argmax(axis=1)] = 1.0
        return votes

    def _log_scores(self, read: ReadRows) -> Array:
        first, *others = self.estimators_
        scores = self._votes_of(first, read)
        for member in others:
            scores += self._votes_of(member, read)
        if self.voting == "hard":
            scores += 1 / len(self.classes_)
        return floored_log(scores)

    def _drawing(self) -> Drawing:
        """Return the parents of each column, with the share of the members that have the edge."""
        names = list(self.estimators_[0].encoder_.table_names_)
        share = np.zeros((len(names), len(names)))
        for member in self.estimators_:
            for parent, child in member.structure_.edges:
                share[child, parent] += 1 / len(self.estimators_)
        label = f"Shares of {len(self.estimators_)} networks with an edge"
        return ParentList(tuple(names), strongest_members(share, names), label)


def _fit_round(
    template: AnyGenerativeClassifier,
    search: HillClimb,
    training: TrainingRows,
    start_node: int | None,
) -> AnyGenerativeClassifier:
    member: AnyGenerativeClassifier = clone(template)
    member.set_params(structure=replace(search, start_node=start_node))
    return member.fit_read(training)
