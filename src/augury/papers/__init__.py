"""Published tables: one .py and one .csv for each paper."""

from augury.errors import UnknownNameError
from augury.papers import acll_bagging_2014, adaboost_nb, hybrid_2022
from augury.reproduce.paper import Paper

_ALL = (hybrid_2022.PAPER, acll_bagging_2014.PAPER, adaboost_nb.PAPER)
PAPERS = {paper.name: paper for paper in _ALL}


def find_paper(name: str) -> Paper:
    """Return the paper of this name.

    Examples
    --------
    >>> find_paper("hybrid-2022").datasets[:3]
    ['anneal.ORIG', 'anneal', 'audiology']
    """
    if name not in PAPERS:
        raise UnknownNameError(f"there is no paper {name!r}; known: {', '.join(PAPERS)}")
    return PAPERS[name]


__all__ = ["PAPERS", "find_paper"]
