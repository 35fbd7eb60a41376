"""Data sets that are defined by formulas, so the truth about them is known.

- `make_corral`: (A0 and A1) or (B0 and B1), with a column that only looks useful
- `make_m_of_n`: at least m of n bits are one
- `make_monks`: the three MONK's problems about robots
- `make_waveform`: three classes of noisy waves, numeric
- `sample_network`: rows of a given Bayesian network classifier
- `make_random_network`: such a network with random dependences; `NetworkTables`

All return a `Dataset`, but for `make_random_network`. With the same `random_state` (an
integer) they return the same rows; `Dataset.source` tells how they were made.
"""

from augury.data.synthetic.concepts import make_corral, make_m_of_n, make_monks
from augury.data.synthetic.network import NetworkTables, make_random_network, sample_network
from augury.data.synthetic.waveform import make_waveform

__all__ = [
    "NetworkTables",
    "make_corral",
    "make_m_of_n",
    "make_monks",
    "make_random_network",
    "make_waveform",
    "sample_network",
]
