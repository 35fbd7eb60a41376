from decimal import Decimal

import pytest

from augury.reproduce.tolerance import EqualAfterRounding, WithinPoints, rounds_to


@pytest.mark.parametrize(
    ("value", "printed", "agrees"),
    [
        (94.4667, "94.47", True),
        (94.47, "94.47", True),
        (94.46500001, "94.47", True),
        (94.4649999, "94.47", False),
        (94.4750001, "94.47", False),
        # Halfway values: papers round them up or down.
        (81.325, "81.33", True),
        (81.325, "81.32", True),
        (87.175, "87.17", True),
        (87.175 + 1e-12, "87.17", True),
        (87.175 + 1e-6, "87.17", False),
        (0.0, "0.00", True),
        (100.0, "100.00", True),
        (99.99, "100.00", False),
        (94.5, "94.47", False),
        (94.46, "94.5", True),
        (float("nan"), "94.47", False),
    ],
)
def test_rounds_to(value: float, printed: str, agrees: bool) -> None:
    assert rounds_to(value, Decimal(printed)) is agrees


@pytest.mark.parametrize(
    ("mean", "std", "agrees"),
    [(94.4667, 5.6102, True), (94.4649, 5.6102, False), (94.4667, 5.62, False)],
)
def test_equal_after_rounding_compares_mean_and_std(mean: float, std: float, agrees: bool) -> None:
    rule = EqualAfterRounding()
    assert rule.agrees(mean, std, Decimal("94.47"), Decimal("5.61")) is agrees


@pytest.mark.parametrize(
    ("mean", "agrees"),
    # The bounds are inclusive, although 76.17 - 1.5 is not a double.
    [(76.17, True), (74.67, True), (77.67, True), (74.66, False), (float("nan"), False)],
)
def test_within_points_compares_the_mean_only(mean: float, agrees: bool) -> None:
    rule = WithinPoints(1.5)
    assert rule.agrees(mean, 99.0, Decimal("76.17"), Decimal("6.04")) is agrees
    assert rule.description == "mean within 1.5 points"
