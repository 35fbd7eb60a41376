"""The rule of the verdict, on folds whose numbers are made by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from augury.comparison.verdict import Candidate, Question, judge
from augury.evaluate import MEASURES, MeasureChoice, choose_measure, corrected_t_test
from augury.experiments.measured_folds import MeasuredFold
from augury.json_fields import from_json, to_json
from augury.summary.contents import Verdict

# Four folds of 90 training and 10 test rows.
LEVEL = (0.9, 0.8, 0.9, 0.8)


def candidate(
    name: str,
    accuracies: Sequence[float],
    *,
    tier: int = 3,
    role: str = "model",
    losses: Sequence[float] | None = None,
) -> Candidate:
    losses = [0.5] * len(accuracies) if losses is None else losses
    folds = [
        MeasuredFold(
            "t", name, "honest", 1, number, 90, 10,
            {"accuracy": right, "log_loss": loss, "brier": 0.1},
        )
        for number, (right, loss) in enumerate(zip(accuracies, losses, strict=True), 1)
    ]  # fmt: skip
    return Candidate(name, role, tier, folds, 0.1, 0.01, {})


def question(measure: str | None = None) -> Question:
    choice = choose_measure([60, 40], ["no", "yes"])
    if measure is not None:
        choice = MeasureChoice(MEASURES[measure], choice.tie_breaker, "as asked for")
    return Question("t", "left", ["no", "yes"], np.array([60, 40]), choice)


def names(verdict: Verdict) -> list[str]:
    return [each.model for each in verdict.leaderboard]


def lower(values: Sequence[float], by: Sequence[float] | float) -> list[float]:
    return (np.array(values) - by).tolist()


class TestRecommendation:
    def test_the_simplest_within_one_standard_error_is_recommended(self) -> None:
        close = lower(LEVEL, [0.0, 0.02, 0.0, -0.01])
        verdict = judge(question(), [candidate("augury", LEVEL), candidate("lr", close, tier=0)])
        assert verdict.recommended == "lr"
        assert names(verdict) == ["augury", "lr"]
        assert "It is the simplest of the models within one standard error of augury." in (
            verdict.sentences
        )
        test = corrected_t_test(close, LEVEL, n_train=90, n_test=10)
        assert verdict.find("lr").p == pytest.approx(test.p, abs=1e-12)
        assert abs(test.t) <= 1

    def test_a_simpler_model_that_is_tied_but_further_away_is_not(self) -> None:
        away = lower(LEVEL, [0.02, 0.0, 0.03, 0.01])
        test = corrected_t_test(away, LEVEL, n_train=90, n_test=10)
        assert abs(test.t) > 1
        assert test.p > 0.05
        verdict = judge(question(), [candidate("augury", LEVEL), candidate("lr", away, tier=0)])
        assert verdict.recommended == "augury"
        assert verdict.tied == ("augury", "lr")
        assert "tied with lr (corrected t-test)" in verdict.text

    def test_a_simpler_model_with_a_worse_log_loss_is_not(self) -> None:
        worse = candidate("c45", LEVEL, tier=1, losses=[1.5, 1.6, 1.5, 1.6])
        verdict = judge(question(), [candidate("augury", LEVEL), worse])
        assert verdict.recommended == "augury"
        assert names(verdict) == ["augury", "c45"], "the lower log loss comes first"

    def test_a_significant_difference_is_no_tie(self) -> None:
        worse = candidate("lr", lower(LEVEL, [0.2, 0.21, 0.2, 0.19]), tier=0)
        verdict = judge(question(), [worse, candidate("augury", LEVEL)])
        assert verdict.recommended == "augury"
        assert verdict.tied == ("augury",)
        assert "tied with no other model" in verdict.text

    def test_a_yardstick_is_never_recommended(self) -> None:
        better = np.add(LEVEL, [0.1, 0.09, 0.1, 0.11]).tolist()
        forest = candidate("forest", better, role="yardstick")
        verdict = judge(question(), [candidate("augury", LEVEL), forest])
        assert verdict.recommended == "augury"
        assert names(verdict) == ["forest", "augury"]
        assert "forest (95.0 %) is better, but cannot be saved without pickle." in verdict.sentences

    def test_without_a_model_that_can_be_saved_there_is_none(self) -> None:
        verdict = judge(question(), [candidate("forest", LEVEL, role="yardstick")])
        assert verdict.recommended is None
        assert verdict.text.startswith("There is no model to use for left: forest cannot be saved.")
        assert judge(question(), []).text.startswith("No model completed a fold")


class TestWords:
    def test_without_scores_no_test_was_possible(self) -> None:
        missing = [math.nan] * 4
        verdict = judge(question(), [candidate("nb", missing), candidate("lr", missing)])
        assert verdict.tied == ("lr",)
        assert verdict.text.startswith("Use `lr` for left: unknown (log loss 0.500); no corrected")
        assert "t-test was possible: fewer than two folds have scores of two mod" in verdict.text
        assert "tied" not in verdict.text

    def test_models_without_a_test_are_named(self) -> None:
        one_fold = candidate("tan", LEVEL[:1])
        verdict = judge(question(), [candidate("nb", LEVEL), candidate("lr", LEVEL), one_fold])
        assert "tied with nb (corrected t-test); no test of tan was possible;" in verdict.text

    def test_the_first_sentence(self) -> None:
        guess = candidate("majority", [0.6, 0.6, 0.6, 0.6], role="baseline")
        verdict = judge(question(), [candidate("nb", LEVEL, tier=0), guess])
        # 85 % ± 3.18 · √((1/4 + 1/9) · 0.01/3): the standard deviation of the folds is 0.0577.
        margin = 3.182446 * math.sqrt((1 / 4 + 1 / 9) * 0.01 / 3)
        assert verdict.find("nb").margin == pytest.approx(margin, rel=1e-6)
        assert verdict.text == (
            f"Use `nb` for left: 85.0 % ± {100 * margin:.1f} (log loss 0.500); tied with no other "
            "model (corrected t-test); always guessing no would have 60.0 %."
        )
        assert verdict.baseline is not None
        assert verdict.baseline.is_beaten

    def test_a_model_that_does_not_beat_guessing_is_said_so(self) -> None:
        guess = candidate("majority", [0.8, 0.9, 0.8, 0.9], role="baseline")
        verdict = judge(question(), [candidate("nb", LEVEL, tier=0), guess])
        assert "It is not better than always guessing no by this test" in verdict.text

    def test_another_measure_is_named_with_its_reason(self) -> None:
        verdict = judge(question("log_loss"), [candidate("nb", LEVEL, losses=[0.3, 0.5, 0.4, 0.4])])
        assert verdict.text.startswith("Use `nb` for left: log loss 0.400 ± ")
        assert "(accuracy 85.0 %)" in verdict.text
        assert verdict.text.endswith("as asked for")

    def test_lower_is_better_for_a_loss(self) -> None:
        first = candidate("a", LEVEL, losses=[0.3, 0.3, 0.3, 0.3])
        second = candidate("b", LEVEL, losses=[0.6, 0.7, 0.6, 0.7])
        verdict = judge(question("log_loss"), [second, first])
        assert names(verdict) == ["a", "b"]
        assert verdict.recommended == "a"

    def test_many_ties_are_counted(self) -> None:
        others = [candidate(f"m{k}", LEVEL) for k in range(9)]
        text = judge(question(), others).text
        assert "tied with m1, m2, m3, m4, m5 and 3 more (corrected t-test)" in text


def test_one_fold_has_no_test_and_no_interval() -> None:
    verdict = judge(question(), [candidate("a", [0.9]), candidate("b", [0.8])])
    assert verdict.recommended == "a"
    assert verdict.find("b").p is None
    assert not verdict.find("b").is_tied
    assert verdict.find("a").margin is None
    assert "tied" not in verdict.text


def test_a_measure_without_values_comes_last_and_survives_json() -> None:
    nothing = candidate("svm", LEVEL, losses=[math.nan] * 4)
    verdict = judge(question("log_loss"), [nothing, candidate("nb", LEVEL)])
    assert names(verdict) == ["nb", "svm"]
    assert verdict.find("svm").score is None
    assert from_json(Verdict, to_json(verdict), "verdict") == verdict


class TestFolds:
    def test_a_model_with_fewer_folds_does_not_lead_by_its_mean(self) -> None:
        few = candidate("augury", (0.95, 0.86))  # two easy folds
        verdict = judge(question(), [few, candidate("lr", (0.94, 0.86, 0.5, 0.6), tier=0)])
        assert verdict.recommended == "lr"
        assert verdict.find("lr").p is None
        assert verdict.tied == ("augury", "lr")
        assert "augury has 2, lr has 4 folds: two models are compared on the folds" in verdict.text

    def test_it_leads_if_it_is_significantly_better_on_the_common_folds(self) -> None:
        many = candidate("lr", (0.90, 0.80, 0.90, 0.80, 0.99), tier=0)
        few = candidate("augury", (0.949, 0.851, 0.952, 0.848))
        verdict = judge(question(), [many, few])
        assert verdict.recommended == "augury"
        assert names(verdict) == ["augury", "lr"]

    def test_models_are_ordered_by_the_difference_on_the_common_folds(self) -> None:
        easy = candidate("c45", (0.93,) * 2)
        verdict = judge(question(), [easy, candidate("lr", (0.94, 0.94, 0.5, 0.5))])
        assert names(verdict) == ["lr", "c45"]

    def test_few_folds_are_stated(self) -> None:
        verdict = judge(question(), [candidate("a", (0.9, 0.8)), candidate("b", (0.8, 0.9))])
        assert "Each model has 2 folds only: small differences are not significant." in verdict.text


def test_a_leader_whose_probabilities_mislead_is_not_recommended() -> None:
    # The shares of the classes, 60 % and 40 %, have a log loss of 0.673.
    leader = candidate("c45", lower(LEVEL, -0.05), tier=1, losses=[2.0] * 4)
    tied = candidate("augury", lower(LEVEL, [0.1, -0.1, -0.05, 0.05]), losses=[0.4] * 4)
    worse = candidate("nb", lower(LEVEL, [0.3, 0.2, 0.3, 0.3]), tier=0, losses=[0.6] * 4)
    verdict = judge(question(), [leader, tied, worse])
    assert names(verdict)[0] == "c45"
    assert verdict.find("c45").p is None, "models are still compared with it"
    assert verdict.recommended == "augury"
    assert "It is the best of the models that are tied with c45." in verdict.sentences
    fault = "c45 has a log loss above that of the shares of the classes: its probabilities mislead."
    assert fault in verdict.sentences
    assert judge(question(), [leader, worse]).recommended == "c45", "no other is tied"
