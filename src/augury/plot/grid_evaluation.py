"""Margins and densities of classes in the rows of a grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from augury.arrays import FloatArray
from augury.encode.target import code_known_classes
from augury.errors import PictureError
from augury.plot.normal_classes import NormalClasses
from augury.plot.opened_model import OpenedModel
from augury.predict_once import predict_once

# Log odds beyond these are as certain as a picture can show.
_LARGEST_MARGIN = 700.0
# The margin of the predicted one of several most probable classes.
_OF_TIES = 1e-9


def class_margins(
    owner: str, opened: OpenedModel, blocks: Sequence[pd.DataFrame]
) -> tuple[FloatArray, bool]:
    """Return the margin of each class in each row, and whether probabilities decide.

    The margin is log p(c | x) minus the largest logarithm of the other classes. It is 1 or -1 if
    the model decides by something else than its probabilities. It is above 0 for the predicted
    class alone, also if several classes are equally probable.
    """
    if not hasattr(opened.model, "classes_"):
        raise PictureError(f"{owner}: {type(opened.model).__name__} is not a fitted classifier")
    n_classes = len(opened.model.classes_)
    found = [predict_once(opened.model, opened.rows(block)) for block in blocks]
    predicted = code_known_classes(
        owner,
        np.concatenate([each.predicted for each in found]),
        np.asarray(opened.model.classes_),
        sum(map(len, blocks)),
    )
    logs = None
    if found[0].probabilities is not None:
        if hasattr(opened.model, "predict_log_proba"):
            with np.errstate(divide="ignore"):  # log 0 of scikit-learn's classifiers
                parts = [opened.model.predict_log_proba(opened.rows(block)) for block in blocks]
        else:
            tiny = np.finfo(np.float64).tiny
            parts = [np.log(np.maximum(np.asarray(each.probabilities), tiny)) for each in found]
        logs = np.maximum(np.concatenate(parts), -_LARGEST_MARGIN)
    if logs is None or (logs.argmax(axis=1) != predicted).any():
        # The model decides by something else: a margin of its own, or a threshold.
        return np.where(predicted == np.arange(n_classes)[:, None], 1.0, -1.0), False
    margins = np.empty((n_classes, len(logs)))
    for k in range(n_classes):
        margins[k] = logs[:, k] - np.delete(logs, k, axis=1).max(axis=1)
        ties = margins[k] == 0
        margins[k, ties] = np.where(predicted[ties] == k, _OF_TIES, -_OF_TIES)
    return margins, True


def class_densities(
    opened: OpenedModel,
    shown: tuple[Hashable, Hashable],
    blocks: Sequence[pd.DataFrame],
    *,
    has_others: bool,
) -> tuple[FloatArray | None, NormalClasses | None]:
    """Return the density of two columns for each class and row, and its normal distributions.

    Both are None if the model has no density of the two columns. With other columns
    (`has_others`) only normal classes have it.
    """
    names = [str(name) for name in shown]
    model = opened.model
    whole = NormalClasses.of(model)
    normals = None if whole is None else whole.select(names)
    if normals is not None:
        rows = np.concatenate([block[list(shown)].to_numpy() for block in blocks])
        return np.stack([normals.density(k, rows) for k in range(len(normals.means))]), normals
    encoder = getattr(model, "encoder_", None)
    numbers = set(getattr(encoder, "number_names_", ()))
    is_density = hasattr(model, "predict_joint_log_proba") and hasattr(model, "log_prior_")
    if has_others or not is_density or not numbers.issuperset(names):
        return None, None
    joint = [model.predict_joint_log_proba(opened.rows(block)) for block in blocks]
    return np.exp(np.concatenate(joint) - model.log_prior_).T, None


__all__ = ["class_densities", "class_margins"]
