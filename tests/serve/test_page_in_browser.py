"""The page of a served model in a browser: its forms, both widths, both colours, no message."""

import json
from dataclasses import replace
from importlib import resources

import pandas as pd
import pytest

from augury.decide import CostClassifier
from augury.models.tidy_model import tidy_model
from tests.report.test_accessibility import SCREENS, violations
from tests.serve.served import make_table, row_of, save_fitted, save_named, serving

X = make_table().X


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Return servers of an additive model, another model, and one that decides by costs."""
    folder = tmp_path_factory.mktemp("served")
    costs = {
        "in": {"out": 50, "stay": 50},
        "out": {"in": 1, "stay": 1},
        "stay": {"in": 1, "out": 1},
    }
    decides = tidy_model("nb")
    decides.set_params(model=CostClassifier(decides["model"], costs))
    save_named("nb", folder / "nb.augury")
    save_named("tan", folder / "tan.augury")
    save_fitted(decides, make_table(), folder / "costs.augury")
    with (
        serving(folder / "nb.augury") as additive,
        serving(folder / "tan.augury") as asked,
        serving(folder / "costs.augury") as costly,
    ):
        found = {"nb": additive, "tan": asked, "costs": costly}
        yield found
        for each in found.values():
            assert each.stop()[2] == ""


@pytest.fixture
def open_page(browser, served):
    """Return a function that opens a page. Messages, and requests to others, are errors."""
    contexts, complaints = [], []

    def open_it(name, *, width=1280, **settings):
        origin = f"http://127.0.0.1:{served[name].port}/"
        context = browser.new_context(viewport={"width": width, "height": 900}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((origin, "data:"))
                else complaints.append(request.url)
            ),
        )
        page.goto(origin)
        is_asked = name != "nb"
        page.wait_for_selector("#asked-contributions tr.total" if is_asked else "#what-if-total")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


def probabilities(page, table):
    cells = page.locator(f"{table} td.number")
    return [float(cell.get_attribute("data-value")) for cell in cells.all()]


@pytest.mark.parametrize(("width", "scheme"), SCREENS)
@pytest.mark.parametrize("name", ["nb", "tan"])
def test_nothing_is_inaccessible_or_too_wide(open_page, axe, name, width, scheme):
    page = open_page(name, width=width, color_scheme=scheme)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_page_computes_the_probabilities_of_the_server(open_page, served):
    page = open_page("nb")
    card = page.locator("[data-column=sky] select")
    card.select_option(label="snow")
    page.locator("[data-column=wind] input.number-field").fill("17.5")
    page.locator("[data-column=grade] select").select_option(label="(missing)")
    example = page.locator("#requests pre").inner_text()
    assert example.startswith(f"curl -s http://127.0.0.1:{served['nb'].port}/predict -H ")
    row = json.loads(example.partition("-d '")[2].removesuffix("'"))["row"]
    row |= {"sky": "snow", "wind": 17.5, "grade": None}
    row["price"] = float(page.locator("[data-column=price] input.number-field").input_value())
    status, answer = served["nb"].predict({"row": row})
    assert status == 200
    found = probabilities(page, "#what-if-probabilities")
    assert found == pytest.approx(list(answer["probabilities"].values()), abs=1e-9)


def test_the_page_asks_the_server(open_page, served):
    page = open_page("tan")
    with page.expect_response(lambda found: b"explanation" in found.body()):
        page.locator("[data-column=sky] select").select_option(label="fog")
    page.wait_for_function(
        "document.querySelector('#asked-contributions [data-column=sky] small').textContent"
        " === 'fog'"
    )
    assert page.locator("#asked-problem").is_hidden()
    found = probabilities(page, "#asked-probabilities")
    assert sum(found) == pytest.approx(1)
    *parts, total = probabilities(page, "#asked-contributions")
    assert sum(parts) == pytest.approx(total, abs=1e-9)


def test_decisions_are_shown(open_page):
    page = open_page("costs")
    assert "by the rule: least expected cost" in page.locator("#asked-decision").inner_text()


@pytest.mark.parametrize("name", ["nb", "tan"])
def test_the_form_works_by_keyboard(open_page, name):
    page = open_page(name)
    table = "#what-if-probabilities" if name == "nb" else "#asked-probabilities"
    before = probabilities(page, table)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("[data-column=wind] input[type=range]").focus()
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "([table, before]) => Number(document.querySelector(`${table} td.number`).dataset.value)"
        " !== before",
        arg=[table, before[0]],
    )


def test_a_server_that_has_ended_is_reported(browser, tmp_path):
    save_named("tan", tmp_path / "m.augury")
    with serving(tmp_path / "m.augury") as server:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("#asked-contributions tr.total")
        server.stop()
        page.locator("[data-column=sky] select").select_option(label="fog")
        page.wait_for_selector("#asked-problem:not([hidden])")
        assert "did not answer" in page.locator("#asked-problem").inner_text()
        page.close()


@pytest.fixture(scope="module")
def served_types(tmp_path_factory):
    """Serve a model that the page must ask, with columns of every type."""
    path = tmp_path_factory.mktemp("types") / "m.augury"
    plain = make_table()
    X = plain.X.assign(
        grade=pd.Categorical(plain.X["grade"].cat.codes),
        day=pd.to_datetime(plain.X["day"]).dt.strftime("%d/%m/%Y"),
        __proto__=plain.X["sky"],
    )
    save_fitted(tidy_model("random-trees"), replace(plain, X=X), path)
    with serving(path) as server:
        yield server
        assert server.stop()[2] == ""


@pytest.fixture
def types_page(browser, served_types):
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(f"http://127.0.0.1:{served_types.port}/")
    page.wait_for_selector("#asked-contributions tr.total")
    yield page
    page.close()


def test_another_label_is_offered_where_text_is_allowed(types_page):
    options = {
        name: types_page.locator(f"[data-column={name}] option").all_inner_texts()
        for name in ("sky", "wet", "grade")
    }
    assert "(another label)" in options["sky"]
    assert sorted(options["wet"]) == ["(missing)", "false", "true"]
    assert sorted(options["grade"]) == ["(missing)", "0", "1", "2"]


def test_every_type_of_a_column_is_accepted(types_page):
    assert types_page.locator("#asked-problem").is_hidden()
    with types_page.expect_request(lambda found: "explain" in found.post_data) as asked:
        types_page.locator("[data-column=__proto__] select").select_option(label="fog")
    row = json.loads(asked.value.post_data)["row"]
    assert row["__proto__"] == "fog"
    assert row["day"].startswith("2024-")
    assert asked.value.response().status == 200


def test_a_date_fits_its_field_at_the_width_of_a_phone(types_page):
    field = types_page.locator("[data-column=day] input[type=date]")
    assert field.bounding_box()["width"] >= 150


def test_refused_values_are_reported_without_an_answer(types_page):
    assert types_page.locator("#asked-now").is_visible()
    problem = {"detail": [{"loc": ["row", "sky"], "msg": "column 'sky' is wrong", "type": "x"}]}
    types_page.route("**/predict", lambda route: route.fulfill(status=422, json=problem))
    types_page.locator("[data-column=sky] select").select_option(label="fog")
    types_page.wait_for_selector("#asked-problem:not([hidden])")
    text = types_page.locator("#asked-problem").inner_text()
    assert text == "The server refused the values: column 'sky' is wrong."
    assert types_page.locator("#asked-result").is_hidden()
    assert types_page.locator("#asked-now").is_hidden()
    types_page.unroute("**/predict")
    types_page.locator("[data-column=sky] select").select_option(label="sun")
    types_page.wait_for_selector("#asked-result:not([hidden])")
    types_page.wait_for_selector("#asked-problem", state="hidden")


def test_a_prediction_without_an_explanation_is_shown(types_page):
    problem = {"detail": [{"loc": ["server"], "msg": "it takes long", "type": "timeout"}]}

    def refuse(route):
        if "explain" in route.request.post_data:
            route.fulfill(status=503, json=problem)
        else:
            route.continue_()

    types_page.route("**/predict", refuse)
    types_page.locator("[data-column=sky] select").select_option(label="fog")
    types_page.wait_for_selector("#asked-problem:not([hidden])")
    text = types_page.locator("#asked-problem").inner_text()
    assert text == "The server refused the request: it takes long."
    assert types_page.locator("#asked-result").is_visible()
    assert types_page.locator("#asked-explanation").is_hidden()


def test_names_of_columns_and_labels_stay_text(browser, tmp_path):
    """A label is never markup or a script."""
    evil = "</script><img src=x onerror=alert(1)>"
    plain = make_table(120)
    X = plain.X.assign(sky=plain.X["sky"].replace({"sun": evil}))
    dataset = replace(plain, X=X.rename(columns={"grade": f"g{evil}"}))
    save_fitted(tidy_model("nb"), dataset, tmp_path / "m.augury")
    with serving(tmp_path / "m.augury") as server:
        complaints = []
        page = browser.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.wait_for_selector("#what-if-total")
        assert page.locator("img").count() == 0
        assert evil in page.locator("[data-column=sky] select").inner_text()
        assert server.predict({"row": row_of(dataset.X, 0)})[0] == 200
        page.close()
    assert complaints == []


def test_answers_name_classes_of_any_type(browser):
    page = browser.new_page()
    file = resources.files("augury.report").joinpath("assets", "serve", "asked_form.js")
    page.add_script_tag(content=file.read_text("utf-8"))
    cases = [[["False", "True"], True], [["0.0", "1.0"], 1], [["0", "1"], 1], [["a", "b"], "b"]]
    found = page.evaluate("(cases) => cases.map((each) => labelOf(...each))", cases)
    page.close()
    assert found == ["True", "1.0", "1", "b"]
