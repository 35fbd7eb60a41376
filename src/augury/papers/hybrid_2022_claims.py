"""Hybrids by feature augmentation (2022): what it concludes from Tables 2, 3 and 6.

The marks of the cells are in `hybrid_2022.csv`. Its t-test is Nadeau and Bengio's (its
reference 22), its bias and variance are Webb's (24); KEEL did the signed ranks of Tables 4, 5
and 7, where ○ stands for "the row is better" and ● for "the column is".
"""

from importlib.resources import files

from augury.reproduce.paper import read_cells
from augury.reproduce.printed_conclusions import PaperClaims, PrintedChange, PrintedSquare

_TABLE_2 = ("NB-LR", "NB", "LR", "NB-NB", "LR-NB", "LR-LR", "HBayes-NB")
_TABLE_6 = ("HNB-LR", "HNB", "LR", "SVM", "KNN", "C4.5")

CLAIMS = PaperClaims(
    win_tie_loss={
        "2": {
            "NB": (14, 22, 0),
            "LR": (12, 24, 0),
            "NB-NB": (17, 19, 0),
            "LR-NB": (13, 23, 0),
            "LR-LR": (10, 26, 0),
            "HBayes-NB": (11, 25, 0),
        },
        "6": {
            "HNB": (7, 29, 0),
            "LR": (12, 24, 0),
            "SVM": (10, 25, 1),
            "KNN": (11, 24, 1),
            "C4.5": (13, 21, 2),
        },
    },
    squares=(
        PrintedSquare(
            "4",
            "accuracy",
            _TABLE_2,
            (".rrrrrr", "c.....c", "c...ccc", "c...c.c", "c..r...", "c.r....", "cr.r..."),
        ),
        PrintedSquare(
            "5",
            "fit_seconds",
            _TABLE_2,
            (".ccccrr", "r.rrrrr", "rc.ccrr", "rcr.rrr", "rccc.rr", "ccccc.r", "cccccc."),
        ),
        PrintedSquare(
            "7",
            "accuracy",
            _TABLE_6,
            (".rrrrr", "c.rrrr", "cc....", "cc....", "cc....", "cc...."),
        ),
    ),
    seconds=read_cells(files("augury.papers") / "hybrid_2022_seconds.csv"),
    seconds_reference="LR",
    changes=(
        PrintedChange("3", "NB-LR", "NB", 31, 12),
        PrintedChange("4", "NB-LR", "LR", 26, 23),
        PrintedChange("5", "HNB-LR", "HNB"),
        PrintedChange("6", "HNB-LR", "LR"),
    ),
)

__all__ = ["CLAIMS"]
