"""Decision regions: what is drawn is what the model computes."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from augury.encode import TidyColumns
from augury.errors import PictureError
from augury.generative import (
    LinearDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    TreeAugmentedNaiveBayes,
)
from augury.models.catalogue import known_models
from augury.models.tidy_model import tidy_model
from augury.plot import DecisionRegionsDisplay

draw = DecisionRegionsDisplay.from_estimator


@pytest.fixture(scope="module")
def iris():
    found = load_iris(as_frame=True)
    X = found.data.set_axis(["sl", "sw", "pl", "pw"], axis=1)
    return X, pd.Series(found.target_names[found.target])


@pytest.fixture(scope="module")
def two(iris):
    """Two classes of iris that overlap, and two columns."""
    X, y = iris
    rows = y != "setosa"
    return X.loc[rows, ["sl", "pl"]], y[rows]


def vertices(contours) -> np.ndarray:
    return np.concatenate([path.vertices for path in contours.get_paths() if len(path.vertices)])


NORMAL = [
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    RegularizedDiscriminantAnalysis(alpha=0.4),
    NaiveBayes(continuous="gaussian"),
]


@pytest.mark.parametrize("model", NORMAL, ids=lambda model: type(model).__name__)
def test_boundary_is_where_the_probability_is_a_half(two, model) -> None:
    display = draw(model.fit(*two), *two)
    [boundary] = display.boundaries_
    places = vertices(boundary)
    assert len(places) > 20
    p = model.predict_proba(pd.DataFrame(places, columns=["sl", "pl"]))[:, 1]
    # The model's log odds are quadratic, and linear between two places of the grid.
    assert np.abs(p - 0.5).max() < (1e-6 if model is NORMAL[0] else 5e-3)


def test_boundary_of_several_classes_is_between_the_two_most_probable(iris) -> None:
    X, y = iris[0][["sl", "sw"]], iris[1]
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    display = draw(model, X, y)
    assert len(display.boundaries_) == 2
    for boundary in display.boundaries_:
        ranked = np.sort(
            model.predict_proba(pd.DataFrame(vertices(boundary), columns=X.columns)), axis=1
        )
        # At a corner of three regions the second and third are close as well.
        assert np.abs(ranked[:, 2] - ranked[:, 1]).max() < 0.03


def test_regions_are_those_of_the_predicted_class(iris) -> None:
    X, y = iris[0][["sl", "sw"]], iris[1]
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    display = draw(model, X, y)
    rng = np.random.default_rng(0)
    places = rng.uniform(X.min(), X.max(), (300, 2))
    predicted = model.predict(pd.DataFrame(places, columns=X.columns))
    inside = np.array(
        [
            [any(p.contains_point(place) for p in region.get_paths()) for place in places]
            for region in display.regions_
        ]
    )
    # The regions are drawn on a grid: only places near an edge may be elsewhere.
    agrees = inside[np.searchsorted(model.classes_, predicted), np.arange(len(places))]
    assert agrees.mean() > 0.97


@pytest.mark.parametrize("model", NORMAL, ids=lambda model: type(model).__name__)
def test_densities_are_those_of_the_model(two, model) -> None:
    display = draw(model.fit(*two), *two, grid_size=21)
    grid = np.array([(x, y) for y in display.y.values for x in display.x.values])
    joint = model.predict_joint_log_proba(pd.DataFrame(grid, columns=["sl", "pl"]))
    density = np.exp(joint - model.log_prior_).T.reshape(display.densities.shape)
    np.testing.assert_allclose(display.densities, density, rtol=1e-9)


def test_lines_of_equal_density(two) -> None:
    display = draw(QuadraticDiscriminantAnalysis().fit(*two), *two)
    for k, contours in enumerate(display.contours_):
        for level, path in zip(contours.levels, contours.get_paths(), strict=True):
            found = display.normals.density(k, path.vertices)
            np.testing.assert_allclose(found, level, rtol=0.05)
        assert contours.levels[-1] == pytest.approx(0.85 * display.normals.peak(k))


def test_normal_densities_are_those_of_scipy(two) -> None:
    X, y = two
    display = draw(QuadraticDiscriminantAnalysis().fit(X, y), X, y, grid_size=9)
    grid = np.array([(a, b) for b in display.y.values for a in display.x.values])
    for k, label in enumerate(["versicolor", "virginica"]):
        rows = X[y == label].to_numpy()
        normal = multivariate_normal(rows.mean(axis=0), np.cov(rows.T, bias=True))
        np.testing.assert_allclose(display.densities[k].ravel(), normal.pdf(grid), rtol=1e-9)


@pytest.mark.parametrize("model", NORMAL, ids=lambda model: type(model).__name__)
def test_ellipses_have_the_axes_of_the_covariance(two, model) -> None:
    display = draw(model.fit(*two), *two, n_deviations=(1.0, 2.5))
    assert len(display.ellipses_) == 4
    for k in range(2):
        if hasattr(model, "covariances_"):
            covariance = model.covariances_[k]
        elif hasattr(model, "covariance_"):
            covariance = model.covariance_
        else:
            covariance = np.diag(model.variance_[:, k])
        values, vectors = np.linalg.eigh(covariance)
        for size, ellipse in zip((1.0, 2.5), display.ellipses_[2 * k : 2 * k + 2], strict=True):
            half = size * np.sqrt(values[::-1])
            assert (ellipse.width, ellipse.height) == pytest.approx(tuple(2 * half))
            angle = np.radians(ellipse.angle)
            along = np.array([np.cos(angle), np.sin(angle)])
            assert abs(along @ vectors[:, 1]) == pytest.approx(1.0)
            # Every place of the ellipse has the same Mahalanobis distance from the mean.
            around = ellipse.get_patch_transform().transform(ellipse.get_path().vertices)
            d = around[::3][:9] - display.normals.means[k]
            distance = np.sqrt(np.einsum("ij,ij->i", d, np.linalg.solve(covariance, d.T).T))
            np.testing.assert_allclose(distance, size, rtol=1e-6)


def test_ellipses_of_naive_bayes_are_parallel_to_the_axes(two) -> None:
    display = draw(NaiveBayes(continuous="gaussian").fit(*two), *two)
    assert {abs(ellipse.angle) for ellipse in display.ellipses_} <= {0.0, 90.0}


def test_ridge_is_part_of_the_ellipses() -> None:
    x = np.arange(8.0)
    X, y = np.column_stack([x, 2 * x]), np.repeat([0, 1], 4)
    model = LinearDiscriminantAnalysis().fit(X, y)
    assert model.ridge_ > 0
    display = draw(model, X, y, grid_size=9)
    grid = np.array([(a, b) for b in display.y.values for a in display.x.values])
    joint = model.predict_joint_log_proba(grid) - model.log_prior_
    np.testing.assert_allclose(np.log(display.densities.reshape(2, -1)), joint.T, rtol=1e-6)


def test_points_and_legend(iris) -> None:
    X, y = iris[0][["sl", "sw"]], iris[1]
    display = draw(LinearDiscriminantAnalysis().fit(X, y), X, y)
    assert [len(points.get_offsets()) for points in display.points_] == [50, 50, 50]
    colors = {tuple(points.get_facecolor()[0]) for points in display.points_}
    shapes = {len(points.get_paths()[0].vertices) for points in display.points_}
    assert len(colors) == 3
    assert len(shapes) == 3
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == [
        "setosa", "versicolor", "virginica", "boundary", "1 and 2 std. deviations",
        "equal density",
    ]  # fmt: skip
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("sl", "sw")
    # The legend is outside of the data.
    display.figure_.canvas.draw()
    legend = display.ax_.get_legend().get_window_extent()
    assert legend.x0 >= display.ax_.get_window_extent().x1


def test_two_classes_have_the_line_of_a_half(two) -> None:
    display = draw(LinearDiscriminantAnalysis().fit(*two), *two)
    assert "p = 0.5" in [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_points_without_classes(two) -> None:
    display = draw(LinearDiscriminantAnalysis().fit(*two), two[0])
    assert [len(points.get_offsets()) for points in display.points_] == [100]


def test_other_columns_are_held_at_the_median(iris) -> None:
    X, y = iris
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    display = draw(model, X, y, features=("pl", 1), grid_size=5)
    assert display.held == {"sl": X["sl"].median(), "pw": X["pw"].median()}
    assert display.ax_.get_title() == "sl = 5.8, pw = 1.3"
    row = pd.DataFrame(
        {"sl": 5.8, "sw": display.y.values[3], "pl": display.x.values[1], "pw": 1.3}, index=[0]
    )
    log_p = model.predict_log_proba(row)[0]
    expected = [log_p[k] - np.delete(log_p, k).max() for k in range(3)]
    np.testing.assert_allclose(display.margins[:, 3, 1], expected)
    # The ellipses are those of the two columns alone.
    np.testing.assert_allclose(
        display.normals.covariances, model.covariances_[:, [2, 1]][:, :, [2, 1]]
    )


def test_other_columns_are_held_at_given_values(iris) -> None:
    X, y = iris
    X = X.assign(sky=np.where(X["sl"] > 5.5, "sun", "rain"))
    model = TreeAugmentedNaiveBayes().fit(X, y)
    display = draw(model, X, y, features=("pl", "pw"), fixed={"sl": "6", "sky": "rain"})
    assert (display.held["sl"], display.held["sky"]) == (6.0, "rain")


def test_labels_as_an_axis(iris) -> None:
    X, y = iris[0][["pw"]], iris[1]
    X = X.assign(sky=pd.Categorical(np.where(X["pw"] > 1.0, "sun", "rain"), ["sun", "rain", "fog"]))
    X.loc[3, "sky"] = np.nan
    model = TreeAugmentedNaiveBayes().fit(X, y)
    display = draw(model, X, y, features=("sky", "pw"))
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["sun", "rain", "fog"]
    places = np.concatenate([points.get_offsets() for points in display.points_])
    assert len(places) == 150
    known = places[~np.ma.getmaskarray(places).any(axis=1) & np.isfinite(places).all(axis=1)]
    assert len(known) == 149
    bands = np.rint(np.asarray(known[:, 0]))
    assert np.bincount(bands.astype(int)).tolist() == X["sky"].value_counts(sort=False).tolist()[:2]
    # The model is evaluated at the labels.
    rows = pd.DataFrame({"pw": 0.2, "sky": pd.Categorical(["rain"], X["sky"].cat.categories)})
    log_p = model.predict_log_proba(rows[["pw", "sky"]])[0]
    at = np.argmin(np.abs(display.y.values - 0.2))
    assert display.margins[:, at, 2].argmax() == log_p.argmax()


def test_numbers_that_are_labels(iris) -> None:
    X, y = iris[0][["pw"]].assign(size=iris[0]["sl"].round()), iris[1]
    model = NaiveBayes(categorical_features=["size"]).fit(X, y)
    display = draw(model, X, y, features=("size", "pw"))
    assert display.x.labels == [4.0, 5.0, 6.0, 7.0, 8.0]
    rows = pd.DataFrame({"pw": display.y.values, "size": 6.0})
    log_p = model.predict_log_proba(rows)
    expected = log_p[:, 2] - log_p[:, :2].max(axis=1)
    np.testing.assert_allclose(display.margins[2, :, 4], expected)
    assert draw(model, X.assign(size=6.0), y, features=("pw", "size")).y.labels == [6.0]


def test_dates_are_refused(two) -> None:
    X, y = two[0].to_numpy(), two[1].to_numpy()
    model = LinearDiscriminantAnalysis().fit(X, y)
    dates = pd.DataFrame({"x0": X[:, 0], "x1": pd.Timestamp("2026-01-01")})
    with pytest.raises(PictureError, match="x1"):
        draw(model, dates, y)


def test_columns_that_tidy_columns_reads(iris) -> None:
    X, y = iris
    raw = pd.DataFrame(
        {
            "price": [f"${1000 * value:,.2f}" for value in X["pl"]],
            "pw": X["pw"],
            "id": [f"row{k}" for k in range(150)],
        }
    )
    model = make_pipeline(TidyColumns(), LinearDiscriminantAnalysis()).fit(raw, y)
    display = draw(model, raw, y)
    assert display.x.positions[0] < 1000 < 6900 < display.x.positions[-1]
    assert len(display.ellipses_) == 6
    with pytest.raises(PictureError, match=r"no column 'id'; it reads price, pw"):
        draw(model, raw, y, features=("price", "id"))


def test_scaled_columns_are_drawn_in_their_own_units(two) -> None:
    X, y = two
    model = make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()).fit(X, y)
    display = draw(model, X, y)
    assert display.x.positions[0] > 3.0
    assert display.normals is None  # the ellipses would have other units
    places = vertices(display.boundaries_[0])
    p = model.predict_proba(pd.DataFrame(places, columns=X.columns))[:, 1]
    assert np.abs(p - 0.5).max() < 1e-6


def test_searches_are_opened(two) -> None:
    search = GridSearchCV(RegularizedDiscriminantAnalysis(), {"alpha": [0.0, 1.0]}, cv=2)
    assert len(draw(search.fit(*two), *two).ellipses_) == 4


@pytest.mark.parametrize("model", [RidgeClassifier(), SVC(kernel="linear")])
def test_classifiers_without_probabilities(two, model) -> None:
    X, y = two[0].to_numpy(), two[1].to_numpy()
    display = draw(model.fit(X, y), X, y)
    assert not display.has_probabilities
    assert set(np.unique(display.margins)) == {-1.0, 1.0}
    grid = np.array([(a, b) for b in display.y.values for a in display.x.values])
    predicted = model.predict(grid).reshape(display.margins.shape[1:])
    assert ((display.margins[1] > 0) == (predicted == model.classes_[1])).all()
    assert "p = 0.5" not in [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_arrays_without_names(two) -> None:
    X, y = two[0].to_numpy(), two[1].to_numpy()
    display = draw(LinearDiscriminantAnalysis().fit(X, y), X, y)
    assert display.ax_.get_xlabel() == "x0"


def test_axes_are_used(two) -> None:
    _, axes = plt.subplots(1, 2)
    display = draw(LinearDiscriminantAnalysis().fit(*two), *two, ax=axes[1])
    assert display.ax_ is axes[1]
    assert not axes[0].collections


def test_no_densities(two) -> None:
    display = draw(LinearDiscriminantAnalysis().fit(*two), *two, densities=False)
    assert (display.ellipses_, display.contours_) == ([], [])


EXTRAS = {"catboost", "lightgbm", "xgboost"}


@pytest.mark.parametrize("name", sorted(set(known_models()) - EXTRAS))
def test_every_model_of_the_catalogue(iris, name) -> None:
    X = iris[0][["sl", "pw"]].assign(sky=np.where(iris[0]["sl"] > 5.8, "sun", "rain"))
    model = tidy_model(name).fit(X, iris[1])
    display = draw(model, X, iris[1], features=("pw", "sky"), fixed={"sl": 5.5}, grid_size=11)
    # One class is predicted at each place, and it is the model's.
    assert ((display.margins > 0).sum(axis=0) == 1).all()
    rows = pd.DataFrame(
        {"sl": 5.5, "pw": display.x.values, "sky": display.y.values[2]}, columns=X.columns
    )
    expected = np.searchsorted(display.classes, model.predict(rows))
    assert display.margins[:, 2].argmax(axis=0).tolist() == expected.tolist()


def test_column_that_is_constant_has_no_density(two) -> None:
    X, y = two[0].assign(one=1.0), two[1]
    model = LinearDiscriminantAnalysis().fit(X, y)
    display = draw(model, X, y, features=("sl", "one"))
    assert display.densities is None
    assert display.y.positions[[0, -1]].tolist() == [0.5, 1.5]
    with pytest.raises(PictureError, match="has no density of the columns 'sl' and 'one'"):
        draw(model, X, y, features=("sl", "one"), densities=True)


def test_one_region_has_no_boundary(two) -> None:
    display = draw(DummyClassifier().fit(*two), *two)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["versicolor", "virginica"]


def test_errors(iris) -> None:
    X, y = iris
    model = LinearDiscriminantAnalysis().fit(X, y)
    for options, message in [
        ({}, "features must name two of the 4 columns"),
        ({"features": "sl"}, "features must be two columns"),
        ({"features": ("sl", "sl")}, "got 'sl' twice"),
        ({"features": ("sl", "no")}, "the model reads no column 'no'; it reads sl, sw, pl, pw"),
        ({"features": ("sl", "sw"), "fixed": {"pl": "red"}}, "'pl' holds numbers, got 'red'"),
        ({"features": ("sl", "sw"), "fixed": {"sl": 1}}, "fixed names 'sl', which is an axis"),
        ({"features": ("sl", "sw"), "fixed": {"no": 1}}, "'no', which is not a column"),
    ]:
        with pytest.raises(PictureError, match=message):
            draw(model, X, y, **options)
    with pytest.raises(PictureError, match="y must be one of the classes"):
        draw(model, X, ["rose"] * 150, features=("sl", "sw"))
    tree = DecisionTreeClassifier().fit(X, y)
    with pytest.raises(PictureError, match="DecisionTreeClassifier has no density"):
        draw(tree, X, y, features=("sl", "sw"), densities=True)
    with pytest.raises(PictureError, match="column 'sl' has no values"):
        draw(model, X.assign(sl=np.nan), y, features=("sl", "sw"))
    labels = X.assign(sky="sun")
    model = TreeAugmentedNaiveBayes().fit(labels, y)
    with pytest.raises(PictureError, match="column 'sky' has the labels sun, not 'hail'"):
        draw(model, labels, y, features=("sl", "sw"), fixed={"sky": "hail"})
