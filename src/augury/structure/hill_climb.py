"""Hill climbing over acyclic graphs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import cycle

import numpy as np

from augury.arrays import Array, BoolArray
from augury.structure.climber import Climber, Move, Nodes, Objective
from augury.structure.family_scores import (
    CONDITIONAL_SCORES,
    GENERATIVE_SCORES,
    FamilyScores,
)
from augury.structure.node_order import Node, visiting_order
from augury.structure.objectives import ConditionalLikelihood, RowsAndCounts, SumOfFamilies
from augury.structure.search_time import require_conditional_time, require_search_time
from augury.structure.skeleton import Skeleton, SkeletonLearner, skeleton_matrix
from augury.structure.structure import Structure
from augury.validation import check_choice, check_flag, check_integer, check_number

SCORES = (*GENERATIVE_SCORES, *CONDITIONAL_SCORES, "cll")


def hill_climb(
    objective: Objective,
    nodes: Nodes,
    *,
    max_parents: int,
    skeleton: BoolArray | None = None,
    order: Sequence[int] | None = None,
    tabu_length: int = 0,
    n_restarts: int = 0,
    n_perturbations: int | None = None,
    rng: np.random.Generator | None = None,
) -> Nodes:
    """Return the parents of each node in the best structure that was found.

    The parameters are those of `HillClimb`; `nodes` are the parents at the start, `skeleton` is a
    symmetric matrix, and `order` has the number of every node, the start node first.
    """
    climber = Climber(objective, nodes, max_parents, skeleton)
    if climber.score == -np.inf:
        raise ValueError(
            "HillClimb: start must have families of at most 2²⁶ combinations of states, each with "
            "a row in which all members have values: give it fewer parents"
        )
    _climb(climber, order, tabu_length)
    best_nodes, best_score = list(climber.nodes), climber.score
    rng = np.random.default_rng() if rng is None else rng
    n_moves = max(3, len(nodes)) if n_perturbations is None else n_perturbations
    for _ in range(n_restarts):
        climber.jump(best_nodes)
        for _ in range(n_moves):
            if (move := climber.random_move(rng)) is not None:
                climber.apply(move)
        _climb(climber, order, tabu_length)
        # The search continues from a structure with an equal score too, since equivalent
        # structures have other neighbours, but not from one with more edges.
        is_better = climber.score > best_score + climber.smallest_gain
        is_equal = climber.score >= best_score - climber.smallest_gain
        if is_better or (is_equal and _n_edges(climber.nodes) <= _n_edges(best_nodes)):
            best_nodes, best_score = list(climber.nodes), max(climber.score, best_score)
    return best_nodes


def _n_edges(nodes: Nodes) -> int:
    return sum(len(above) for above in nodes)


def _climb(climber: Climber, order: Sequence[int] | None, tabu_length: int) -> None:
    if order is not None:
        _climb_node_by_node(climber, order)
    else:
        _climb_steepest(climber)
    if tabu_length:
        _tabu_search(climber, tabu_length)


def _climb_steepest(climber: Climber) -> None:
    """Take the best of all moves until no move has a gain.

    The best move of a node is computed again only if something that it depends on changed.
    """
    n = len(climber.nodes)
    best: dict[int, Move] = {}  # of the nodes that have a move with a gain
    gains = np.full(n, -np.inf)
    added = np.full(n, -1)  # the parent that a node's best move adds, if it adds one
    stale: Iterable[int] = range(n)
    while True:
        for i in stale:
            best.pop(i, None)
            gains[i], added[i] = -np.inf, -1
            move = climber.best_move(i)
            if move is not None and move.gain > climber.smallest_gain:
                best[i], gains[i] = move, move.gain
                added[i] = move.edge[0] if move.kind == "add" else -1
        if not best:
            return
        move = best[int(np.argmax(gains >= gains.max() - climber.smallest_gain))]
        climber.apply(move)
        if move.kind == "add" and climber.objective.decomposable:
            # The new edge can only forbid moves of other nodes.
            _, child = move.edge
            adding = np.flatnonzero(added >= 0)
            cyclic = adding[climber.reaches[adding, added[adding]]]
            reversing = {i for i, other in best.items() if other.kind == "reverse"}
            stale = {child, *climber.children[child], *reversing, *cyclic.tolist()}
        else:
            stale = range(n)


def _climb_node_by_node(climber: Climber, order: Sequence[int]) -> None:
    """Take the best move of each node in turn, until a whole pass changes nothing."""
    n_idle = 0
    for i in cycle(order):
        move = climber.best_move(i)
        if move is not None and move.gain > climber.smallest_gain:
            climber.apply(move)
            n_idle = 0
        else:
            n_idle += 1
        if n_idle == len(order):
            return


def _tabu_search(climber: Climber, tabu_length: int) -> None:
    """Take the best move even if the score falls, and return to the best structure found.

    An edge that has changed is locked for `tabu_length` steps. The search ends after
    `tabu_length` steps without a new best structure.
    """
    best_nodes, best_score = list(climber.nodes), climber.score
    locked: list[tuple[int, int]] = []
    n_idle = 0
    while n_idle < tabu_length:
        move = climber.best_of(climber.best_move(i, locked) for i in range(len(climber.nodes)))
        if move is None:
            break
        climber.apply(move)
        locked = [*locked, move.edge][-tabu_length:]
        n_idle += 1
        if climber.score > best_score + climber.smallest_gain:
            best_nodes, best_score = list(climber.nodes), climber.score
            n_idle = 0
    climber.jump(best_nodes)


@dataclass(frozen=True)
class HillClimb:
    """Hill climbing: add, delete or reverse an edge while the score gains.

    Parameters
    ----------
    score : {"ll", "aic", "bic", "mdl", "k2", "bdeu", "acll", "fcll", "cll"}
        Score to maximise; see `augury.structure.scores` and `conditional_scores`. "mdl" is
        another name of "bic". "cll" is not a sum over columns: each step takes about d² passes
        over the rows, so it is for small data.
    max_parents : int
        Largest number of parents of a column. The class is included only if
        `class_is_parent` is False.
    class_is_parent : bool
        Whether the class is a parent of every column. If False, the class is a node like any
        other, and "acll", "fcll" and "cll" are not available.
    start : {"naive-bayes", "empty"} or Structure
        Structure at the start. The two names differ only if `class_is_parent` is False.
    order : None, "columns" or sequence of all nodes
        None takes the best move of all nodes (steepest ascent), unless `start_node` is given.
        "columns" visits the nodes in the order of the columns: each visit takes the best move
        into that node, if it has a gain, and goes on to the next node. The search ends when a
        whole pass changes nothing. A sequence of numbers or names of columns is another order.
        If `class_is_parent` is False, the class is the last node, and a sequence names it by
        its number.
    start_node : int, str or None
        Number or name of the column that is visited first; the order continues from it and
        returns to its beginning. The result depends on it, as in Bagging-aCLL. None begins at
        the first node of the order. A start node without an order means "columns".
    skeleton : pairs of columns, symmetric boolean matrix, SkeletonLearner or None
        The pairs of columns that may be joined by an edge, in one of the two directions (a
        super-structure). Pairs have numbers or names of columns; a matrix has a row for each
        column. `IndependenceTests` learns a skeleton from the training rows. None allows all
        pairs, and an empty list none, which is naive Bayes. Edges between the class and a
        column are not restricted.
    tabu_length : int
        If not 0, the search continues from the maximum: it takes the best move even if the
        score falls, locks an edge for this number of steps after it has changed, and ends
        after this number of steps without a new best structure.
    n_restarts, n_perturbations : int
        Number of restarts, and number of random moves before each restart (None: the number
        of nodes). Restarts begin at the best structure so far. The best one of all is returned.
    equivalent_sample_size : float
        Number of rows that the prior of "bdeu" is worth.
    alpha : float > 0
        Pseudo-count of each state in "acll" and "cll".
    random_state : int or None
        Seed of the random moves.

    Notes
    -----
    Gains within 10⁻¹² of the score are equal, and of equal moves the one with the lowest numbers
    is taken. Neither the order of the rows nor the number of threads changes the result. A
    family is counted once, and all candidates for one more parent of a column in one pass.

    A search among so many columns that it takes more than ten minutes (for each 100,000 rows) is
    refused before it starts: see `require_search_time`, and for "cll" `require_conditional_time`.
    A skeleton makes it shorter.

    Examples
    --------
    Two columns that agree in one class and differ in the other; the third is noise.

    >>> from augury.generative import BayesianNetworkClassifier
    >>> coins = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 5
    >>> X = [[*pair, noise] for noise in "uv" for pair in coins]
    >>> y = ["same", "same", "other", "other"] * 10
    >>> model = BayesianNetworkClassifier(HillClimb(score="bic", max_parents=1)).fit(X, y)
    >>> print(model.draw())
    x0  | class, x1
    x1  | class
    x2  | class
    """

    score: str = "bic"
    max_parents: int = 2
    class_is_parent: bool = True
    start: Structure | str = "naive-bayes"
    start_node: Node | None = None
    tabu_length: int = 0
    n_restarts: int = 0
    n_perturbations: int | None = None
    equivalent_sample_size: float = 1.0
    alpha: float = 0.5
    random_state: int | None = None
    order: str | Sequence[Node] | None = None
    skeleton: Skeleton | None = None

    def __repr__(self) -> str:
        # A store describes a search by this text. Parameters that earlier versions do not have
        # appear only if they are set, so that their stores can be continued.
        shown = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("order", "skeleton"):
            if shown[name] is None:
                del shown[name]
        return f"HillClimb({', '.join(f'{name}={value!r}' for name, value in shown.items())})"

    def _check_fitted_state(self) -> None:
        """Do nothing: `fit` of a model checks its parameters."""

    def learn(self, counts: RowsAndCounts) -> Structure:
        """Return the best structure that the search finds."""
        self._check(len(counts.n_states))
        skeleton = self._joinable(counts)
        nodes = self._first_nodes(counts.n_states)
        if skeleton is not None:
            self._check_first_edges(nodes, skeleton)
        self.require_time(
            counts.n_rows,
            counts.n_states,
            len(counts.class_counts),
            n_pairs=None if skeleton is None else int(skeleton.sum()),
        )
        nodes = hill_climb(
            self._objective(counts, skeleton),
            nodes,
            max_parents=self.max_parents,
            skeleton=skeleton,
            order=visiting_order(
                type(self).__name__, self.order, self.start_node, counts.names, len(nodes)
            ),
            tabu_length=self.tabu_length,
            n_restarts=self.n_restarts,
            n_perturbations=self.n_perturbations,
            rng=np.random.default_rng(self.random_state),
        )
        return Structure(tuple(nodes)) if self.class_is_parent else Structure.from_nodes(nodes)

    def require_time(
        self,
        n_rows: int,
        n_states: Array,
        n_classes: int,
        *,
        n_pairs: int | None = None,
        n_searches: int = 1,
    ) -> None:
        """Raise `TooLongError` if so many searches take too long; see `require_search_time`."""
        if self.score == "cll":
            require_conditional_time(
                n_rows, len(n_states), n_classes, n_pairs=n_pairs, n_searches=n_searches
            )
        else:
            require_search_time(n_rows, n_states, n_classes, n_pairs=n_pairs, n_searches=n_searches)

    def _joinable(self, counts: RowsAndCounts) -> BoolArray | None:
        """Return the skeleton as a matrix of the nodes; the class is joined to every column."""
        if self.skeleton is None:
            return None
        owner, given = type(self).__name__, self.skeleton
        if isinstance(given, SkeletonLearner) and not isinstance(given, type):
            owner = f"{type(given).__name__}.learn_skeleton"
            given = given.learn_skeleton(counts, given_class=self.class_is_parent)
        matrix = skeleton_matrix(owner, given, counts.names, len(counts.n_states))
        return np.pad(matrix, (0, not self.class_is_parent), constant_values=True)

    def _objective(self, counts: RowsAndCounts, skeleton: BoolArray | None) -> Objective:
        if self.score == "cll":
            return ConditionalLikelihood(counts, self.alpha)
        return SumOfFamilies(
            FamilyScores(
                counts,
                self.score,
                equivalent_sample_size=self.equivalent_sample_size,
                alpha=self.alpha,
                class_is_parent=self.class_is_parent,
                skeleton=skeleton,
            )
        )

    def _first_nodes(self, n_states: Array) -> Nodes:
        start, n_columns = self.start, len(n_states)
        if isinstance(start, Structure):
            nodes = start.parents if self.class_is_parent else start.nodes
            # A column without states has no values and is not a parent.
            return [tuple(j for j in above if j == n_columns or n_states[j] > 0) for above in nodes]
        if self.class_is_parent:
            return [()] * n_columns
        above = (n_columns,) if start == "naive-bayes" and self.max_parents else ()
        return [*[above] * n_columns, ()]

    def _check(self, n_columns: int) -> None:
        owner = type(self).__name__
        check_choice(owner, "score", self.score, SCORES)
        check_integer(owner, "max_parents", self.max_parents, at_least=0)
        check_flag(owner, "class_is_parent", self.class_is_parent)
        if self.random_state is not None:
            check_integer(owner, "random_state", self.random_state, at_least=0)
        check_integer(owner, "tabu_length", self.tabu_length, at_least=0)
        check_integer(owner, "n_restarts", self.n_restarts, at_least=0)
        if self.n_perturbations is not None:
            check_integer(owner, "n_perturbations", self.n_perturbations, at_least=1)
        for name in ("equivalent_sample_size", "alpha"):
            check_number(owner, name, getattr(self, name), above=0)
        if not self.class_is_parent and self.score not in GENERATIVE_SCORES:
            raise ValueError(
                f"{owner}: score must be one of {', '.join(map(repr, GENERATIVE_SCORES))} where "
                f"class_is_parent is False, got {self.score!r}"
            )
        if isinstance(self.start, Structure):
            self._check_start(self.start, n_columns)
        else:
            check_choice(owner, "start", self.start, ("naive-bayes", "empty"))

    def _check_first_edges(self, nodes: Nodes, skeleton: BoolArray) -> None:
        for i, above in enumerate(nodes):
            for j in above:
                if not skeleton[j, i]:
                    raise ValueError(
                        f"{type(self).__name__}: start must have edges of the skeleton only, got "
                        f"{j, i}"
                    )

    def _check_start(self, start: Structure, n_columns: int) -> None:
        owner = type(self).__name__
        if start.n_features != n_columns:
            raise ValueError(
                f"{owner}: start must have {n_columns} columns, one for each column of the encoded "
                f"table, got {start.n_features}"
            )
        if self.class_is_parent and (start.class_parents or start.class_children is not None):
            raise ValueError(
                f"{owner}: start must have the class as a parent of every column where "
                f"class_is_parent is True, got {start!r:.200}"
            )
        above = start.parents if self.class_is_parent else start.nodes
        most = max((len(parents) for parents in above), default=0)
        if most > self.max_parents:
            raise ValueError(
                f"{owner}: start must have at most max_parents={self.max_parents} parents of a "
                f"column, got one with {most}"
            )


__all__ = ["SCORES", "HillClimb", "hill_climb"]
