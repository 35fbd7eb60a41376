"""The two lecture notes: their pictures, worked examples and formulas.

"notes" are those of JerryLead (2011), after Ng's course CS229; "lecture" is L17-B of Wang et al.
Neither prints a table of results. `augury reproduce notes` evaluates the printed formulas by
NumPy and compares them with the models; `--figures DIR` draws the pictures, on data made as the
notes describe and on iris.

- The lecture's Eq. 15 prints -log π_k where the term -½ log |Σ_k| belongs; ours has that term.
- The notes print φ_{i|y=0} = p(x_i = 0 | y = 1) in section 3; the estimate that follows, and ours,
  are those of p(x_i = 1 | y = 0).
- The notes print the vocabulary of section 3 as 5000 words and 50000 in the formula after it.
"""

from augury.papers.notes.examples import EXAMPLES
from augury.papers.notes.figures import FIGURES, IRIS
from augury.reproduce.paper import Paper

PAPER = Paper(
    name="notes",
    citation=(
        "JerryLead (2011): Discriminative models, generative models and naive Bayes (in Chinese); "
        "B. Wang et al.: Machine learning, lecture L17-B, Generative Bayes classifiers and linear "
        "discriminant analysis (in Chinese)"
    ),
    unprinted=(IRIS,),
    figures=FIGURES,
    examples=EXAMPLES,
)

__all__ = ["PAPER"]
