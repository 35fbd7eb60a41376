"""Bagging of generative models with random cut points."""

from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import check_random_state

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.counts import floored_log, normalize
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.columns import take_rows
from augury.encode.discretizers.fine import FineDiscretizer
from augury.encode.merged_intervals import CutLayout, MergedEncoder
from augury.encode.requested_columns import RequestedColumns
from augury.ensemble.bases.generative_ensemble import GenerativeEnsemble
from augury.ensemble.sampling.bootstrap import Bootstrap
from augury.ensemble.sampling.out_of_bag import OutOfBag
from augury.fitted_state import check_part, check_real, require
from augury.foreign import Labels, Table
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.generative.bases.generative_classifier import (
    AnyGenerativeClassifier,
    GenerativeClassifier,
)
from augury.generative.bases.training_rows import ModelRows, ReadRows, TrainingRows
from augury.memory import columns_named, require_bytes
from augury.registration import register_model
from augury.validation import check_integer, check_table, check_training_weight

# Share of the rows that a sample of as many rows, drawn with replacement, does not have.
_SHARE_OUT_OF_BAG = 0.37
# Pair counts and factors of all members of at most this size are kept by default.
_BYTES_OF_PAIRS = 1 << 28


@register_model("random-cuts", "Hidden naive Bayes with random cut points, bagged")
class RandomCutEnsemble(GenerativeEnsemble):
    """Generative models of bootstrap samples, each with its own random cut points of the numbers.

    A member is fitted to as many rows as there are, drawn with replacement. It cuts each column of
    numbers at random training values. p(c | x) is the mean of the members' class probabilities.
    A boundary between two intervals has little effect on this mean, since other members have other
    boundaries, and a member of few intervals has many rows in each of them.

    The rows that a sample does not have are predicted by its member: `fit_held_out` returns honest
    probabilities of the training rows without a second fit.

    Parameters
    ----------
    estimator : classifier of `augury.generative` that cuts numbers, or None
        The model of each member. None is `HiddenNaiveBayes()`, or `NaiveBayes()` if the tables of
        the pairs of all columns and all members would take more than 256 MB. The parameters
        `categorical_features`, `missing` and `discretizer` of the estimator are not used.
    n_estimators : int
        Number of members.
    n_intervals : int or sequence of int
        Number of intervals of a column of numbers, in turn for the members. On 17 sets, 3, 5 and 8
        are as good as 4, 8 and 16, and take 0.4 of the memory.
    categorical_features, missing : see `TableEncoder`
        How columns become categories. States of labels are the same for all members. Infrequent
        labels of a column with many labels share a state (`min_frequency="auto"`), unless its
        categories are declared, or the estimator keeps them, as `NaiveBayes` does.
    random_state : int, RandomState or None
        Seed of the samples and the cut points.
    n_jobs : int or None
        Threads of each member, instead of those of the estimator; None keeps these. The result
        does not depend on it.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    encoder_ : the encoder with the fine intervals that the members merge
    estimators_ : the members, each with an `encoder_` that has its cut points
    oob_score_, oob_log_loss_ : float
        Accuracy and log loss of the training rows, each predicted by the members whose sample
        does not have it; NaN if every sample has every row.

    Notes
    -----
    A column of numbers is cut once: between all its values if there are at most 254, otherwise
    into 254 intervals of equal weight. A member with k intervals draws k - 1 training values of the
    column with replacement, and keeps the cut point above each of them. Equal draws are one cut
    point, and the largest value has none, so that a member may have less than k intervals.
    Merged codes are looked up: no member reads or sorts numbers.

    Rows are drawn by their position in a canonical order. The samples therefore do not depend on
    the order of the rows, and a row of weight 2 is drawn like two rows. Equal rows count as out of
    the bag by the expected share of their copies that were not drawn.

    `fit` scores about 0.37 of the rows by each member. A table is refused if the predictions of the
    training rows out of the bag, or of 1,000 rows, take more than ten minutes (for each 100,000
    rows); and after the first members if the others do not fit in memory. With `estimator=None`
    the limit of the time is that of one `HiddenNaiveBayes`.

    Memory in bytes (see `augury.memory`): fit takes `n (4 d + 4 m + 32 q + 80) + 16 q t (d v + d +
    6 m)²`, and the model keeps `16 q t (d v + d + 6 m)²`, both for the default model of up to
    256 MB. Members of naive Bayes take 16 q t (d v + 6 m) bytes, and 50,000 m for the names of
    intervals.

    References
    ----------
    L. Breiman: Bagging predictors. Machine Learning 24, 1996.
    A. Ahmad, G. Brown: Random projection random discretization ensembles - ensembles of linear
    multivariate decision trees. IEEE Trans. Knowl. Data Eng. 26, 2014.
    L. Jiang, H. Zhang, Z. Cai: A novel Bayes model: hidden naive Bayes. IEEE Trans. Knowl. Data
    Eng. 21, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from augury.ensemble import RandomCutEnsemble
    >>> X = np.linspace(0, 1, 60)[:, None]
    >>> y = np.where((X[:, 0] > 0.3) & (X[:, 0] < 0.6), "inside", "outside")
    >>> model = RandomCutEnsemble(random_state=0).fit(X, y)
    >>> model.predict([[0.1], [0.45], [0.9]]).tolist()
    ['outside', 'inside', 'outside']
    >>> [len(member.encoder_.cut_points_["x0"]) for member in model.estimators_[:3]]
    [2, 4, 7]
    """

    _share_scored = _SHARE_OUT_OF_BAG

    def __init__(
        self,
        estimator: AnyGenerativeClassifier | None = None,
        n_estimators: int = 24,
        n_intervals: int | Sequence[int] = (3, 5, 8),
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_intervals = n_intervals
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _default_estimator(self) -> AnyGenerativeClassifier:
        return HiddenNaiveBayes()

    def _check_parameters(self) -> None:
        check_integer(self._owner, "n_estimators", self.n_estimators, at_least=1)
        self._intervals_in_turn()

    def _intervals_in_turn(self) -> list[int]:
        given = self.n_intervals
        if isinstance(given, list | tuple | np.ndarray):
            if len(given) == 0:
                raise ValueError(
                    f"{self._owner}: n_intervals must be an integer >= 1 or a sequence of them, "
                    f"got {given!r}"
                )
            return [check_integer(self._owner, "n_intervals", n, at_least=1) for n in given]
        return [check_integer(self._owner, "n_intervals", given, at_least=1)]

    def _make_template(self) -> AnyGenerativeClassifier:
        template = super()._make_template()
        if "discretizer" not in template.get_params():
            raise TypeError(
                f"{self._owner}: estimator must be a classifier of augury.generative that cuts "
                f"numbers into intervals, such as HiddenNaiveBayes(), or None, got "
                f"{self.estimator!r}"
            )
        template.set_params(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=FineDiscretizer(),
        )
        return template

    # ---- fitting ----------------------------------------------------------------------

    def fit_held_out(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> FloatArray:
        """Fit to all rows, and return p(c | x) of each of them, estimated without the row.

        p(c | x) is the mean over the members whose sample does not have the row; of a row that is
        in every sample, the shares of the classes. A row of weight zero has the prediction of the
        fitted model. The fitted model is that of `fit`.
        """
        self._check_parameters()
        template = self._make_template()
        training = self._read_training(template, X, y, sample_weight)
        with columns_named(self._owner, template.encoder_.table_names_):
            held = self._fit_and_hold_out(template, training)
        X = check_table(self, X, reset=False)
        _, codes = self._code_classes(y, X.shape[0])
        weight = check_training_weight(self._owner, sample_weight, X.shape[0])
        weight = self._weigh_classes(self.classes_, codes, weight)
        if weight is None or weight.all():
            return held
        kept = weight > 0
        of_all: FloatArray = np.empty((len(kept), held.shape[1]))
        of_all[kept] = held
        of_all[~kept] = self.predict_proba(take_rows(X, ~kept))
        return of_all

    def _fit_members(self, template: AnyGenerativeClassifier, training: TrainingRows) -> None:
        self._fit_and_hold_out(template, training)

    def _fit_and_hold_out(
        self, template: AnyGenerativeClassifier, training: TrainingRows
    ) -> FloatArray:
        """Set the fitted attributes, and return p(c | x) of the rows, out of the bag."""
        self.encoder_: TableEncoder = template.encoder_
        if self.encoder_.number_names_:
            raise ValueError(
                f"{self._owner}: estimator must cut numbers into intervals, got "
                f"{self.estimator!r}, which keeps them"
            )
        random = check_random_state(self.random_state)
        encoders = list(self._draw_encoders(training, random))
        sample, out_of_bag = Bootstrap(training), OutOfBag(training, len(self.classes_))
        model = self._choose_model(template, encoders)
        self.estimators_: list[AnyGenerativeClassifier] = []
        n_bytes = 0
        for encoder in encoders:
            times = sample.draw(random)
            reader = copy(template)
            reader.encoder_ = encoder
            rows = _MergedRows(reader, training.reweighted(times.astype(np.float64)), encoder)
            member = clone(model).fit_read(rows)
            out_of_bag.add(member, sample.left_out(times), encoder.merge)
            self.estimators_.append(member)
            if len(self.estimators_) <= len(self._intervals_in_turn()):  # all sizes have occurred
                own = {name: part for name, part in vars(member).items() if name != "encoder_"}
                n_bytes += _bytes_of_arrays(own)
                self._require_memory_of_others(n_bytes)
        self.oob_score_, self.oob_log_loss_ = out_of_bag.losses()
        return out_of_bag.probabilities()

    def _draw_encoders(
        self, training: TrainingRows, random: np.random.RandomState
    ) -> Iterator[MergedEncoder]:
        """Yield the encoder of each member, whose cut points are some of those of `encoder_`."""
        layout, reached = CutLayout.of(self.encoder_), {}
        for j in np.flatnonzero(layout.is_cut).tolist():
            weigh = partial(_weigh_codes, column=j, n_codes=int(layout.n_cuts[j]) + 1)
            reached[j] = np.cumsum(training.total(weigh))
        intervals = self._intervals_in_turn()
        for k in range(self.n_estimators):
            n_draws = intervals[k % len(intervals)] - 1
            places = [np.empty(0, np.int64)]
            for j, sums in reached.items():
                shares = random.random_sample(n_draws) * sums[-1]
                drawn = np.unique(np.searchsorted(sums, shares, side="right"))
                places.append(drawn[drawn < layout.n_cuts[j]] + layout.first_cut[j])
            yield MergedEncoder.of(self.encoder_, np.concatenate(places), layout)

    def _choose_model(
        self, template: AnyGenerativeClassifier, encoders: list[MergedEncoder]
    ) -> AnyGenerativeClassifier:
        """Return the model of the members: naive Bayes by default if pairs take too much memory."""
        n_slots = sum(
            (int(encoder.n_states_.sum()) + len(encoder.n_states_)) ** 2 for encoder in encoders
        )
        if self.estimator is not None or 16 * len(self.classes_) * n_slots <= _BYTES_OF_PAIRS:
            return template
        shared = ("categorical_features", "missing", "discretizer", "n_jobs")
        return NaiveBayes(**{name: getattr(template, name) for name in shared})

    def _kinds_of_members(self, template: AnyGenerativeClassifier) -> tuple[type, ...]:
        own = super()._kinds_of_members(template)
        return own if self.estimator is not None else (*own, NaiveBayes)

    def _require_members(
        self, template: AnyGenerativeClassifier, n_rows: int, n_columns: int, n_classes: int
    ) -> None:
        n_scored = max(ROWS_TO_PREDICT, int(_SHARE_OUT_OF_BAG * n_rows))
        # By default, members of many columns are naive Bayes, see `_choose_model`.
        n_members = 1 if self.estimator is None else self.n_estimators
        template._require_size(n_rows, n_columns, n_classes, n_predicted=n_members * n_scored)
        require_bytes(
            16 * n_rows * n_classes,
            f"the scores of {n_rows:,} rows in {n_classes:,} classes",
            owner=self._owner,
            advice="merge rare classes, or use fewer rows",
        )

    def _require_memory_of_others(self, n_bytes: int) -> None:
        """Raise unless there is memory for the other members, if they are like these.

        `n_bytes` is the size of the members up to now.
        """
        n_fitted = len(self.estimators_)
        n_others = self.n_estimators - n_fitted
        require_bytes(
            n_bytes * n_others // n_fitted,
            f"the tables of the other {n_others:,} members, of the size of the first,",
            self.encoder_.n_states_.tolist(),
            advice="take fewer members or intervals, leave these columns out, or take "
            "estimator=NaiveBayes()",
        )

    # ---- saving -----------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes, with the cut points of the members as arrays.

        The encoders of the members are left out: they hold the encoder of the ensemble, which a
        model file would count for each of them.
        """
        state: dict[str, Any] = super().__getstate__()
        if "estimators_" not in state:
            return state
        bare = [copy(member) for member in state["estimators_"]]
        kept = [member.__dict__.pop("encoder_").kept_cuts for member in bare]
        return {**state, "estimators_": bare, "_kept_cuts": kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        kept = state.pop("_kept_cuts", None)
        super().__setstate__(state)
        if kept is None:
            return
        layout = CutLayout.of(self.encoder_)
        if len({id(member) for member in self.estimators_}) != len(kept):
            raise ValueError("RandomCutEnsemble: cut points must be those of different members")
        for member, places in zip(self.estimators_, kept, strict=True):
            if not isinstance(member, GenerativeClassifier):
                raise TypeError("RandomCutEnsemble: members must be generative classifiers")
            member.encoder_ = MergedEncoder.of(self.encoder_, places, layout)

    # ---- predicting -------------------------------------------------------------------

    def _reader(self) -> AnyGenerativeClassifier:
        reader = copy(self.estimators_[0])
        reader.encoder_ = self.encoder_
        return reader

    def _log_scores(self, read: ReadRows) -> Array:
        total = np.zeros((read.n_samples, len(self.classes_)))
        for member in self.estimators_:
            total += normalize(member._log_joint(member.encoder_.merge(read)))
        return floored_log(total / len(self.estimators_))

    def _check_columns_read(self, members: Sequence[AnyGenerativeClassifier]) -> None:
        encoder = check_part(self, "encoder_", TableEncoder)
        for member in members:
            own = member.encoder_
            fits = isinstance(own, MergedEncoder) and own.whole is encoder
            require(fits, self, "estimators_", "with some of its cut points")
        for name in ("oob_score_", "oob_log_loss_"):
            if not np.isnan(getattr(self, name)):
                check_real(self, name, low=0)


class _MergedRows(ModelRows):
    """Training rows whose intervals are merged to those of a member."""

    def __init__(
        self, model: AnyGenerativeClassifier, training: TrainingRows, encoder: MergedEncoder
    ) -> None:
        self.model, self._training, self._encoder = model, training, encoder

    def __iter__(self) -> Iterator[tuple[CategoricalTable, Array, Array | None]]:
        for read, y, weight in self._training:
            yield self._encoder.merge(read), y, weight


def _weigh_codes(
    table: CategoricalTable, _: Array, weight: Array | None, column: int, n_codes: int
) -> FloatArray:
    """Return the weight of the rows of each of the first codes of a column."""
    counts = np.bincount(table.codes[:, column], weight, minlength=n_codes)
    return counts[:n_codes].astype(np.float64)


def _bytes_of_arrays(model: object) -> int:
    """Return the bytes of all arrays in the attributes of a model."""
    found: dict[int, int] = {}
    waiting, seen = [model], set()
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, np.ndarray):
            whole = part if part.base is None else part.base
            found[id(whole)] = getattr(whole, "nbytes", part.nbytes)
        elif isinstance(part, list | tuple):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
        elif hasattr(part, "__dict__"):
            waiting += vars(part).values()
    return sum(found.values())
