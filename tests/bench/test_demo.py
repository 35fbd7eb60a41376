from augury.bench import run_demo, summary_table
from augury.bench.demo import DATASETS, demo_models
from augury.evaluate import Summary


def test_every_model_on_every_set_beats_guessing() -> None:
    summaries = run_demo()
    assert [(s.dataset, s.model) for s in summaries] == [
        (dataset, model) for dataset in DATASETS for model in demo_models()
    ]
    assert {s.protocol for s in summaries} == {"honest"}
    assert min(s.accuracy_mean for s in summaries) > 70


def test_table() -> None:
    summary = Summary("iris", "NB", "honest", 10, 94.4667, 5.6102, 0.21049, 0.1, 0.0123, 0.001)
    assert summary_table([summary]).splitlines()[-1].split() == [
        "iris", "NB", "94.47", "±", "5.61", "0.210", "12.3",
    ]  # fmt: skip
