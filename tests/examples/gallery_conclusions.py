"""What the scripts of the gallery conclude, as assertions about their variables."""

from collections.abc import Callable
from typing import Any

import numpy as np

Names = dict[str, Any]


def discriminant_boundaries(names: Names) -> None:
    error = names["error"]
    assert min(error, key=error.get) == "QDA"
    lda, rda, qda = (curve.means for curve in names["curves"])
    assert (lda[:2] < qda[:2]).all()
    assert (lda[2:] > qda[2:]).all()
    assert (rda < np.minimum(lda, qda) + 0.5).all()


def event_models(names: Names) -> None:
    for values in (names["error"], names["loss"]):
        assert (np.array(values["Multinomial"]) < np.array(values["Bernoulli"])).all()
    loss = np.array(names["loss"]["Multinomial"])
    assert 0.09 < names["alphas"][loss.argmin()] < 11
    assert loss[-1] > 4 * loss.min()
    assert loss[0] > 1.2 * loss.min()
    bernoulli = names["loss"]["Bernoulli"]
    assert bernoulli[6] > 1.3 * min(bernoulli)
    assert loss[6] < 1.5 * loss.min()
    words = names["words"]
    assert words.explanation.predicted == "ndimage"
    assert words.explanation.log_odds > 100
    assert max(words.values_) > 0.2 * words.explanation.log_odds


def hidden_naive_bayes(names: Names) -> None:
    weights = names["weights"]
    for i, j in ((0, 1), (1, 0), (2, 3), (3, 2)):
        assert weights[i].argmax() == j
        assert weights[i, j] > 0.5
    totals = names["model"].weights_.sum(axis=1)
    assert totals[4:].max() < 0.1 * totals[:4].min()
    naive, hidden = (curve.means for curve in names["curves"])
    assert hidden[3] < 1
    assert naive.min() > 10


def mdl_cut_points(names: Names) -> None:
    n_cuts, is_noise = names["n_cuts"], names["is_noise"]
    assert (n_cuts[~is_noise] > 0).all()
    assert (n_cuts[is_noise] == 0).all()
    mdl, frequency, width = (curve.means for curve in names["curves"])
    assert (2 * mdl < np.minimum(frequency, width)).all()


def naive_bayes_densities(names: Names) -> None:
    normal, kernel, intervals = names["found"].values()
    for other in (kernel, intervals):
        assert other.accuracy_mean > normal.accuracy_mean
        assert other.log_loss_mean < normal.log_loss_mean


def network_search(names: Names) -> None:
    parents = {name: names["models"][name].structure_.parents for name in ("LL", "aCLL")}
    joined = {
        name: {(i, j) for i, above in enumerate(found) for j in above}
        for name, found in parents.items()
    }
    for name, column in (("LL", 0), ("aCLL", 1)):
        assert sum(column in edge for edge in joined[name]) >= 6
    accuracy = names["accuracy"]
    assert accuracy["naive Bayes"] < 60
    for name in ("aCLL", "CLL", "LL, two parents"):
        assert accuracy[name] > max(accuracy["TAN"], accuracy["LL"]) + 10


def ng_and_jordan(names: Names) -> None:
    naive, bare, penalised = (curve.means for curve in names["of_network"])
    assert (naive[:3] < bare[:3]).all()
    assert (naive[4:] > bare[4:]).all()
    assert (penalised < naive + 1).all()
    assert penalised[-1] < naive[-1] - 1
    naive, bare, penalised = (curve.means for curve in names["of_digits"])
    assert (bare[1:] >= naive[1:]).all()  # one size is a tie on some processors
    assert bare[1:].mean() > naive[1:].mean() + 2
    assert (penalised < naive + 1).all()
    assert penalised[-1] < naive[-1] - 1


def boosting_rounds(names: Names) -> None:
    weighted, sampled = names["bits"].accuracy.values()
    assert weighted[0] < 91
    assert weighted[-1] == sampled[-1] == 100
    assert np.argmax(weighted == 100) < np.argmax(sampled == 100)
    published, default, default_sampled = names["digits"].accuracy.values()
    assert np.mean(published < published[0]) > 0.5
    assert default[-1] > published[0] + 1
    assert default_sampled[-1] > published[0] + 1


def fair_fight(names: Names) -> None:
    loss = names["loss"]
    ratio = {
        hybrid: loss[hybrid] / loss[[hybrid.partition("-")[0], "LR"]].min(axis=1)
        for hybrid in ("NB-LR", "HNB-LR")
    }
    assert (ratio["HNB-LR"] < 1).sum() > len(loss) / 2
    assert ratio["HNB-LR"].idxmax() == "waveform-21"
    assert ratio["HNB-LR"].max() > 1.1
    assert (ratio["NB-LR"] < 1).any()
    assert ratio["NB-LR"].max() < 1.1


def feature_augmentation(names: Names) -> None:
    assert names["overlap"]["HNB-LR"] == 0 < names["overlap"]["NB-LR"]
    monks, cancer = (names["accuracy"][table] for table in ("MONK 1", "breast cancer"))
    assert monks["HNB-LR"] == monks["HNB"] == 100
    assert 70 < monks["LR"] < 80
    assert monks["NB-LR"] == monks["LR"]
    assert (cancer[["NB-LR", "HNB-LR"]] - cancer["LR"]).abs().max() < 1


def flagship_parts(names: Names) -> None:
    for model in names["models"].values():
        assert list(model.parts_)[model.weights_.argmax()] == "kernel"
    parts = names["models"]["waveform"].describe_parts()
    assert list(parts.index[parts["weight"] == 0]) == ["random cuts"]
    waves, cancer = (names["losses"][table] for table in ("waveform", "breast cancer"))
    assert waves["pool"] < 1.05 * min(waves.values())
    assert cancer["kernel"] < cancer["pool"] < 0.8 * cancer["trees"]
    errors = [names[name].bins.expected_calibration_error for name in ("of_pool", "of_naive")]
    assert 3 * errors[0] < errors[1]


def nomogram(names: Names) -> None:
    def span(display: str, column: str) -> float:
        [found] = [c for c in names[display].nomogram.columns if c.name == column]
        return float(found.largest - found.smallest)

    assert span("of_naive", "species") < 0.1 * span("of_naive", "body_mass_g")
    assert span("of_regression", "species") > 0.15 * span("of_regression", "body_mass_g")
    [mass] = [c for c in names["of_naive"].nomogram.columns if c.name == "body_mass_g"]
    steps = np.diff([label.log_odds for label in mass.labels if label.label != "missing"])
    assert (steps > 0).any()
    assert (steps < 0).any()
    for column in names["of_regression"].nomogram.columns:
        assert all(piece.slope > 0 for piece in column.pieces)
    accuracy = names["accuracy"]
    assert accuracy["LogisticRegression"] > accuracy["NaiveBayes"] + 3


def one_prediction(names: Names) -> None:
    parts = {
        name: {column: part for column, _, part in display.explanation.contributions}
        for name, display in names["displays"].items()
    }
    for found in parts.values():
        assert max(found, key=found.get) == "bill_depth_mm"  # type: ignore[arg-type]
        assert min(found, key=found.get) == "body_mass_g"  # type: ignore[arg-type]
    lengths = [parts[name]["bill_length_mm"] for name in ("flagship", "logistic regression")]
    assert lengths[0] < lengths[1] < 0
    log_odds = {name: display.explanation.log_odds for name, display in names["displays"].items()}
    assert log_odds["flagship"] < 0 < log_odds["logistic regression"] < 1
    assert names["y_test"].iloc[27] == "female"
    assert abs(names["difference"]).max() < 1e-9
    for increase in names["influence"].values():
        assert set(increase.nlargest(2).index) == {"bill_depth_mm", "body_mass_g"}
        assert increase[["island", "flipper_length_mm"]].max() < 0.1 * increase.max()


def calibration(names: Names) -> None:
    naive, isotonic, flagship = names["summary"].to_dict("records")
    assert naive["ECE"] > 3 * max(isotonic["ECE"], flagship["ECE"])
    assert isotonic["log loss"] < 0.6 * naive["log loss"]
    assert isotonic["error, %"] <= naive["error, %"]
    assert flagship["log loss"] < isotonic["log loss"]
    assert max(names["accuracy"]) - min(names["accuracy"]) < 1
    assert (np.diff(names["confidence"]) > 0).all()


def comparing_models(names: Names) -> None:
    groups, test = names["ranks"].groups_, names["test"]
    assert {"TAN", "HNB"} == set(sorted(test.models, key=test.rank_of)[:2])
    for good in ("TAN", "HNB"):
        assert any({good, "AODE"} <= set(group) for group in groups)
        assert not any({good, bad} <= set(group) for group in groups for bad in ("NB", "LR"))
    posterior = names["bayesian"].comparisons
    for other in ("NB", "LR", "AODE"):
        assert posterior["HNB", other].a_better > 0.85
    for pair in (("HNB", "TAN"), ("LR", "NB")):
        found = posterior[pair]
        assert max(found.a_better, found.equal, found.b_better) < 0.95
    assert max(names["one"].a_better, names["one"].b_better) < 0.95


def costs_and_thresholds(names: Names) -> None:
    found = names["found"]
    cost, accuracy = found["cost of 100 rows"], found["accuracy, %"]
    assert accuracy.idxmax() == cost.idxmax() == "probability 0.5"
    half, costs, weights = (
        found.loc[name] for name in ("probability 0.5", "costs", "balanced weights")
    )
    assert half["missed"] > half["found"]
    assert costs["found"] > 2 * half["found"]
    assert costs["accuracy, %"] < half["accuracy, %"] - 8
    assert abs(weights["found"] - costs["found"]) < 6
    assert weights["false alarms"] > costs["false alarms"]
    for name in ("best F1", "precision ≥ 0.4"):
        assert found.loc[name, "false alarms"] < 0.4 * costs["false alarms"]
        assert abs(cost[name] - cost["costs"]) < 2
    assert cost["costs"] < 1.15 * min(names["curve"])


def more_rows(names: Names) -> None:
    gain = names["gain"]
    for (table, model), (mean, error) in gain.items():
        if table == "digits":
            assert 0.5 < mean < 2
            assert mean > 2 * error
        elif model != "naive Bayes":
            assert mean < 2 * error
    mean_error = {
        (model, size): np.mean(
            [
                1 - row.accuracy
                for row in names["results"]
                if (row.dataset, row.model, row.n_train) == ("waveform", model, size)
            ]
        )
        for model, size in (("flagship", 75), ("naive Bayes", 1200))
    }
    assert mean_error["flagship", 75] < mean_error["naive Bayes", 1200]


def drift(names: Names) -> None:
    reports, accuracy = names["reports"], names["accuracy"]
    assert [factor for factor in names["factors"] if reports[factor].is_silent] == [1.0, 1.02, 1.05]
    changed = {*names["lengths"], "mean area"}
    for factor in (1.1, 1.15, 1.2):
        assert {finding.column for finding in reports[factor].drift} == changed
    assert accuracy[1.1] > 85 > 75 > accuracy[1.3]


def gaps_and_unseen_labels(names: Names) -> None:
    said = names["said"]["Adelie"]
    assert abs(said["as it is"] - said["unseen island"]) < 0.05
    shares = names["y_train"].value_counts(normalize=True)
    unknown = names["y_train"][names["X_train"]["sex"].isna()].value_counts(normalize=True)
    assert unknown["Gentoo"] > shares["Gentoo"]
    assert names["said"].loc["nothing known", "Gentoo"] > shares["Gentoo"] + 0.05
    for line in names["accuracy"].values():
        assert line[1] > 90
        assert line[-1] > names["most_common"]
        assert (np.diff(line) < 0).all()
    ignored, states = (
        names["accuracy"][f"naive Bayes, gaps {how}"] for how in ("ignored", "as states")
    )
    assert ignored[-1] > states[-1]


def pieces_and_dask(names: Names) -> None:
    naive, hidden = (np.array(line) for line in names["losses"].values())
    assert (hidden < naive).all()
    for line in (naive, hidden):
        assert line[-1] < line[0]
        assert line[0] - line[9] > 0.7 * (line[0] - line[-1])
    assert max(names["difference"].values()) < 1e-12


def saving_and_loading(names: Names) -> None:
    assert names["is_equal"]
    assert "damaged" in names["refusal"]
    sizes = names["sizes"]
    assert max(sizes, key=sizes.get) == "HybridClassifier"
    assert sizes["HybridClassifier"] < 1000
    assert max(sizes["NaiveBayes"], sizes["LogisticRegression"]) < 10
    assert sizes["HiddenNaiveBayes"] > 2 * sizes["TreeAugmentedNaiveBayes"]


# Script → the assertions.
CONCLUSIONS: dict[str, Callable[[Names], None]] = {
    f"{folder}/plot_{check.__name__}.py": check
    for folder, checks in {
        "models": (
            discriminant_boundaries,
            event_models,
            hidden_naive_bayes,
            mdl_cut_points,
            naive_bayes_densities,
            network_search,
            ng_and_jordan,
        ),
        "hybrids": (boosting_rounds, fair_fight, feature_augmentation, flagship_parts),
        "explanation": (nomogram, one_prediction),
        "evaluation": (calibration, comparing_models, costs_and_thresholds, more_rows),
        "practice": (drift, gaps_and_unseen_labels, pieces_and_dask, saving_and_loading),
    }.items()
    for check in checks
}
