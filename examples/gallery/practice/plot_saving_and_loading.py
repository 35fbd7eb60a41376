"""
Saving a model, and loading it without trust
============================================

``save_model`` writes a fitted model into one file, without pickle.
``load_model`` checks the file before it makes anything from it: a file from a
stranger can be refused, but it cannot run code. The loaded model predicts the
same probabilities, bit for bit.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer

from augury import (
    AugmentedClassifier,
    HiddenNaiveBayes,
    HybridClassifier,
    KNearestNeighbors,
    LogisticRegression,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    TreeAugmentedNaiveBayes,
)
from augury.persist import (
    ModelFileError,
    load_model,
    read_metadata,
    save_model,
)

data = load_breast_cancer(as_frame=True)
X, y = data.data, pd.Series(data.target_names[data.target], name="diagnosis")
folder = TemporaryDirectory()

# %%
# Save and load
# -------------
#
# With ``X`` the file also records the columns, so that the right ones can be
# selected from a new table.

file = Path(folder.name, "diagnosis.augury")
model = HiddenNaiveBayes().fit(X, y)
save_model(model, file, X=X, target="diagnosis")
metadata = read_metadata(file)  # without making the model
print(metadata.model, metadata.classes, f"{len(metadata.columns)} columns")

saved = load_model(file)
new = X.iloc[::-1, ::-1].assign(
    patient=range(len(X))
)  # other order, one more column
again = saved.model.predict_proba(saved.metadata.select_columns(new))
is_equal = bool((again[::-1] == model.predict_proba(X)).all())
print("equal bit for bit:", is_equal)

# %%
# Files that are refused
# ----------------------
#
# One byte of the file is changed.

damaged = Path(folder.name, "damaged.augury")
content = bytearray(file.read_bytes())
content[len(content) // 2] ^= 1
damaged.write_bytes(content)
try:
    load_model(damaged)
except ModelFileError as error:
    refusal = str(error).replace(folder.name, "…")
    print(refusal)

# %%
# Sizes
# -----
#
# The rows are not saved, except by models that consist of rows. The table
# itself takes 137 kB in memory.

models = [
    NaiveBayes(),
    TreeAugmentedNaiveBayes(),
    LogisticRegression(),
    QuadraticDiscriminantAnalysis(),
    AugmentedClassifier(),
    HiddenNaiveBayes(),
    KNearestNeighbors(),
    HybridClassifier(),
]
sizes = {}
for model in models:
    save_model(model.fit(X, y), file)
    sizes[type(model).__name__] = file.stat().st_size / 1000
folder.cleanup()

figure, ax = plt.subplots(figsize=(6.8, 3.4), layout="constrained")
bars = ax.barh(list(sizes), list(sizes.values()), color="#0072B2")
ax.bar_label(bars, [f"{size:.0f} kB" for size in sizes.values()], padding=3)
ax.set(
    xscale="log", xlabel="size of the file, kB", title="Model files are small"
)
ax.set_xlim(right=3 * max(sizes.values()))
ax.invert_yaxis()
plt.show()

# %%
# Conclusion
# ----------
#
# The loaded model reads a table with its columns in another order, and gives
# the same probabilities. The damaged file is refused, with the reason. Every
# file is below 1 MB. Naive Bayes and logistic regression take less than 10 kB;
# hidden naive Bayes takes more, since it keeps the counts of all pairs of
# columns, and the flagship most, since it holds all its parts.
