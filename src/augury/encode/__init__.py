"""Frames become tables of integer codes: states, missing values, unseen labels, cut points."""

from augury.encode.columns import row_blocks, slice_rows, take_rows
from augury.encode.discretizers.binning import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from augury.encode.discretizers.mdl import MDLDiscretizer
from augury.encode.encoder import TableEncoder
from augury.encode.matrix import NumberMatrix, number_matrix
from augury.encode.table import INFREQUENT, MISSING, CategoricalTable
from augury.encode.target import (
    code_known_classes,
    declares_classes,
    encode_target,
    require_two_classes,
)
from augury.encode.tidy_columns import ColumnDecision, TidyColumns
from augury.encode.word_indices import WordIndices

__all__ = [
    "INFREQUENT",
    "MISSING",
    "CategoricalTable",
    "ColumnDecision",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLDiscretizer",
    "NumberMatrix",
    "TableEncoder",
    "TidyColumns",
    "WordIndices",
    "code_known_classes",
    "declares_classes",
    "encode_target",
    "number_matrix",
    "require_two_classes",
    "row_blocks",
    "slice_rows",
    "take_rows",
]
