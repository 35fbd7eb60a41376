"""
One pass over pieces, and a Dask cluster
========================================

The statistics of a generative model are sums over rows. So the statistics of
two pieces of a table add up to those of the whole table: no row has to be read
twice, and no piece has to stay in memory. ``augury.scale`` does the same for
files, iterators and Dask.
"""

import numpy as np
import pandas as pd
from distributed import Client, LocalCluster
from matplotlib import pyplot as plt

from augury import HiddenNaiveBayes, NaiveBayes
from augury.data.synthetic import make_random_network, sample_network
from augury.evaluate import log_loss
from augury.scale import fit

network = make_random_network(
    10, n_states=3, n_classes=2, concentration=1.5, random_state=0
)


def read_piece(k):
    """Return the k-th piece of a table."""
    rows = sample_network(200, *network, random_state=k)
    return rows.X.assign(label=rows.y)


test = sample_network(5000, *network, random_state=1000)
codes = test.y.cat.codes.to_numpy()

# %%
# Piece by piece
# --------------
#
# ``collect`` returns the statistics of a piece, and ``fit_statistics``
# estimates the model from a sum. The estimate can be used after each piece.

models = {
    "naive Bayes": NaiveBayes(),
    "hidden naive Bayes": HiddenNaiveBayes(),
}
n_pieces = 30
losses = {name: [] for name in models}
for k in range(n_pieces):
    piece = read_piece(k)
    rows, label = piece.drop(columns="label"), piece["label"]
    for name, model in models.items():
        if k == 0:
            model.fit(rows, label)
        else:
            model.fit_statistics(
                model.statistics_ + model.collect(rows, label)
            )
        losses[name].append(log_loss(codes, model.predict_proba(test.X)))

figure, ax = plt.subplots(figsize=(6.6, 3.6), layout="constrained")
n_rows = 200 * np.arange(1, n_pieces + 1)
for (name, line), color, style in zip(
    losses.items(), ("#0072B2", "#D55E00"), ("o-", "^--"), strict=True
):
    ax.plot(n_rows, line, style, color=color, markersize=4, label=name)
ax.set(
    xlabel="rows read so far",
    ylabel="log loss on test rows",
    title="An estimate after each piece",
)
ax.legend()
plt.show()

# %%
# The same on a cluster
# ---------------------
#
# ``augury.scale.fit`` takes the pieces from files, from a function that
# returns an iterator, or from a Dask frame. With ``client`` the workers of a
# cluster count them. Here the cluster is two threads of this process.

whole = pd.concat([read_piece(k) for k in range(n_pieces)], ignore_index=True)
in_memory = HiddenNaiveBayes().fit(whole.drop(columns="label"), whole["label"])
streamed = fit(
    HiddenNaiveBayes(), lambda: map(read_piece, range(n_pieces)), "label"
)
with (
    LocalCluster(
        n_workers=1,
        threads_per_worker=2,
        processes=False,
        dashboard_address=None,
    ) as cluster,
    Client(cluster) as client,
):
    on_dask = fit(HiddenNaiveBayes(), whole, "label", client=client)

expected = in_memory.predict_proba(test.X)
difference = {
    "30 pieces, added": np.abs(
        models["hidden naive Bayes"].predict_proba(test.X) - expected
    ).max(),
    "scale.fit of a function": np.abs(
        streamed.predict_proba(test.X) - expected
    ).max(),
    "scale.fit on Dask": np.abs(
        on_dask.predict_proba(test.X) - expected
    ).max(),
}
for name, largest in difference.items():
    print(f"{name}: largest difference of a probability {largest:.1e}")

# %%
# Conclusion
# ----------
#
# The log loss falls while pieces are added, most in the first ten, and hidden
# naive Bayes uses the dependences between the columns. The three ways to read
# the table in pieces give the same probabilities as a fit in memory. This
# holds by construction: the counts are sums, so that the order and the size of
# the pieces, threads and machines cannot matter.
