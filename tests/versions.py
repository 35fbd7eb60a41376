"""What tests need of the versions of other packages; `make test-lowest` has the lowest ones."""

import pandas as pd
import pytest
import scipy
import sklearn
from sklearn.utils.fixes import parse_version

PANDAS_3 = parse_version(pd.__version__) >= parse_version("3.0")
# The name of the normal approximation in `scipy.stats.wilcoxon`.
APPROXIMATE = (
    "asymptotic" if parse_version(scipy.__version__) >= parse_version("1.15") else "approx"
)


def has_scikit_learn(version: str) -> bool:
    return parse_version(sklearn.__version__) >= parse_version(version)


def needs_scikit_learn(version: str, why: str) -> pytest.MarkDecorator:
    """Skip a test that compares with scikit-learn where it has not yet what is compared."""
    return pytest.mark.skipif(
        not has_scikit_learn(version), reason=f"scikit-learn before {version}: {why}"
    )
