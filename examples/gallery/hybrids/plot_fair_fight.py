"""
A fair fight: hybrids against their parts
=========================================

A hybrid should be compared with both of its parts, on rows that none of them
has seen. Here cut points, meta-features and all else are learned inside each
training fold (``protocol="honest"``, the default of ``cross_validate``). The
hybrids are NB-LR and HNB-LR; their parts are naive Bayes (NB), hidden naive
Bayes (HNB) and logistic regression (LR).
"""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
)

from augury import (
    AugmentedClassifier,
    HiddenNaiveBayes,
    LogisticRegression,
    NaiveBayes,
)
from augury.data.synthetic import make_corral, make_monks, make_waveform
from augury.evaluate import WekaFolds, cross_validate, mean_scores

tables = [
    make_corral(150, random_state=0),
    make_monks(1, random_state=0),
    make_monks(2, random_state=0),
    make_monks(3, random_state=0),
    make_waveform(400, random_state=0),
]
for load in (load_iris, load_wine, load_breast_cancer, load_digits):
    X, y = load(return_X_y=True, as_frame=True)
    rows = np.random.default_rng(0).permutation(len(X))[:500]
    tables.append(
        SimpleNamespace(
            name=load.__name__[5:].replace("_", " "),
            X=X.iloc[rows],
            y=y.iloc[rows],
        )
    )
names = [table.name for table in tables]

models = {
    "NB": NaiveBayes(),
    "HNB": HiddenNaiveBayes(),
    "LR": LogisticRegression(),
    "NB-LR": AugmentedClassifier(NaiveBayes()),
    "HNB-LR": AugmentedClassifier(HiddenNaiveBayes()),
}
results = cross_validate(tables, models, WekaFolds(n_repeats=1))
loss = pd.DataFrame(mean_scores(results, "log_loss"), index=names)
print(loss.round(3))

# %%
# The log loss of each hybrid beside that of its two parts. Lower is better.

figure, axes = plt.subplots(
    1, 2, figsize=(7.0, 4.4), layout="constrained", sharex=True, sharey=True
)
styles = {"NB": "s", "HNB": "s", "LR": "^"}
for ax, hybrid in zip(axes, ("NB-LR", "HNB-LR"), strict=True):
    shown = [hybrid.partition("-")[0], "LR", hybrid]
    ax.hlines(
        names,
        loss[shown].min(axis=1),
        loss[shown].max(axis=1),
        color="#c9ced6",
        linewidth=2,
    )
    for model, color in zip(
        shown, ("#0072B2", "#E69F00", "#D55E00"), strict=True
    ):
        is_hybrid = model == hybrid
        ax.plot(
            loss[model],
            names,
            styles.get(model, "o"),
            color=color,
            label=model,
            markersize=11 if is_hybrid else 7,
            markerfacecolor=color if is_hybrid else "none",
            markeredgewidth=1.8,
            zorder=2 if is_hybrid else 3,
        )
    ax.set(xscale="log", xlabel="log loss (10-fold cross-validation)")
    ax.set_xticks(
        [0.02, 0.05, 0.1, 0.2, 0.5], ["0.02", "0.05", "0.1", "0.2", "0.5"]
    )
    ax.minorticks_off()
    ax.set_title(f"{hybrid} and its parts")
    ax.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.08), ncols=3, frameon=False
    )
axes[0].invert_yaxis()
plt.show()

# %%
# The log loss of each hybrid, divided by that of its better part:

ratio = pd.DataFrame(
    {
        hybrid: loss[hybrid] / loss[[part, "LR"]].min(axis=1)
        for hybrid, part in (("NB-LR", "NB"), ("HNB-LR", "HNB"))
    }
)
print(ratio.round(2))
print("better than both parts:", (ratio < 1).sum().to_dict())

# %%
# Conclusion
# ----------
#
# HNB-LR has a lower log loss than both of its parts on most of the tables. It
# gains most on the concepts, corral and monks. On the waveforms, where HNB
# alone is best, it is more than 10 % worse than HNB. NB-LR changes less: it
# gains on some tables, and on none is it more than 10 % worse than its better
# part. A hybrid does not win everywhere. But which part is the better one
# differs from table to table, and the hybrid is close to it or better on
# nearly all of them.
