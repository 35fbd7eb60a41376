"""
A rare class: costs and thresholds
==================================

About one of twenty rows of this table is of class 1. A model that never
predicts it has an accuracy of 95 %. If it costs ten times as much to miss a
row of class 1 as to raise a false alarm, the decision should not be made at a
probability of 0.5.

- ``CostClassifier`` decides for the class of the least expected cost.
- ``ThresholdClassifier`` tunes a threshold for a measure on held-out rows.
- ``class_weight="balanced"`` changes the fit, and so the probabilities as
  well.
"""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.datasets import make_classification
from sklearn.metrics import confusion_matrix

from augury import CostClassifier, LogisticRegression, ThresholdClassifier
from augury.evaluate import choose_measure

X, y = make_classification(
    6000, 6, n_informative=4, weights=[0.95], flip_y=0.01, random_state=0
)
X_train, y_train, X_test, y_test = X[:3000], y[:3000], X[3000:], y[3000:]
print(choose_measure(np.bincount(y), ["common", "rare"]).reason)

# %%
# The decisions of five models with the same regression inside. A missed row
# costs 10, a false alarm 1.

costs = {0: {1: 10}, 1: {0: 1}}
models = {
    "probability 0.5": LogisticRegression(),
    "costs": CostClassifier(LogisticRegression(), costs),
    "best F1": ThresholdClassifier(LogisticRegression(), "f1"),
    "precision ≥ 0.4": ThresholdClassifier(
        LogisticRegression(), "recall", precision=0.4
    ),
    "balanced weights": LogisticRegression(class_weight="balanced"),
}
rows = {}
for name, model in models.items():
    table = confusion_matrix(
        y_test, model.fit(X_train, y_train).predict(X_test)
    )
    rows[name] = {
        "accuracy, %": 100 * np.trace(table) / table.sum(),
        "found": table[1, 1],
        "missed": table[1, 0],
        "false alarms": table[0, 1],
        "cost of 100 rows": 100
        * (10 * table[1, 0] + table[0, 1])
        / table.sum(),
    }
found = pd.DataFrame(rows).T
print(found.round(1).to_string())

# %%
# Cost of every threshold
# -----------------------
#
# The curve is the cost on the test rows for every threshold on the probability
# of the regression. The dots are the thresholds of four of the models.
# ``CostClassifier`` needs no tuning: its threshold follows from the costs, 1 /
# (1 + 10).

said = models["probability 0.5"].predict_proba(X_test)[:, 1]
grid = np.linspace(0.005, 0.8, 160)
curve = [
    100 * np.mean(np.where(y_test == 1, 10 * (said < t), said >= t))
    for t in grid
]
thresholds = {
    "probability 0.5": 0.5,
    "costs": 1 / 11,
    "best F1": models["best F1"].threshold_,
    "precision ≥ 0.4": models["precision ≥ 0.4"].threshold_,
}
figure, ax = plt.subplots(figsize=(6.8, 4.0), layout="constrained")
ax.plot(grid, curve, color="#8a8f98")
styles = zip(
    thresholds.items(),
    ("#222222", "#D55E00", "#0072B2", "#009E73"),
    "osD^",
    strict=True,
)
for (name, threshold), color, marker in styles:
    cost = found.loc[name, "cost of 100 rows"]
    ax.plot(
        threshold,
        cost,
        marker,
        color=color,
        markersize=9,
        label=f"{name}: {cost:.0f}",
    )
ax.set(
    xlabel="threshold on the probability of class 1",
    ylabel="cost of 100 test rows",
)
ax.set_title("The threshold of the costs is near the lowest cost")
ax.set_ylim(bottom=0)
ax.legend(title="cost of 100 rows", frameon=False, loc="lower right")
plt.show()

# %%
# Found and missed
# ----------------

figure, ax = plt.subplots(figsize=(6.8, 3.2), layout="constrained")
left = np.zeros(len(found))
for part, color, hatch in (
    ("found", "#009E73", ""),
    ("missed", "#D55E00", "xxx"),
    ("false alarms", "#c9ced6", "///"),
):
    bars = ax.barh(
        found.index,
        found[part],
        left=left,
        color=color,
        hatch=hatch,
        edgecolor="white",
        label=part,
    )
    ax.bar_label(
        bars,
        [f"{count:.0f}" if count > 12 else "" for count in found[part]],
        label_type="center",
        bbox={"facecolor": "white", "pad": 1.5, "linewidth": 0},
    )
    left += found[part].to_numpy()
ax.set(xlabel="test rows")
ax.invert_yaxis()
ax.legend(
    loc="lower center", bbox_to_anchor=(0.45, 1.0), ncols=3, frameon=False
)
plt.show()

# %%
# Conclusion
# ----------
#
# The threshold of 0.5 has the highest accuracy and the highest cost: it misses
# most of the rare rows. The threshold that follows from the costs finds more
# than twice as many of them. Its accuracy is ten points lower, and its cost is
# lower: accuracy is the wrong measure here. The best F1 and the precision of
# 0.4 stand between the two, with far fewer false alarms and a similar cost on
# these rows. Balanced weights find as many rare rows as the costs do, with
# more false alarms. They also change the probabilities, so that 0.5 no longer
# means 0.5.
