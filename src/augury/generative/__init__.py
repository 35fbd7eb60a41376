"""Models of p(c, x), each estimated from statistics that add.

==============  =====================================  =================  ==============
model           assumes                                fit                predict a row
==============  =====================================  =================  ==============
`NaiveBayes`    columns independent given the class    one count of n·d   d·q look-ups
==============  =====================================  =================  ==============
"""

from augury.generative.averaged_one_dependence import AveragedOneDependence
from augury.generative.base import GenerativeClassifier
from augury.generative.hidden_naive_bayes import HiddenNaiveBayes
from augury.generative.naive_bayes import NaiveBayes

__all__ = ["AveragedOneDependence", "GenerativeClassifier", "HiddenNaiveBayes", "NaiveBayes"]
