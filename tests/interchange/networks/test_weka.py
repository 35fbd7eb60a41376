"""A file that WEKA wrote, and the class probabilities that WEKA computes from the same network.

WEKA 3.9.7 learned TAN (SimpleEstimator -A 0.5) from the 14 days of weather.nominal.arff, in which
the temperature is named 'air & heat'. weka_weather.xml is `BayesNet.toXMLBIF03`, and
weka_weather.tsv has the days with `distributionForInstance`.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from augury.interchange import read_xmlbif

FOLDER = Path(__file__).parent


def test_the_network_that_weka_wrote_predicts_as_weka_does():
    model = read_xmlbif(FOLDER / "weka_weather.xml", target="play")
    days = pd.read_csv(FOLDER / "weka_weather.tsv", sep="\t", dtype={"windy": str})
    found = model.predict_proba(days[model.feature_names_in_])
    np.testing.assert_allclose(found, days[model.classes_], rtol=0, atol=1e-12)
