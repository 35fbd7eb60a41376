"""Notations of numbers: columns that are read, columns that stay labels, and remarks."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from augury.encode import TidyColumns
from augury.encode.text_columns.numbers import NumberFormat, learn_format, parse_number

READ = {
    "$": (["$1,234.50", "$7", "($2.50)"], [1234.5, 7, -2.5]),
    "euro": (["1.234,50 €", "99,00 €", "€ 7"], [1234.5, 99, 7]),
    "whole euros": (["1.234 €", "12.500 €"], [1234, 12500]),
    "crowns": (["1 234,50 kr", "99 kr", "99,-"], [1234.5, 99, 99]),
    "codes": (["USD 1,200", "usd 3", "3 USD"], [1200, 3, 3]),
    "signs": (["-$5", "$-6", "+7"], [-5, -6, 7]),
    "pounds": (["£1.20", "£0.99"], [1.2, 0.99]),
    "francs": (["CHF 1'234.50", "CHF 99.-"], [1234.5, 99]),
    "percent": (["12.3%", "0", "-5 %"], [12.3, 0, -5]),
    "percent comma": (["12,5 %", "3,0 %"], [12.5, 3]),
    "thousands": (["1,234", "56", "1,234,567"], [1234, 56, 1234567]),
    "lakh": (["12,34,567", "9,999"], [1234567, 9999]),
    "blanks": (["1\u00a0234", "2\u202f345\u202f678", "12"], [1234, 2345678, 12]),
    "apostrophes": (["1'234.5", "1’234"], [1234.5, 1234]),
    "dots": (["1.234.567", "1.234"], [1234567, 1234]),
    "decimal comma": (["0,125", "1,250"], [0.125, 1.25]),
    "minus": (["\u22125", "3"], [-5, 3]),
    "powers": (["1e5", "2.5E-3"], [1e5, 0.0025]),
    "points": ([".5", "0.75"], [0.5, 0.75]),
}
LABELS = {
    "postal codes": ["02139", "10001"],
    "long postal codes": ["02139-1234", "10001"],
    "telephones": ["+47 123 456 789", "+47 222 333 444"],
    "bare telephones": ["123 456 789", "234 567 890"],
    "whole telephones": ["+4712345678", "+4787654321"],
    "dashed telephones": ["555-1234", "555-2345"],
    "versions": ["1.2.3", "1.10.4"],
    "addresses": ["192.168.100.200", "10.0.0.1"],
    "ranges": ["10-20", "20-30"],
    "dates": ["01.02.2024", "03.04.2024"],
    "ISO dates": ["2024-01-02", "2024-02-03"],
    "times": ["12:30", "1:15"],
    "identifiers": ["12345678901234567890", "2"],
    "books": ["978-3-16-148410-0", "5"],
    "grades": ["1", "2", "3", "A"],
    "two currencies": ["$5", "€6"],
    "two decimal marks": ["1,5", "1.5"],
    "percent and not": ["12%", "0.12"],
    "units": ["12cm", "13cm"],
    "missing only": ["-", "n/a"],
    "lists": ["1,2,3", "4,5,6"],
    "underscores": ["1_000", "2_000"],
    "infinite": ["inf", "1"],
}


@pytest.mark.parametrize("name", READ)
def test_notations_that_are_read(name: str) -> None:
    texts, numbers = READ[name]
    found = learn_format(Counter(texts))
    assert isinstance(found, NumberFormat), found
    assert [parse_number(text, found.code) for text in texts] == numbers


@pytest.mark.parametrize("name", LABELS)
def test_columns_that_stay_text(name: str) -> None:
    assert isinstance(learn_format(Counter(LABELS[name])), str)


@pytest.mark.parametrize(
    "word",
    ["-", "--", "n/a", "N/A", "missing", "Unknown", "?", "none", "NULL", ".", "nil", "#N/A", "–",
     "\u00a0", "#DIV/0!"],
)  # fmt: skip
def test_words_for_a_missing_value(word: str) -> None:
    found = learn_format({"1.5": 3, "2": 1, word: 2})
    assert isinstance(found, NumberFormat)
    assert found.notes[-1] == f"{word!r} read as missing, 2 values"
    number = parse_number(word, found.code)
    assert number is not None
    assert math.isnan(number)


def test_ambiguous_marks_are_reported() -> None:
    for texts, said in (
        (["1,234", "2,345"], "'1,234' is read as 1234"),
        (["1.234 €", "2.345 €"], "'1.234 €' is read as 1234"),
        (["1.234", "2.345", "-"], "'1.234' is read as 1.234"),
    ):
        found = learn_format(Counter(texts))
        assert isinstance(found, NumberFormat)
        assert said in found.notes
    for texts in (["1,234", "2,345.5"], ["1,234,567", "1"], ["1.5", "-"]):
        found = learn_format(Counter(texts))
        assert isinstance(found, NumberFormat)
        assert not any("is read as" in note for note in found.notes)


def test_one_stray_in_a_hundred() -> None:
    numbers = {str(i): 1 for i in range(1, 100)}
    found = learn_format(numbers | {"12a": 1})
    assert isinstance(found, NumberFormat)
    assert found.notes[-1].startswith("values that are not numbers, such as '12a', read as missing")
    assert learn_format(numbers | {"12a": 2}) == "99 of 101 are numbers, but '12a' is not"


def test_a_damaged_format_reads_nothing() -> None:
    assert parse_number("5", "") is None
    assert parse_number("5", "nonsense|$") is None


def test_labels_of_digits_stay_text_in_new_rows() -> None:
    """pandas reads a file in which all labels are digits as numbers."""
    X = pd.DataFrame({"zip": ["02139", "10001", "10001"], "flag": [True, False, True]})
    tidy = TidyColumns().fit(X)
    new = pd.DataFrame({"zip": [10001.0, np.nan], "flag": ["true", "perhaps"]})
    with pytest.warns(UserWarning, match="'flag' holds truth values, but 1 of 2 rows"):
        read = tidy.transform(new)
    assert read["zip"].tolist()[0] == "10001"
    assert read["zip"].isna().tolist() == [False, True]
    assert read["flag"].tolist()[0] is True


def test_categories_are_never_changed() -> None:
    X = pd.DataFrame({"size": pd.Categorical(["1%", "2%", "1%"])})
    assert TidyColumns().fit(X).decisions_[0].treatment == "labels"


def test_a_number_column_with_text_in_new_rows() -> None:
    tidy = TidyColumns().fit(pd.DataFrame({"a": [1.0, 2.0]}))
    assert tidy.transform(pd.DataFrame({"a": ["1", "n/a"]}))["a"].tolist()[0] == 1.0
    with pytest.warns(UserWarning, match="'a' holds numbers, but 1 of 2 rows .* such as 'x'"):
        tidy.transform(pd.DataFrame({"a": ["1", "x"]}))


def test_dates_of_other_forms() -> None:
    def decide(texts: list[str]) -> tuple[str, str]:
        frame = pd.DataFrame({"n": range(len(texts)), "d": texts})
        decision = TidyColumns().fit(frame).decisions_[1]
        return decision.treatment, decision.reason

    assert decide(["31/12/2024", "1/2/2024"]) == (
        "date", "days since 1970, from 2024-02-01 to 2024-12-31; read with the day first",
    )  # fmt: skip
    assert decide(["12-31-2024 9:30", "01-02-2024 10:00"])[1].endswith("read with the month first")
    assert (
        decide(["2024/12/31", "2024/01/02"])[1] == "days since 1970, from 2024-01-02 to 2024-12-31"
    )
    assert "'n/a' read as missing, 1 values" in decide(["2024-12-31", "2024-01-02", "n/a"])[1]
    assert decide(["31/12/2024", "12/31/2024"])[0] == "labels", "neither order reads both"


def test_the_order_of_day_and_month_is_that_of_the_training_rows() -> None:
    tidy = TidyColumns().fit(pd.DataFrame({"d": ["12/31/2024", "01/02/2024"]}))
    days = tidy.transform(pd.DataFrame({"d": ["01/02/1970"]}))["d"]
    assert days.tolist() == [1.0]
    with pytest.warns(UserWarning, match="'d' holds dates, but 1 of 1 rows"):
        tidy.transform(pd.DataFrame({"d": ["31/12/2024"]}))
