r"""
Texts: two event models and Laplace smoothing
=============================================

Two forms of naive Bayes read a text as a bag of words:

- the multivariate *Bernoulli* model asks of each word of the vocabulary
  whether it occurs;
- the *multinomial* model draws each word of the text from a distribution over
  the vocabulary, so that it counts how often a word occurs, and ignores words
  that do not occur.

Both estimate the probability of a word from counts. A word that no training
text of a class has would get the probability zero, and rule out the class
alone. Laplace smoothing adds :math:`\alpha` to each count.

The texts are docstrings of SciPy. The class is the part of SciPy that a
function belongs to.
"""

import inspect
import re
from collections import Counter

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from scipy import linalg, ndimage, signal, special
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import StratifiedKFold

from augury import BernoulliNaiveBayes, MultinomialNaiveBayes
from augury.evaluate import log_loss
from augury.plot import ContributionsDisplay

texts, parts, names = [], [], []
for module in (linalg, ndimage, signal, special):
    part = module.__name__.rpartition(".")[2]
    for name in module.__all__:
        text = (inspect.getdoc(getattr(module, name)) or "").lower()
        if len(text) > 200:
            # The name of the part would give the answer away.
            texts.append(re.sub(rf"scipy\S*|{part}|[^a-z]+", " ", text))
            parts.append(part)
            names.append(name)
y = np.array(parts)
vectorizer = CountVectorizer(min_df=2)
X = vectorizer.fit_transform(texts)
print(f"{X.shape[0]} texts, {X.shape[1]} words")
print(dict(Counter(parts)))

# %%
# How much smoothing
# ------------------
#
# Five-fold cross-validation for each :math:`\alpha`, from almost no smoothing
# to 100 added occurrences of each word.

alphas = np.logspace(-6, 2, 9)
classes, codes = np.unique(y, return_inverse=True)
folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
error, loss = {}, {}
for model in (BernoulliNaiveBayes(), MultinomialNaiveBayes()):
    name = type(model).__name__.removesuffix("NaiveBayes")
    error[name], loss[name] = [], []
    for alpha in alphas:
        said = np.empty((len(y), len(classes)))
        for train, test in folds:
            said[test] = (
                model.set_params(alpha=alpha)
                .fit(X[train], y[train])
                .predict_proba(X[test])
            )
        error[name].append(100 * np.mean(said.argmax(axis=1) != codes))
        loss[name].append(log_loss(codes, said))

figure, axes = plt.subplots(1, 2, figsize=(7.0, 3.4), layout="constrained")
for ax, values, label in zip(
    axes, (error, loss), ("error, %", "log loss"), strict=True
):
    ax.plot(
        alphas, values["Bernoulli"], "o-", color="#0072B2", label="Bernoulli"
    )
    ax.plot(
        alphas,
        values["Multinomial"],
        "^--",
        color="#D55E00",
        label="multinomial",
    )
    ax.axvline(1.0, color="grey", linestyle=":")
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="α added to each count",
        ylabel=label,
    )
axes[0].set_title("Error")
axes[1].set_title("Log loss (dotted: Laplace, α = 1)")
axes[0].legend(frameon=False)
plt.show()

# %%
# Words that decide
# -----------------
#
# The multinomial model is a sum over the words of a text, so that each word
# has its contribution to the log odds of the most probable part against the
# next. The text is the docstring of ``scipy.ndimage.median``.

counts = pd.DataFrame(X.toarray(), columns=vectorizer.get_feature_names_out())
model = MultinomialNaiveBayes(alpha=0.1).fit(counts, y)
shown = counts.iloc[[names.index("median")]]
words = ContributionsDisplay.from_estimator(model, shown, max_features=10)
plt.show()

# %%
# Conclusion
# ----------
#
# The multinomial model has the lower error and the lower log loss for every
# :math:`\alpha`: in these texts it is worth knowing how often a word occurs.
# Smoothing matters for the probabilities. The log loss of the multinomial
# model is lowest for some :math:`\alpha` from 0.1 to 10, higher with almost no
# smoothing, and much higher with too much of it. Laplace's :math:`\alpha = 1`
# is near the best for the multinomial model, and too much for the Bernoulli
# model. A word counts each time that it occurs, as if the occurrences were
# independent. So a repeated word can outweigh all others, and the log odds of
# a long text become very large. The values depend on the version of SciPy,
# whose texts these are.
