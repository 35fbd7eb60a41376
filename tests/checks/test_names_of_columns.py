"""A model that was fitted to a frame predicts and explains an array, and the other way round."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from augury.models import build_model
from tests.checks.test_estimator_checks import ESTIMATORS

rng = np.random.default_rng(0)
NUMBERS = pd.DataFrame(
    {"size": rng.integers(0, 9, 60) * 1.0, "count": rng.integers(0, 5, 60) * 1.0}
)
CODES = np.where(NUMBERS["size"] + rng.normal(size=60) > 4, 1, 0)
MODELS = [each for each in ESTIMATORS if hasattr(each, "predict")]


@pytest.mark.filterwarnings("ignore:X (does not have valid|has) feature names")
@pytest.mark.parametrize("model", MODELS, ids=lambda each: type(each).__name__)
def test_names_do_not_matter_if_one_side_has_none(model):
    array = NUMBERS.to_numpy()
    named = clone(model).fit(NUMBERS, CODES)
    unnamed = clone(model).fit(array, CODES)
    numbered = clone(model).fit(pd.DataFrame(array), CODES)
    expected = named.predict(NUMBERS)
    assert named.predict(array).tolist() == expected.tolist()
    assert named.predict(array.tolist()).tolist() == expected.tolist()
    assert unnamed.predict(NUMBERS).tolist() == unnamed.predict(array).tolist()
    assert unnamed.predict(pl.from_pandas(NUMBERS)).tolist() == unnamed.predict(array).tolist()
    expected = numbered.predict(pd.DataFrame(array))
    assert numbered.predict(array).tolist() == expected.tolist()
    assert numbered.predict(NUMBERS).tolist() == expected.tolist()
    if hasattr(model, "explain"):
        for fitted, other in ((named, array[:2]), (unnamed, NUMBERS[:2])):
            same = NUMBERS[:2] if fitted is named else array[:2]
            np.testing.assert_array_equal(fitted.explain(other), fitted.explain(same))


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("name", ["nb-lr", "augury"])
def test_arrays_of_objects_have_labels_and_numbers(name):
    frame = NUMBERS.assign(sky=rng.choice(["sun", "rain"], 60))
    model = build_model(name).fit(frame, CODES)
    expected = model.predict_proba(frame)
    np.testing.assert_array_equal(model.predict_proba(frame.to_numpy()), expected)
