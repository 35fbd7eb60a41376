"""
Which model is better? Ranks and Bayesian comparisons
=====================================================

Five models are compared on 16 tables. Each table is a sample of 150 rows from
its own random Bayesian network, in which each column has one other column as
parent. So TAN assumes what is true.
"""

from dataclasses import replace

from matplotlib import pyplot as plt

from augury import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    LogisticRegression,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.data.synthetic import make_random_network, sample_network
from augury.evaluate import (
    WekaFolds,
    bayesian_t_test,
    cross_validate,
    friedman_test,
    mean_scores,
)
from augury.plot import (
    BayesianComparisonDisplay,
    CriticalDifferenceDisplay,
)

tables = []
for k in range(16):
    network = make_random_network(
        8, n_states=3, n_classes=3, concentration=3.0, random_state=k
    )
    tables.append(
        replace(
            sample_network(150, *network, random_state=k), name=f"network {k}"
        )
    )
models = {
    "NB": NaiveBayes(),
    "TAN": TreeAugmentedNaiveBayes(),
    "HNB": HiddenNaiveBayes(),
    "AODE": AveragedOneDependence(),
    "LR": LogisticRegression(),
}
results = cross_validate(tables, models, WekaFolds(n_repeats=1))
accuracy = mean_scores(results)
print(
    {name: f"{100 * column.mean():.1f} %" for name, column in accuracy.items()}
)

# %%
# Critical differences
# --------------------
#
# Friedman's test asks whether the models differ at all. The diagram shows the
# mean rank of each model; a bar joins models whose ranks differ by less than
# the critical difference of Nemenyi's test.

test = friedman_test(accuracy)
print(f"Friedman's test, Iman and Davenport's F: p = {test.f_p:.1e}")
ranks = CriticalDifferenceDisplay.from_scores(accuracy)
ranks.ax_.set_title("Mean ranks in accuracy; 1 is best", loc="left")
plt.show()

# %%
# Bayesian comparison
# -------------------
#
# A test asks whether there is *no* difference. The Bayesian signed-rank test
# gives the probability that one model is better, and that both are practically
# equal: here, within one point of accuracy.

pairs = [("HNB", other) for other in ("NB", "LR", "AODE", "TAN")]
bayesian = BayesianComparisonDisplay.from_scores(
    accuracy, pairs=[*pairs, ("LR", "NB")], rope=0.01
)
plt.show()

# %%
# One table
# ---------
#
# On a single table the folds are compared by the correlated t-test, which
# accounts for the training rows that folds share. Ten folds of 150 rows say
# little.

hidden, naive = (
    [
        row.accuracy
        for row in results
        if (row.dataset, row.model) == ("network 0", name)
    ]
    for name in ("HNB", "NB")
)
one = bayesian_t_test(hidden, naive, n_train=135, n_test=15)
print(f"HNB better: {one.a_better:.2f}, NB better: {one.b_better:.2f}")

# %%
# Conclusion
# ----------
#
# TAN and HNB have the best mean ranks. The critical difference separates both
# from NB and LR, which miss the dependences between the columns; a bar joins
# them with AODE. The Bayesian comparison says more than the bar: HNB is very
# probably better than NB, LR and AODE by more than one point. Between HNB and
# TAN, and between LR and NB, nothing is decided: no probability is above 0.95.
# One table of 150 rows decides nothing either.
