"""Networks that pyAgrum reads, writes and infers from, beside ours."""

import warnings

import numpy as np
import pandas as pd
import pytest

from augury.interchange import (
    from_pyagrum,
    read_bif,
    read_xmlbif,
    to_pyagrum,
    write_bif,
    write_xmlbif,
)
from tests.interchange.networks.odd_rows import MODELS, fit, make_rows

# The types of pyAgrum have no `__module__`. Python warns of that, and if the warning is an error,
# the process ends.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyagrum

X, Y, T = make_rows()


def posterior(network, target, evidence):
    """Return p(target | evidence), by pyAgrum; the evidence maps names to positions of states."""
    engine = pyagrum.LazyPropagation(network)
    engine.setEvidence(evidence)
    engine.addTarget(target)
    engine.makeInference()
    return engine.posterior(target).toarray()


def complete_rows(model, frame=X, n=6):
    """Return rows in which each column has a state, and the codes of these states."""
    codes = model.encoder_.transform(frame).codes
    rows = np.flatnonzero((codes < model.encoder_.n_states_).all(axis=1))[:n]
    return frame.iloc[rows], codes[rows].astype(int)


@pytest.mark.parametrize("name", MODELS)
def test_objects_have_our_class_probabilities(name):
    model = fit(name, X, Y)
    network = to_pyagrum(model, target="c")
    rows, codes = complete_rows(model)
    assert len(rows) == 6
    found = [
        posterior(network, "c", dict(zip(model.encoder_.table_names_, row, strict=True)))
        for row in codes.tolist()
    ]
    np.testing.assert_allclose(found, model.predict_proba(rows), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_objects_become_equal_models(name):
    model = fit(name, X, Y)
    given = from_pyagrum(to_pyagrum(model))
    for rows in (X, T):
        np.testing.assert_allclose(
            given.predict_proba(rows), model.predict_proba(rows), rtol=0, atol=1e-13
        )


@pytest.mark.parametrize(
    ("write", "ending", "tolerance"),
    # pyAgrum's reader of BIF keeps 32 bits of a number, and refuses nodes of one state, such as
    # a number without cut points.
    [(write_bif, "bif", 1e-6), (write_xmlbif, "bifxml", 1e-9)],
)
@pytest.mark.parametrize("name", ["nb", "tan", "kdb", "acll"])
def test_pyagrum_reads_our_files(name, write, ending, tolerance, tmp_path):
    frame = X.drop(columns="rain (mm)") if ending == "bif" else X
    model = fit(name, frame, Y)
    path = tmp_path / f"net.{ending}"
    write(model, path)
    network = pyagrum.loadBN(str(path))
    rows, codes = complete_rows(model, frame)
    # Names may be replaced; the order of nodes and states is ours.
    names = [network.variable(k).name() for k in sorted(network.nodes())]
    assert [network.variable(name).domainSize() for name in names] == [
        len(model.classes_),
        *model.encoder_.n_states_.tolist(),
    ]
    found = [
        posterior(network, names[0], dict(zip(names[1:], row, strict=True)))
        for row in codes.tolist()
    ]
    np.testing.assert_allclose(found, model.predict_proba(rows), rtol=0, atol=tolerance)


def random_network(seed):
    pyagrum.initRandom(seed)
    return pyagrum.randomBN(n=9, ratio_arc=1.6, domain_size=3)


def frame_of(network, target, rng, n_rows, share_known):
    """Return rows of labels, some of them missing, and the evidence of each row."""
    names = [network.variable(k).name() for k in sorted(network.nodes())]
    columns = [name for name in names if name != target]
    rows, evidence = [], []
    for _ in range(n_rows):
        known = {
            name: int(rng.integers(network.variable(name).domainSize()))
            for name in columns
            if rng.random() < share_known
        }
        labels = {
            name: network.variable(name).labels()[known[name]] if name in known else None
            for name in columns
        }
        rows.append({name: None if v is None else int(v) for name, v in labels.items()})
        evidence.append(known)
    return pd.DataFrame(rows, columns=columns, dtype=object), evidence


@pytest.mark.parametrize("share_known", [0.0, 0.4, 0.8, 1.0])
@pytest.mark.parametrize("seed", range(1, 5))
def test_missing_values_are_summed_over_as_pyagrum_does(seed, share_known):
    network = random_network(seed)
    rng = np.random.default_rng(seed)
    target = network.variable(int(rng.integers(9))).name()
    model = from_pyagrum(network, target=target)
    frame, evidence = frame_of(network, target, rng, 8, share_known)
    found = [posterior(network, target, known) for known in evidence]
    np.testing.assert_allclose(model.predict_proba(frame), found, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("ending", "read", "tolerance"),
    # pyAgrum writes 32 bits of a number into BIF, and six digits into XMLBIF.
    [("bif", read_bif, 1e-6), ("bifxml", read_xmlbif, 1e-4)],
)
def test_we_read_the_files_of_pyagrum(ending, read, tolerance, tmp_path):
    network = random_network(7)
    path = tmp_path / f"random.{ending}"
    pyagrum.saveBN(network, str(path))
    target = network.variable(4).name()
    ours, theirs = read(path, target=target), from_pyagrum(network, target=target)
    frame, _ = frame_of(network, target, np.random.default_rng(3), 30, 0.7)
    np.testing.assert_allclose(
        ours.predict_proba(frame), theirs.predict_proba(frame), rtol=0, atol=tolerance
    )
