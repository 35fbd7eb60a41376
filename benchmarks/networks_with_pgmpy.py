"""Networks in files and objects, compared with pgmpy's readers, writers and inference.

    .venv/bin/pip install -c constraints.txt -r benchmarks/peers.txt
    .venv/bin/python benchmarks/networks_with_pgmpy.py [FOLDER]

FOLDER has BIF files, such as those of the bnlearn repository, which pgmpy 0.1.26 has in its wheel
(pgmpy/utils/example_models). The largest difference of class probabilities is printed for each
comparison; the script fails if one is above 1e-9.
"""

import logging
import re
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from pgmpy.inference import VariableElimination  # noqa: E402
from pgmpy.readwrite import BIFReader, BIFWriter, XMLBIFReader, XMLBIFWriter  # noqa: E402

from augury.generative import (  # noqa: E402
    BayesianNetworkClassifier,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.interchange import (  # noqa: E402
    from_pgmpy,
    read_bif,
    read_xmlbif,
    to_pgmpy,
    write_bif,
    write_xmlbif,
)

TOLERANCE = 1e-9
_PLAIN = {"sky": ["sun", "rain", "fog"], "wind": ["low", "high"], "day": ["1", "2", "3"]}


def main(folder: str | None = None) -> None:
    worst = max([*compare_models(), *(compare_files(Path(folder)) if folder else [])])
    print(f"largest difference {worst:.1e}")
    sys.exit(worst > TOLERANCE)


def compare_models() -> list[float]:
    """Return the differences of fitted models: files and objects that pgmpy reads, and back."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.choice(labels, 300) for name, labels in _PLAIN.items()})
    frame["heat (°C)"] = rng.normal(size=300)
    y = np.where((frame["sky"] == "sun") ^ (frame["heat (°C)"] > 0), "walk; far", "stay")
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        for model in (
            NaiveBayes(),
            TreeAugmentedNaiveBayes(),
            KDependenceBayes(),
            BayesianNetworkClassifier(structure_score="ll"),
            BayesianNetworkClassifier(structure_score="acll"),
        ):
            model.fit(frame, y)
            path = Path(temporary, "net")
            write_bif(model, path)
            networks = {"BIF": BIFReader(str(path)).get_model()}
            write_xmlbif(model, path)
            networks["XMLBIF"] = XMLBIFReader(str(path)).get_model()
            networks["object"] = to_pgmpy(model)
            rows = frame.iloc[:20]
            codes = model.encoder_.transform(rows).codes.astype(int)
            for form, network in networks.items():
                theirs = posteriors(network, codes)
                difference = float(np.abs(theirs - model.predict_proba(rows)).max())
                print(f"{type(model).__name__:26} {form:7} {difference:.1e}")
                found.append(difference)
            back = from_pgmpy(networks["object"])
            found.append(
                float(np.abs(back.predict_proba(frame) - model.predict_proba(frame)).max())
            )
    return found


def posteriors(network: object, codes: np.ndarray) -> np.ndarray:
    """Return p(class | row) by pgmpy."""
    names, target = list(network.nodes()), "class"
    states = {name: network.get_cpds(name).state_names[name] for name in names}
    engine = VariableElimination(network)
    # The readers of pgmpy change the order of the nodes, and BIF their names.
    columns = sorted({*names} - {target}, key=lambda name: _POSITION[name[:3]])
    rows = []
    for row in codes:
        evidence = {n: states[n][k] for n, k in zip(columns, row, strict=True)}
        factor = engine.query([target], evidence=evidence, show_progress=False)
        values = dict(zip(factor.state_names[target], factor.values, strict=True))
        rows.append([values[s] for s in states[target]])
    return np.array(rows)


_POSITION = {"sky": 0, "win": 1, "day": 2, "hea": 3}


def compare_files(folder: Path) -> list[float]:
    """Return the differences of published networks, with and without missing values."""
    found = []
    for path in sorted(folder.glob("*.bif")):
        if path.stat().st_size > 200_000:  # pgmpy takes minutes to read them
            continue
        network = BIFReader(str(path)).get_model()
        for cpd in network.get_cpds():
            cpd.normalize()  # we do; without it hepar2, rounded to seven digits, differs by 2e-8
        names = list(network.nodes())
        rng = np.random.default_rng(1)
        target = max(names, key=lambda name: len(network.get_markov_blanket(name)))
        start = time.process_time()
        ours = read_bif(path, target=target)
        seconds = time.process_time() - start
        frame, evidence = random_rows(network, names, target, rng)
        theirs = by_pgmpy(network, target, evidence)
        models = [ours]
        with tempfile.TemporaryDirectory() as temporary:
            again = Path(temporary, "net")
            write_bif(ours, again)
            models.append(read_bif(again))
            BIFWriter(network).write(str(again))
            models.append(read_bif(again, target=target))
            if has_plain_states(network):
                XMLBIFWriter(network).write_xmlbif(str(again))
                models.append(read_xmlbif(again, target=target))
        models.append(from_pgmpy(network, target=target))
        # The writers of pgmpy sort the nodes.
        predicted = [model.predict_proba(frame[model.feature_names_in_]) for model in models]
        worst = float(max(np.abs(each - theirs).max() for each in predicted))
        print(f"{path.stem:12} {len(names):4} nodes, read in {seconds:.2f} s  {worst:.1e}")
        found.append(worst)
    return found


def has_plain_states(network: object) -> bool:
    """Return whether pgmpy's writer of XMLBIF keeps the states: "<7.5" becomes "_7_5"."""
    states = [s for cpd in network.get_cpds() for s in cpd.state_names[cpd.variable]]
    return all(re.fullmatch(r"[A-Za-z]\w*", str(state)) for state in states)


def random_rows(
    network: object, names: list[str], target: str, rng: np.random.Generator
) -> tuple[pd.DataFrame, list[dict[str, str]]]:
    """Return rows that the network simulates, with a third of the values missing."""
    rows = network.simulate(6, seed=int(rng.integers(1000)), show_progress=False)
    columns = [name for name in names if name != target]
    frame = rows[columns].astype(object)
    frame = frame.where(rng.random(frame.shape) > 1 / 3, None)
    evidence = [
        {name: value for name, value in row.items() if value is not None}
        for row in frame.to_dict("records")
    ]
    for name in columns:
        labels = network.get_cpds(name).state_names[name]
        if all(str(label).lstrip("-").isdigit() for label in labels):
            frame[name] = [None if v is None else int(v) for v in frame[name]]
    return frame.astype(object), evidence


def by_pgmpy(network: object, target: str, evidence: list[dict[str, str]]) -> np.ndarray:
    engine = VariableElimination(network)
    labels = sorted(network.get_cpds(target).state_names[target])
    rows = []
    for known in evidence:
        factor = engine.query([target], evidence=known, show_progress=False)
        values = dict(zip(factor.state_names[target], factor.values, strict=True))
        rows.append([values[label] for label in labels])
    return np.array(rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
