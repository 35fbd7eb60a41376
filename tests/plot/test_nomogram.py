"""Ticks and marks of a nomogram are where the numbers of the model say."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from augury.discriminative import LogisticRegression
from augury.explain.nomogram_contents import NomogramColumn, NomogramPiece
from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.plot import NomogramDisplay
from augury.plot.nomogram_scales import (
    branches_of,
    number_text,
    number_ticks,
    place_texts,
    round_numbers,
)


def make_rows(n_columns: int, n_classes: int = 2, *, n_labels: int = 4, name: str = "column{}"):
    rng = np.random.default_rng(n_columns)
    codes = rng.integers(0, n_classes, 300)
    columns: dict[str, object] = {}
    for j in range(n_columns):
        if j % 2:
            columns[name.format(j)] = rng.normal(codes * rng.random(), 1 + codes * rng.random())
        else:
            shift = codes * (rng.random(300) < 0.4)
            labels = np.array([f"a label {k}" for k in range(n_labels)], dtype=object)
            columns[name.format(j)] = labels[(rng.integers(0, n_labels, 300) + shift) % n_labels]
    X = pd.DataFrame(columns)
    X.iloc[::17, 0] = None
    return X, np.array([f"class {k}" for k in codes])


def assert_no_overlaps(display: NomogramDisplay) -> None:
    """The texts of a column do not overlap each other or names, and all are inside the page."""
    display.figure_.draw_without_rendering()
    page = display.figure_.bbox
    for name, scale in display.scales_.items():
        drawn = [*scale.texts.values(), display.names_[name]]
        extents = [text.get_window_extent() for text in drawn]
        for (k, a), (m, b) in combinations(enumerate(extents), 2):
            apart = a.x1 <= b.x0 or b.x1 <= a.x0 or a.y1 <= b.y0 + 1 or b.y1 <= a.y0 + 1
            assert apart, (name, drawn[k].get_text(), drawn[m].get_text())
    for text in display.ax_.texts:
        extent = text.get_window_extent()
        assert extent.x0 >= page.x0 - 1, text.get_text()
        assert extent.x1 <= page.x1 + 1, text.get_text()


class TestLabels:
    # Log odds of sun, rain: log 9/4 and log 3/8; of weak, strong: log 3/2 and log 3/4.
    X = pd.DataFrame({"sky": ["sun", "sun", "rain"], "wind": ["weak", "strong", "weak"]})
    model = NaiveBayes().fit(X, ["yes", "yes", "no"])

    def test_places_of_ticks(self) -> None:
        display = NomogramDisplay.from_estimator(self.model)
        scale = display.scales_["sky"]
        assert [(tick.text, tick.log_odds) for tick in scale.ticks] == [
            ("rain", pytest.approx(np.log(3 / 8))), ("sun", pytest.approx(np.log(9 / 4))),
        ]  # fmt: skip
        places = [float(line.get_xdata()[0]) for line in scale.tick_lines]
        assert [display.points_at(x) for x in places] == pytest.approx([0.0, 100.0])
        assert {text.get_text() for text in scale.texts.values()} == {"rain", "sun"}
        unit = np.log(9 / 4) - np.log(3 / 8)
        wind = display.scales_["wind"]
        last = float(wind.tick_lines[-1].get_xdata()[0])
        p = {"weak": (2 / 4, 2 / 3), "strong": (2 / 4, 1 / 3)}  # given yes, given no
        odds = {label: np.log(a / b) for label, (a, b) in p.items()}
        expected = 100 * (odds["strong"] - odds["weak"]) / unit
        assert display.points_at(last) == pytest.approx(expected)

    def test_marks_and_total(self) -> None:
        display = NomogramDisplay.from_estimator(self.model, row=self.X[:1])
        points = {
            name: display.points_at(float(mark.get_xdata()[0]))
            for name, mark in display.marks_.items()
        }
        assert points == {"sky": pytest.approx(100.0), "wind": pytest.approx(0.0)}
        assert display.total_mark_ is not None
        total = sum(points.values())
        assert float(display.total_mark_.get_xdata()[0]) == pytest.approx(display.x_of_total(total))
        proba = self.model.predict_proba(self.X[:1])[0, 1]
        assert f"{proba:.3g}" in [text.get_text() for text in display.ax_.texts]

    def test_title_and_axes(self) -> None:
        written = [text.get_text() for text in NomogramDisplay.from_estimator(self.model).ax_.texts]
        assert written[0] == "yes against no"
        assert {"points", "total points", "log odds", "p(yes)"} <= set(written)

    def test_missing_values_have_a_label(self) -> None:
        X, y = make_rows(4)
        display = NomogramDisplay.from_estimator(NaiveBayes().fit(X, y))
        assert "missing" in [tick.text for tick in display.scales_["column0"].ticks]

    def test_many_labels_are_thinned_out_and_counted(self) -> None:
        rng = np.random.default_rng(0)
        labels = np.array([f"a rather long label {k}" for k in range(60)])
        X = pd.DataFrame({"city": labels[rng.integers(0, 60, 900)]})
        display = NomogramDisplay.from_estimator(NaiveBayes().fit(X, rng.integers(0, 2, 900)))
        scale = display.scales_["city"]
        assert len(scale.tick_lines) == len(scale.ticks) == 60
        dropped = 60 - len(scale.texts)
        assert dropped > 0
        notes = [text.get_text() for text in display.ax_.texts]
        assert f"{dropped} ticks have no text, because it would overlap others." in notes
        shown = {scale.ticks[k].log_odds for k in scale.texts}
        odds = [tick.log_odds for tick in scale.ticks]
        assert {min(odds), max(odds)} <= shown  # the ends always have a text
        assert_no_overlaps(display)


class TestNumbers:
    def test_a_straight_scale(self) -> None:
        x = np.arange(20.0)[:, None]
        model = LinearDiscriminantAnalysis().fit(x, (x[:, 0] > 9).astype(int))
        display = NomogramDisplay.from_estimator(model, x)
        scale = display.scales_["x0"]
        assert scale.kind == "numbers"
        # The points are proportional to the number.
        for tick, line in zip(scale.ticks, scale.tick_lines, strict=True):
            points = display.points_at(float(line.get_xdata()[0]))
            assert points == pytest.approx(100 * float(tick.text) / 19)

    def test_a_normal_density_is_two_sided(self) -> None:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 400)
        x = rng.normal(y * 1.0, 1.0 + 2.0 * y)[:, None]
        model = NaiveBayes(continuous="gaussian").fit(x, y)
        display = NomogramDisplay.from_estimator(model, x)
        scale = display.scales_["x0"]
        assert scale.kind == "two-sided"
        [piece] = display.nomogram.columns[0].pieces
        turn = piece.turning_point()
        assert turn is not None
        for tick in scale.ticks:
            value = float(tick.text.replace("−", "-"))
            assert tick.above or value >= turn - 0.05  # texts have one decimal
            assert not tick.above or value <= turn + 0.05
            assert tick.log_odds == pytest.approx(piece.log_odds(value), abs=0.2)
        notes = [text.get_text() for text in display.ax_.texts]
        assert any(note.startswith("Two-sided scales") for note in notes)

    def test_a_regression_on_numbers_and_intervals_is_a_curve(self) -> None:
        rng = np.random.default_rng(0)
        x = rng.uniform(0, 10, 600)
        y = ((x > 3) & (x < 7)).astype(int)
        model = LogisticRegression().fit(x[:, None], y)
        display = NomogramDisplay.from_estimator(model, x[:, None], row=[[5.0]])
        scale = display.scales_["x0"]
        assert scale.kind == "curve"
        cuts = display.nomogram.columns[0].cuts
        assert len(scale.lines) == len(cuts) + 1  # jumps are gaps
        column = display.nomogram.columns[0]
        mark = float(display.marks_["x0"].get_xdata()[0])
        expected = display.nomogram.points(column, column.log_odds(5.0))
        assert display.points_at(mark) == pytest.approx(expected)
        # The mark lies on the curve.
        height = float(display.marks_["x0"].get_ydata()[0])
        middle = next(
            line for line in scale.lines if min(line.get_ydata()) <= height <= max(line.get_ydata())
        )
        xs, ys = np.asarray(middle.get_xdata()), np.asarray(middle.get_ydata())
        order = np.argsort(ys)
        assert np.interp(height, ys[order], xs[order]) == pytest.approx(mark, abs=0.5)


@pytest.mark.parametrize(("n_columns", "n_classes"), [(4, 2), (12, 5), (30, 2)])
def test_nothing_overlaps(n_columns: int, n_classes: int) -> None:
    X, y = make_rows(n_columns, n_classes, name="a column with a rather long name, number {}")
    for model in (NaiveBayes(continuous="gaussian"), LogisticRegression()):
        display = NomogramDisplay.from_estimator(
            model.fit(X, y), X, positive="class 1", negative="class 0", row=X[3:4], max_features=30
        )
        assert len(display.scales_) == n_columns
        assert_no_overlaps(display)


def test_columns_that_are_left_out_are_stated() -> None:
    X, y = make_rows(8)
    model = NaiveBayes().fit(X, y)
    display = NomogramDisplay.from_estimator(model, row=X[:1], max_features=3)
    assert list(display.scales_) == [column.name for column in display.nomogram.columns[:3]]
    nomogram = display.nomogram
    most = max(nomogram.points(c, c.largest) for c in nomogram.columns[3:])
    written = [text.get_text() for text in display.ax_.texts]
    assert f"5 other columns are not drawn; each has at most {most:.1f} points." in written
    assert f"{sum(nomogram.row_points()[3:]):.1f}" in written
    assert f"{sum(nomogram.row_points()):.1f}" in written


def test_probability_axis() -> None:
    X, y = make_rows(4)
    display = NomogramDisplay.from_estimator(NaiveBayes().fit(X, y))
    *_, half = [text for text in display.ax_.texts if text.get_text() == "0.5"]
    expected = display.x_of_total(display.nomogram.total_of(0.0))
    assert half.get_position()[0] == pytest.approx(expected, abs=1.0)


def test_more_than_two_classes_are_explained() -> None:
    X, y = make_rows(4, 5)
    display = NomogramDisplay.from_estimator(
        NaiveBayes().fit(X, y), positive="class 2", negative="class 4"
    )
    written = [text.get_text() for text in display.ax_.texts]
    assert written[0] == "class 2 against class 4, of 5 classes"
    assert "p is the probability among class 2 and class 4 only." in written


def test_meta_features_of_a_hybrid_are_columns() -> None:
    X, y = make_rows(4)
    display = NomogramDisplay.from_estimator(AugmentedClassifier().fit(X, y), X)
    assert "log_odds(class 1)" in display.scales_


def test_given_axes() -> None:
    X, y = make_rows(4)
    _, ax = plt.subplots(figsize=(5, 4), layout="constrained")
    display = NomogramDisplay.from_estimator(NaiveBayes().fit(X, y), ax=ax)
    assert display.ax_ is ax
    assert display.names_["column0"].get_fontsize() < 9


def test_wrong_number_of_columns() -> None:
    X, y = make_rows(4)
    with pytest.raises(ValueError, match="NomogramDisplay: max_features must be"):
        NomogramDisplay.from_estimator(NaiveBayes().fit(X, y), max_features=0)


class TestScales:
    def make_column(self, *pieces: NomogramPiece, low: float, high: float) -> NomogramColumn:
        cuts = tuple(piece.high for piece in pieces if piece.high is not None)
        return NomogramColumn("x", (), cuts, pieces, low, high, True, None, None)

    def test_branches_end_at_the_turning_point(self) -> None:
        column = self.make_column(
            NomogramPiece(None, None, 0.0, 1.0, -2.0, 1.0), low=-1.0, high=3.0
        )
        first, second = branches_of(column)
        assert first.values[-1] == second.values[0] == 1.0
        assert (first.values[0], second.values[-1]) == (-1.0, 3.0)
        assert (first.log_odds[0], first.log_odds[-1]) == (4.0, 0.0)

    def test_a_jump_in_the_same_direction_is_one_branch(self) -> None:
        column = self.make_column(
            NomogramPiece(None, 1.0, 0.0, 0.0, 1.0, 0.0),
            NomogramPiece(1.0, None, 0.0, 5.0, 1.0, 0.0),
            low=0.0,
            high=2.0,
        )
        assert len(branches_of(column)) == 1

    def test_a_jump_back_divides(self) -> None:
        column = self.make_column(
            NomogramPiece(None, 1.0, 0.0, 0.0, 1.0, 0.0),
            NomogramPiece(1.0, None, 0.0, -5.0, 1.0, 0.0),
            low=0.0,
            high=2.0,
        )
        assert len(branches_of(column)) == 3  # rises, jumps down, rises

    def test_both_sides_of_a_jump_have_a_tick(self) -> None:
        column = self.make_column(
            NomogramPiece(None, 1.5, 0.0, 0.0, 1.0, 0.0),
            NomogramPiece(1.5, None, 0.0, 5.0, 1.0, 0.0),
            low=0.0,
            high=2.0,
        )
        [branch] = branches_of(column)
        ticks = {tick.text: tick.log_odds for tick in number_ticks(branch, column, above=None)}
        assert ticks["≤ 1.5"] == 1.5
        assert ticks["> 1.5"] == pytest.approx(6.5)
        assert (ticks["0"], ticks["1"], ticks["2"]) == (0.0, 1.0, 7.0)
        assert "1.5" not in ticks

    @pytest.mark.parametrize(
        ("low", "high"), [(0.0, 1.0), (-3e-5, 2e-5), (1e9, 3.2e9), (4.3, 7.9), (-70.0, 13.0)]
    )
    def test_round_numbers_are_inside(self, low: float, high: float) -> None:
        numbers = round_numbers(low, high, 5)
        assert 2 <= len(numbers) <= 9
        assert numbers[0] >= low - 1e-9 * (high - low)
        assert numbers[-1] <= high + 1e-9 * (high - low)
        assert np.ptp(np.diff(numbers)) < 1e-6 * (high - low)

    def test_round_numbers_of_one_number(self) -> None:
        assert round_numbers(3.0, 3.0, 5) == [3.0]

    def test_number_texts(self) -> None:
        assert [number_text(x, 2) for x in (0.0, -0.001, 2.50, 1e8, -3e-6)] == [
            "0", "0", "2.5", "1e+08", "−3e−06",
        ]  # fmt: skip

    def test_texts_that_fit_nowhere_are_left_out(self) -> None:
        placed = place_texts([5.0] * 4, [30.0] * 4, [None] * 4, left=0, right=60, max_levels=1)
        assert [(each.tick, each.level) for each in placed] == [(0, 1), (1, -1)]
        assert placed[0].x == 15.0  # shifted into the scale


@pytest.mark.parametrize("continuous", ["gaussian", "interval", "discretize"])
def test_unusual_columns(continuous: str) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 100)
    X = pd.DataFrame(
        {
            "constant": 1.0,
            "large": rng.normal(size=100) * 1e12,
            "small": rng.normal(size=100) * 1e-9,
            "one label": "only",
            "gaps": rng.normal(y, 1 + 2 * y),
            "empty": np.nan,
        }
    )
    X.loc[::9, "gaps"] = np.nan
    model = NaiveBayes(continuous=continuous).fit(X, y)
    display = NomogramDisplay.from_estimator(model, X, row=X[:1])
    assert set(display.scales_) == set(X.columns)
    nomogram = display.nomogram
    log_proba = model.predict_log_proba(X[:1])[0]
    assert nomogram.log_odds_of(sum(nomogram.row_points())) == pytest.approx(
        log_proba[1] - log_proba[0], abs=1e-9
    )
    if continuous == "gaussian":
        shown = display.scales_["gaps"]
        assert "missing" in [text.get_text() for text in shown.texts.values()]
        assert [text.get_text() for text in display.scales_["constant"].texts.values()] == ["1"]
    assert_no_overlaps(display)
