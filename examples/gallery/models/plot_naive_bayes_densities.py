"""
Densities in naive Bayes
========================

Naive Bayes multiplies one factor :math:`p(x_j | c)` for each column. A column
of numbers can have three kinds of factors:

- ``continuous="gaussian"``: a normal density of each class;
- ``continuous="kernel"``: a kernel density, the mean of normal densities
  around the training numbers;
- ``continuous="discretize"``, the default: the probabilities of intervals.

The columns of scikit-learn's breast cancer table are measurements of cell
nuclei.
"""

from types import SimpleNamespace

from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer

from augury import NaiveBayes
from augury.evaluate import WekaFolds, cross_validate, summarize
from augury.plot import ClassConditionalDisplay

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]

# %%
# One column
# ----------
#
# ``ClassConditionalDisplay`` draws the factors of a column. The numbers of
# this column are skewed: most are small, and a few are large. A normal density
# has no skew. That of the malignant class has its peak to the right of most
# numbers, and extends far below zero, where no number lies.

column = "area error"
kinds = {
    "gaussian": "normal densities",
    "kernel": "kernel densities",
    "discretize": "intervals",
}
figure, axes = plt.subplots(3, 1, figsize=(6.4, 7.6), layout="constrained")
models = {}
for ax, (kind, title) in zip(axes, kinds.items(), strict=True):
    models[kind] = NaiveBayes(continuous=kind).fit(X, y)
    ClassConditionalDisplay.from_estimator(models[kind], column, ax=ax)
    ax.set_title(f"{title} of {column!r}")
for ax in axes[:2]:
    ax.set_xlim(-60, 260)
axes[2].tick_params(axis="x", rotation=0)
plt.show()

# %%
# All columns
# -----------
#
# Ten-fold cross-validation. The log loss is the mean of :math:`-\\ln p` of the
# true class.

table = SimpleNamespace(name="breast cancer", X=X, y=y)
unfitted = {
    title: NaiveBayes(continuous=kind) for kind, title in kinds.items()
}
found = {
    each.model: each
    for each in summarize(
        cross_validate([table], unfitted, WekaFolds(n_repeats=1))
    )
}
for each in found.values():
    print(f"{each.model}: accuracy {each.accuracy_mean:.1f} %")

figure, (left, right) = plt.subplots(
    1, 2, figsize=(6.8, 2.4), layout="constrained", sharey=True
)
left.barh(
    list(found),
    [100 - each.accuracy_mean for each in found.values()],
    color="#0072B2",
)
left.set(xlabel="error, %", title="Error")
right.barh(
    list(found),
    [each.log_loss_mean for each in found.values()],
    color="#D55E00",
)
right.set(xlabel="log loss", title="Log loss")
left.invert_yaxis()
plt.show()

# %%
# Conclusion
# ----------
#
# Kernel densities and intervals follow the skew of the column, and normal
# densities do not. On this table both have a lower error and a lower log loss
# than normal densities. The log loss of all three is high for such a low
# error, because naive Bayes counts correlated columns as independent evidence
# and is too certain. The example on calibration shows it.
