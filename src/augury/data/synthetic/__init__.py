"""Data sets that are defined by formulas, whose true structure is known.

- `make_corral`: (A0 and A1) or (B0 and B1), and a column that is correlated with the class
- `make_m_of_n`: at least m of n bits are one
- `make_monks`: the three MONK's problems about robots
- `make_many_labels`: columns with almost as many labels as rows
- `make_waveform`: three classes of noisy waves, numeric
- `make_normal_classes`: classes with multivariate normal distributions
- `make_poisson_classes`: classes with independent Poisson columns
- `sample_network`: rows of a given Bayesian network classifier
- `make_random_network`: a Bayesian network classifier with random dependences
- `NetworkTables`: the probabilities of such a network

All functions except `make_random_network` return a `Dataset`. With the same integer
`random_state` they return the same rows. `Dataset.source` is the function call.
"""

from augury.data.synthetic.class_samples import make_normal_classes, make_poisson_classes
from augury.data.synthetic.concepts import make_corral, make_m_of_n, make_monks
from augury.data.synthetic.many_labels import make_many_labels
from augury.data.synthetic.network import NetworkTables, make_random_network, sample_network
from augury.data.synthetic.waveform import make_waveform

__all__ = [
    "NetworkTables",
    "make_corral",
    "make_m_of_n",
    "make_many_labels",
    "make_monks",
    "make_normal_classes",
    "make_poisson_classes",
    "make_random_network",
    "make_waveform",
    "sample_network",
]
