r"""
Boundaries of LDA, RDA and QDA
==============================

Gaussian discriminant analysis (GDA) models each class by a normal
distribution, :math:`p(x \mid c) = N(\mu_c, \Sigma_c)`. The models differ in
what they assume about the covariances:

- linear discriminant analysis (LDA): all classes share one covariance; the
  boundary is a line;
- quadratic discriminant analysis (QDA): each class has its own covariance; the
  boundary is a curve;
- regularised discriminant analysis (RDA): each covariance is a mixture of its
  own and the shared one;
- naive Bayes with normal densities: each class has its own variances, and no
  covariances.

Both classes of this table are normal, and their covariances differ. So the
assumption of QDA is true.
"""

import numpy as np
from matplotlib import pyplot as plt

from augury import (
    LinearDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from augury.data.synthetic import make_normal_classes
from augury.plot import DecisionRegionsDisplay, LearningCurveDisplay

truth = {
    "means": [[0.0, 0.0], [1.6, 1.2]],
    "covariances": [[[1.0, 0.8], [0.8, 1.0]], [[1.2, -0.7], [-0.7, 0.9]]],
}
train = make_normal_classes(60, random_state=1, **truth)
test = make_normal_classes(5000, random_state=2, **truth)

# %%
# Each panel shows the regions of the predicted classes and ellipses of one and
# two standard deviations. The title has the error on 5,000 test rows.

models = {
    "LDA": LinearDiscriminantAnalysis(),
    "RDA, half of each": RegularizedDiscriminantAnalysis(alpha=0.5),
    "QDA": QuadraticDiscriminantAnalysis(),
    "Gaussian naive Bayes": NaiveBayes(continuous="gaussian"),
}
error = {}
figure, axes = plt.subplots(
    2, 2, figsize=(7.0, 6.6), layout="constrained", sharex=True, sharey=True
)
for ax, (name, model) in zip(axes.flat, models.items(), strict=True):
    model.fit(train.X, train.y)
    error[name] = 100 * np.mean(model.predict(test.X) != test.y)
    DecisionRegionsDisplay.from_estimator(model, train.X, train.y, ax=ax)
    ax.set_title(f"{name}: error {error[name]:.1f} %")
    ax.label_outer()
entries = axes[0, 0].get_legend().legend_handles
for ax in axes.flat:
    ax.get_legend().remove()
figure.legend(
    handles=entries, loc="outside lower center", ncols=5, frameon=False
)
plt.show()

# %%
# With few rows
# -------------
#
# QDA estimates twice as many covariances as LDA. So it needs more rows,
# although its assumption is true. The next table has ten columns, so that a
# covariance has 55 numbers. RDA chooses its mixture by cross-validation
# (``alpha="cv"``). Each point is the mean error of 20 samples.

rng = np.random.default_rng(0)
factors = rng.normal(size=(2, 10, 10))
wide = {
    "means": [np.zeros(10), np.full(10, 0.5)],
    "covariances": [
        0.4 * factor @ factor.T / 10 + 0.6 * np.eye(10) for factor in factors
    ],
}
many = make_normal_classes(5000, random_state=3, **wide)
figure, ax = plt.subplots(figsize=(6.8, 3.8), layout="constrained")
curves = LearningCurveDisplay.from_estimators(
    {
        "LDA": LinearDiscriminantAnalysis(),
        "RDA": RegularizedDiscriminantAnalysis(alpha="cv"),
        "QDA": QuadraticDiscriminantAnalysis(),
    },
    many.X,
    many.y,
    sizes=[30, 60, 120, 240, 480, 960],
    n_repeats=20,
    test_share=0.6,
    title="QDA needs more rows than LDA; RDA adapts to their number",
    ax=ax,
).curves
plt.show()
for curve in curves:
    print(f"{curve.model}: {curve.means.round(1)}")

# %%
# Conclusion
# ----------
#
# On the first table QDA has the lowest error of the four models, since its
# assumption holds. The line of LDA and the axis-parallel ellipses of naive
# Bayes cannot follow the true boundary. On the second table, where the
# assumption of QDA holds as well, LDA has the lower error with 60 rows or
# fewer, and QDA from 120 rows on. RDA is close to the better of the two, or
# better than both, for every number of rows: use it if you do not know which
# one holds.
