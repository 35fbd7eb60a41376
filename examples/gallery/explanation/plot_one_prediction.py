"""
Why this class? One prediction, explained
=========================================

``explain`` splits the log odds of a row into contributions of the columns.
They sum to the log odds, for every classifier of augury. If the model is a sum
over the columns, the contributions are its terms. Otherwise they are Shapley
values: the mean change when the column becomes known, over all orders of the
columns.

The question is the sex of a penguin. The package ``palmerpenguins`` has a
mixed table, which scikit-learn does not.
"""

import numpy as np
from matplotlib import pyplot as plt
from palmerpenguins import load_penguins
from sklearn.model_selection import train_test_split

from augury import HybridClassifier, LogisticRegression
from augury.explain import feature_influence
from augury.plot import ContributionsDisplay

penguins = load_penguins().dropna(subset="sex")
X, y = penguins.drop(columns=["sex", "year"]), penguins["sex"]
X_train, X_test, y_train, y_test = train_test_split(
    X, y, random_state=0, stratify=y
)
models = {
    "logistic regression": LogisticRegression().fit(X_train, y_train),
    "flagship": HybridClassifier().fit(X_train, y_train),
}

# %%
# One penguin
# -----------
#
# Each bar begins where the bar above it ends. The first is the prior, the last
# ends at the log odds. Hatched bars speak against a male.

chosen = X_test.iloc[[27]]
print(chosen.assign(sex=y_test.iloc[27]).T.to_string(header=False))


def draw(name):
    """Draw the contributions to the log odds of male against female."""
    display = ContributionsDisplay.from_estimator(
        models[name], chosen, positive="male", negative="female"
    )
    ax = display.ax_
    ax.set_title(
        f"{name}: {ax.get_title(loc='left')}", loc="left", fontsize=11
    )
    return display


displays = {"logistic regression": draw("logistic regression")}
plt.show()

# %%

displays["flagship"] = draw("flagship")
plt.show()

# %%
# The sums are exact. ``attrs["method"]`` states what the contributions are.

for name, model in models.items():
    explained = model.explain(X_test)
    logs = model.predict_log_proba(X_test)
    difference = explained.sum(axis=1) - (logs[:, 1] - logs[:, 0])
    method, largest = explained.attrs["method"], np.abs(difference).max()
    print(f"{name}: {method}, the sums deviate by {largest:.0e}")

# %%
# All penguins
# ------------
#
# ``feature_influence`` shuffles one column of the test rows at a time. The
# bars are the increase of the log loss.

figure, axes = plt.subplots(
    1, 2, figsize=(7.0, 2.9), layout="constrained", sharey=True
)
influence = {}
for ax, (name, model) in zip(axes, models.items(), strict=True):
    found = feature_influence(model, X_test, y_test)
    influence[name] = found["influence"].reindex(X.columns)
    ax.barh(list(X.columns), influence[name], color="#0072B2")
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(title=name, xlabel="increase of the log loss")
axes[0].invert_yaxis()
plt.show()

# %%
# Conclusion
# ----------
#
# This penguin is a female with an unusually deep bill. For both models the
# depth of the bill is the strongest evidence for a male, and the low body mass
# the strongest against it; the two nearly cancel. The rest decides, above all
# the length of the bill: the flagship counts the short bill more strongly than
# the regression does. So the flagship is right, and the regression is wrong by
# a narrow margin. Over all test rows both models use the same columns most:
# the depth of the bill and the body mass. Island and flipper length hardly
# matter.
