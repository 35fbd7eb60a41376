"""scikit-learn's MultinomialNB and BernoulliNB on the titles of 28,610 Debian packages."""

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes
from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes


@pytest.fixture(scope="module")
def titles(shared_data):
    packages = pd.read_csv(
        shared_data / "data" / "debian-sections.tsv.gz", sep="\t", keep_default_na=False, quoting=3
    )
    return CountVectorizer().fit_transform(packages["title"]), packages["section"].to_numpy()


@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize(
    ("model_class", "peer_class"),
    [(MultinomialNaiveBayes, MultinomialNB), (BernoulliNaiveBayes, BernoulliNB)],
)
def test_titles_of_debian_packages(titles, model_class, peer_class, alpha):
    X, y = titles
    assert X.shape[0] == 28_610
    assert len(set(y)) == 20
    train, test = slice(20_000), slice(20_000, None)
    ours = model_class(alpha=alpha).fit(X[train], y[train])
    peer = peer_class(alpha=alpha).fit(X[train], y[train])
    assert ours.classes_.tolist() == peer.classes_.tolist()
    rows = X[test]
    np.testing.assert_allclose(ours.predict_proba(rows), peer.predict_proba(rows), atol=1e-10)
    np.testing.assert_allclose(
        ours.predict_log_proba(rows), peer.predict_log_proba(rows), rtol=1e-10, atol=1e-10
    )
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(rows), peer.predict_joint_log_proba(rows), rtol=1e-10
    )
    np.testing.assert_array_equal(ours.predict(rows), peer.predict(rows))
