"""
What the added columns of a hybrid do
=====================================

``AugmentedClassifier`` fits a generative model, appends the log odds of its
classes to the columns, and fits a logistic regression to all of them. With
naive Bayes inside it is NB-LR (Zhang, Jiang and Zhang 2022), with hidden naive
Bayes HNB-LR.

The class of the first MONK's problem is "head and body have the same shape, or
the jacket is red". Logistic regression adds one number for each label of each
column, and cannot say "the same shape".
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from augury import (
    AugmentedClassifier,
    HiddenNaiveBayes,
    LogisticRegression,
    NaiveBayes,
)
from augury.data.synthetic import make_monks
from augury.plot import StructureDisplay

robots = make_monks(1, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(
    robots.X, robots.y, random_state=0
)
hybrids = {
    "NB-LR": AugmentedClassifier(NaiveBayes()).fit(X_train, y_train),
    "HNB-LR": AugmentedClassifier(HiddenNaiveBayes()).fit(X_train, y_train),
}

# %%
# The structure of HNB-LR: the final regression reads the columns of the table
# and one meta-feature.

StructureDisplay.from_estimator(hybrids["HNB-LR"])
plt.show()

# %%
# The added column
# ----------------
#
# Each panel shows the added column of the test rows. If the classes do not
# overlap, a threshold on this column is enough.

figure, axes = plt.subplots(2, 1, figsize=(6.8, 4.6), layout="constrained")
overlap = {}
for ax, (name, model) in zip(axes, hybrids.items(), strict=True):
    inner = model.estimator_.predict_log_proba(X_test)
    log_odds = inner[:, 1] - inner[:, 0]
    overlap[name] = np.mean(
        (log_odds > 0) != (y_test == robots.y.cat.categories[1])
    )
    edges = np.linspace(log_odds.min(), log_odds.max(), 31)
    for label, color, hatch in zip(
        robots.y.cat.categories,
        ("#0072B2", "#D55E00"),
        ("", "///"),
        strict=True,
    ):
        rows = log_odds[(y_test == label).to_numpy()]
        ax.hist(
            rows,
            edges,
            color=color,
            alpha=0.6,
            hatch=hatch,
            edgecolor=color,
            label=f"class {label}",
        )
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(
        title=f"{name}: {100 * overlap[name]:.0f} % on the wrong side of 0",
        ylabel="rows",
    )
axes[1].set_xlabel("log odds of the inner model")
axes[0].legend(frameon=False)
plt.show()

# %%
# Accuracy of parts and hybrids
# -----------------------------
#
# The breast cancer table of scikit-learn is the counterexample: its classes
# are nearly separated by a sum over the columns, which logistic regression can
# say itself.

parts = {
    "NB": NaiveBayes(),
    "HNB": HiddenNaiveBayes(),
    "LR": LogisticRegression(),
    **hybrids,
}
cancer = load_breast_cancer(as_frame=True)
tables = {
    "MONK 1": (X_train, X_test, y_train, y_test),
    "breast cancer": train_test_split(
        cancer.data, cancer.target, random_state=0, test_size=0.5
    ),
}
accuracy = pd.DataFrame(
    {
        table: {
            name: 100 * model.fit(train, of_train).score(test, of_test)
            for name, model in parts.items()
        }
        for table, (train, test, of_train, of_test) in tables.items()
    }
)
print(accuracy.round(1))

figure, axes = plt.subplots(
    1, 2, figsize=(6.8, 2.6), layout="constrained", sharey=True
)
for ax, table in zip(axes, accuracy, strict=True):
    ax.hlines(
        list(parts),
        accuracy[table].min() - 1,
        accuracy[table],
        color="#e4e7eb",
    )
    ax.plot(accuracy[table], list(parts), "o", color="#0072B2", markersize=8)
    ax.set(title=table, xlabel="accuracy, %")
axes[0].invert_yaxis()
plt.show()

# %%
# Conclusion
# ----------
#
# The log odds of hidden naive Bayes separate the classes of the MONK's
# problem, because HNB reads pairs of columns. Appended to the columns, they
# lift the regression from about three quarters to all test rows. The log odds
# of naive Bayes are a sum over single columns, as those of the regression are.
# So NB-LR gains nothing here. On the breast cancer table neither added column
# helps: NB-LR and HNB-LR are as accurate as LR, within one point. An added
# column is worth what its model can express and the regression cannot.
