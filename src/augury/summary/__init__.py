"""All that a report shows, computed from a store: plain numbers and text, as JSON can hold them.

`summarize_store` returns a dict; lists over models or data sets are in the order of the store:

| key | value |
|---|---|
| `format`, `title`, `created`, `augury` | 1; text; ISO time; version |
| `experiment` | `protocol`, `folds`, `repeats`, `seed`, `reference` |
| `warnings` | sentences that a reader must know |
| `environments`, `failures` | what was computed with; folds that raised an error |
| `models` | `name`, `class`, `parameters`, `steps_before`, `family`, `has_probabilities` |
| `datasets` | `name`, sizes, `classes`, `class_counts`, `source`, `dropped`, `checksum`, … |
| `measures`, `alpha` | `key`, `title`, `unit`, `decimals`, `higher_is_better`; level of all tests |
| `shared` | data sets of which all compared models have all folds |
| `cells` | measure → [data set][model] → `mean`, `std`, `n` |
| `marks` | measure → [reference][data set] → text, a character for each model: `+-=.` |
| `win_tie_loss` | measure → [reference][model] → [wins, ties, losses] |
| `averages` | measure → [model] → `mean`, `rank`, over `shared` |
| `wilcoxon`, `friedman` | measure → tests over `shared`; None of fewer than five sets |
| `leaderboard` | a line for each model, by rank in accuracy |
| `bias_variance` | [data set][model] and averages, two definitions; None of one run |
| `reliability` | [model] → `bins`, `ece`, pooled over `shared` |
| `reliability_by_dataset` | [data set][model] → `bins`, `ece` |
| `confusion` | [data set][model] → [true][predicted], mean rows of a run |
| `learning_curves` | `dataset`, `measure`, `sizes`, `curves` |
| `portraits` | [data set] → model → `svg`, `text`, `influence`, `influence_unit`, `notes`, … |

A store that says which models and data sets its experiment is about, as that of `augury
compare` does, is limited to these.

Of a model inside a Pipeline or another wrapper `class`, `parameters` and `family` are those of
the innermost one; `steps_before` describes the rest.

The mark `+` is better than the reference, `-` worse, `=` neither, `.` not compared. What
cannot be told is None. Models that have less than half of the data sets are in no average
or test over data sets, else they would take the sets from all others.
"""

from augury.summary.summarize import summarize_store, write_summary

__all__ = ["summarize_store", "write_summary"]
