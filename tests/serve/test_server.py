"""`augury serve` in a process of its own, asked over sockets."""

import signal

import pytest

from tests.serve.served import make_table, row_of, save_named, serving


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("served") / "days.augury"
    return path, save_named("nb", path)


@pytest.fixture(scope="module")
def server(saved):
    with serving(saved[0]) as running:
        yield running


def test_a_row_is_predicted_as_by_the_model(server, saved):
    X = make_table().X
    status, answer = server.predict({"row": row_of(X, 3)})
    assert status == 200
    expected = saved[1].model.predict_proba(X.iloc[[3]])[0]
    assert list(answer["probabilities"]) == ["in", "out", "stay"]
    assert list(answer["probabilities"].values()) == pytest.approx(expected.tolist(), abs=1e-9)
    assert answer["predicted"] == saved[1].model.predict(X.iloc[[3]])[0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server(saved, number):
    with serving(saved[0]) as running:
        assert running.request("GET", "/health")[0] == 200
        code, output, errors = running.stop(number)
    assert (code, errors) == (0, "")
    assert "ended" in output
