r"""
The flagship: weights of the parts and reliability
==================================================

``HybridClassifier`` fits models of different kinds and pools their class
probabilities:

.. math:: p(c \mid x) \propto \prod_m p_m(c \mid x)^{w_m}

Each part predicts the training rows without having seen them. The weights
:math:`w_m` minimise the log loss of these held-out predictions. Nothing has to
be set.
"""

import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from augury import HybridClassifier, NaiveBayes
from augury.data.synthetic import make_waveform
from augury.evaluate import log_loss
from augury.plot import ReliabilityDisplay

cancer = load_breast_cancer(as_frame=True)
waves = make_waveform(1000, random_state=0)
tables = {
    "breast cancer": (cancer.data, cancer.target),
    "waveform": (waves.X, waves.y),
}

# %%
# Which parts have the weight
# ---------------------------
#
# Half of each table is for training. The text beside a bar is the log loss of
# the part alone on held-out training rows.

models, splits, losses = {}, {}, {}
figure, axes = plt.subplots(
    1, 2, figsize=(7.0, 2.9), layout="constrained", sharex=True, sharey=True
)
for ax, (name, (X, y)) in zip(axes, tables.items(), strict=True):
    splits[name] = train_test_split(
        X, np.asarray(y), test_size=0.5, random_state=0, stratify=y
    )
    X_train, X_test, y_train, y_test = splits[name]
    models[name] = model = HybridClassifier().fit(X_train, y_train)
    bars = ax.barh(list(model.parts_), model.weights_, color="#0072B2")
    ax.bar_label(
        bars, [f"{loss:.3f}" for loss in model.part_log_losses_], padding=3
    )
    ax.set(
        xlabel="weight in the pool",
        xlim=(0, 1),
        title=f"{name} (pool: {model.held_out_log_loss_:.3f})",
    )
axes[0].invert_yaxis()
plt.show()

# %%
# On test rows
# ------------
#
# The pool and each of its parts on the other half of the rows. The parts
# predict codes of the classes.

for name, model in models.items():
    _, X_test, _, y_test = splits[name]
    codes = np.searchsorted(model.classes_, y_test)
    losses[name] = {
        part: log_loss(codes, fitted.predict_proba(X_test))
        for part, fitted in model.parts_.items()
    }
    losses[name]["pool"] = log_loss(codes, model.predict_proba(X_test))
    print(name, {part: round(loss, 3) for part, loss in losses[name].items()})

# %%
# Reliability
# -----------
#
# The points of a calibrated model lie on the diagonal. Naive Bayes is drawn
# for comparison.

X_train, X_test, y_train, y_test = splits["waveform"]
figure, ax = plt.subplots(figsize=(6.4, 6.2), layout="constrained")
naive = NaiveBayes().fit(X_train, y_train)
of_pool = ReliabilityDisplay.from_estimator(
    models["waveform"], X_test, y_test, n_bins=10, name="flagship", ax=ax
)
of_naive = ReliabilityDisplay.from_estimator(
    naive, X_test, y_test, n_bins=10, name="naive Bayes", ax=ax
)
plt.show()

# %%
# Conclusion
# ----------
#
# The weights differ from table to table. The kernel has the largest weight on
# both, and on the waveforms "random cuts" has no weight at all: a part that
# adds nothing takes no time when rows are predicted. On the waveforms the pool
# is as good as its best part; on the breast cancer table the kernel alone is
# better on the test rows. The pool need not be the best model on every table.
# It is close to the best without a choice, and its probabilities can be used:
# its points lie near the diagonal, and those of naive Bayes far below.
