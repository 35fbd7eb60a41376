"""Requests that are refused: the status, the place, what is allowed and what came."""

import json

import pytest

from augury.serve import make_application
from tests.serve.asgi import JSON, call, post
from tests.serve.served import make_table, row_of, save_named

X = make_table().X


@pytest.fixture(scope="module", params=["nb", "hnb"])
def application(request, tmp_path_factory):
    saved = save_named(request.param, tmp_path_factory.mktemp("served") / "m.augury")
    return make_application(saved, max_request_bytes=5000, max_rows=12)


def good_row(**changes):
    return {**row_of(X, 3), **changes}


def refused(application, content, status=422):
    found, answer = post(application, content)
    assert found == status
    assert all(set(each) == {"loc", "msg", "type"} for each in answer["detail"])
    return answer["detail"]


@pytest.mark.parametrize(
    ("column", "value", "kind", "message"),
    [
        ("wind", "12", "number_type", "column 'wind' must be a number or null, got the text"),
        ("wind", True, "number_type", "column 'wind' must be a number or null, got true"),
        ("wind", [1], "number_type", "column 'wind' must be a number or null, got an array"),
        ("wind", {"a": 1}, "number_type", "got an object"),
        ("wind", 10**400, "finite_number", "of at most 1.8e308"),
        ("sky", 3, "string_type", "column 'sky' must be text or null, got the number 3"),
        ("sky", False, "string_type", "got false"),
        ("grade", 1.5, "string_type", "column 'grade' must be text or null"),
        ("wet", "true", "bool_type", "column 'wet' must be true, false or null, got the text"),
        ("wet", 1, "bool_type", "got the number 1"),
        ("price", "cheap", "number_parsing", "a number, text such as '$1,234.5', or null"),
        ("price", "9" * 4000, "number_parsing", "99…"),
        ("day", 19000, "date_type", "2024-12-31) or null, got the number 19000"),
        ("day", "31/12/2024", "date_parsing", "a date (ISO 8601, such as 2024-12-31) or null"),
        ("id", {}, "scalar_type", "column 'id'"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused(application, column, value, kind, message):
    detail = refused(application, {"row": good_row(**{column: value})})
    assert [(each["loc"], each["type"]) for each in detail] == [(["row", column], kind)]
    assert message in detail[0]["msg"]
    rows = [good_row(), good_row(), good_row(), good_row(**{column: value})]
    if len(json.dumps(rows)) < 4000:
        detail = refused(application, {"rows": rows})
        assert [each["loc"] for each in detail] == [["rows", 3, column]]
        arrays = {name: [row[name] for row in rows] for name in rows[0]}
        detail = refused(application, {"columns": arrays})
        assert [each["loc"] for each in detail] == [["columns", column, 3]]


def test_every_problem_of_a_row_is_listed(application):
    row = good_row(wind="x", wet=3, ski="sun")
    del row["sky"]
    detail = refused(application, {"row": row})
    found = [(each["loc"][1], each["type"]) for each in detail]
    assert found == [
        ("sky", "missing"),
        ("wet", "bool_type"),
        ("wind", "number_type"),
        ("ski", "extra_forbidden"),
    ]
    assert "column 'sky' is missing; a missing value is null" in detail[0]["msg"]
    assert "did you mean 'sky'?" in detail[3]["msg"]


def test_columns_that_are_not_read_may_be_absent(application):
    row = good_row()
    full = post(application, {"row": row})
    del row["id"], row["country"]
    assert post(application, {"row": row}) == full
    assert full[0] == 200


def test_null_is_a_missing_value_and_unseen_labels_are_reported(application):
    status, answer = post(application, {"row": dict.fromkeys(good_row())})
    assert status == 200
    assert "unseen" not in answer
    status, answer = post(application, {"row": good_row(sky="hail", grade="ü")})
    assert status == 200
    assert answer["unseen"] == {"sky": "hail", "grade": "ü"}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "must be JSON"),
        (b"{", "must be JSON"),
        (b'{"row": {}} x', "must be JSON"),
        (b"\xff\xfe", "byte 0 is not"),
        ('{"row": {}}'.encode("utf-16"), "must be UTF-8"),
        (b'{"row": {"wind": NaN}}', "NaN is not JSON; a missing value is null"),
        (b'{"row": {"wind": -Infinity}}', "-Infinity is not JSON"),
        (b'{"row": {"wind": 1, "wind": 2}}', 'the key "wind" is twice in one object'),
        (b'{"row": 1, "row": 2}', 'the key "row" is twice'),
        (b'{"row": {"\\u0077ind": 1, "wind": 2}}', 'the key "wind" is twice'),
        (b'{"row": {"a:": 1, "a:": 2}}', 'the key "a:" is twice'),
        (b"[" * 4900, "nested too deeply"),
        (b'{"row": {"sky": "\\ud800"}}', "half of a surrogate pair"),
        (b'{"row": {"wind": ' + b"1" * 4800 + b"}}", "a number is too long"),
    ],
)
def test_what_is_not_json_is_refused(application, body, message):
    detail = refused(application, body, 400)
    assert detail[0]["type"] == "json_invalid"
    assert message in detail[0]["msg"]


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ([], ["body"], 'must be an object such as {"row": {…}}, got an array'),
        ({}, ["body"], 'must have "row", "rows" or "columns"'),
        ({"explain": True}, ["body"], 'must have "row"'),
        ({"row": {}, "rows": []}, ["body"], "must have one of row and rows, not both"),
        ({"row": {}, "path": "/etc/passwd"}, ["path"], "must be one of"),
        ({"row": {}, "explain": 1}, ["explain"], "must be true or false, got the number 1"),
        ({"row": []}, ["row"], "must be an object with a value for each column, got an array"),
        ({"rows": {}}, ["rows"], "must be an array of rows, got an object"),
        ({"rows": []}, ["rows"], "must have 1 to 12 rows, got 0 rows"),
        ({"rows": [{}] * 13}, ["rows"], "must have 1 to 12 rows, got 13 rows"),
        ({"rows": [3]}, ["rows", 0], "got the number 3"),
        ({"columns": []}, ["columns"], "must be an object of arrays, got an array"),
        ({"columns": {}}, ["columns"], "got 0 rows"),
        ({"columns": {"wind": 3}}, ["columns", "wind"], "must be an array with a value for each"),
        (
            {"columns": {"wind": [1, 2], "sky": [None]}},
            ["columns", "sky"],
            "must have 2 values as 'wind' has, got 1",
        ),
    ],
)
def test_another_form_of_the_request_is_refused(application, content, place, message):
    detail = refused(application, content)
    assert detail[0]["loc"] == place
    assert message in detail[0]["msg"]


def test_many_problems_are_counted(application):
    row = {f"c{k}": 0 for k in range(300)}
    status, answer = post(application, {"row": row})
    assert status == 422
    assert len(answer["detail"]) == 100
    assert answer["omitted"] == 6  # six columns are missing, and 100 of the unknown are named


def test_reading_stops_after_many_problems(tmp_path):
    application = make_application(save_named("nb", tmp_path / "m.augury"))
    status, answer = post(application, {"rows": [{}] * 10_000})
    assert status == 422
    assert answer["detail"][99]["loc"] == ["rows", 16, "grade"]  # six columns are missing in each
    assert answer["omitted"] == 2
    status, answer = post(application, {"columns": {"wind": [1] * 200_000}})
    assert status == 422
    assert answer["detail"][0]["msg"] == "must have 1 to 10000 rows, got 200000 rows"


def test_wrong_content_types_are_refused(application):
    body = json.dumps({"row": good_row()}).encode()
    for kind in (b"text/plain", b"application/x-www-form-urlencoded", b"application/jsonp",
                 b"application/json; charset=latin-1"):  # fmt: skip
        status, _, answer = call(application, "POST", "/predict", [body], [(b"content-type", kind)])
        assert (status, json.loads(answer)["detail"][0]["type"]) == (415, "content_type")
    assert call(application, "POST", "/predict", [body], [])[0] == 415
    zipped = [*JSON, (b"content-encoding", b"gzip")]
    assert call(application, "POST", "/predict", [body], zipped)[0] == 415
    kind = [(b"content-type", b'application/json; charset="UTF-8"')]
    assert call(application, "POST", "/predict", [body], kind)[0] == 200


def test_a_large_body_is_refused(application):
    size = [*JSON, (b"content-length", b"5001")]
    status, _, answer = call(application, "POST", "/predict", [], size, ends=False)
    assert status == 413
    assert "at most 5000 bytes" in json.loads(answer)["detail"][0]["msg"]
    for length in (b"-1", b"9" * 30, b"5e3", "٣".encode()):
        wrong = [*JSON, (b"content-length", length)]
        assert call(application, "POST", "/predict", [b"{}"], wrong)[0] == 413
    # Without a length, the bytes are counted as they come; the rest is not awaited.
    endless = [b" " * 1000] * 1000
    assert call(application, "POST", "/predict", endless, ends=False)[0] == 413
    assert call(application, "POST", "/predict", [b" " * 5001])[0] == 413


def test_a_body_in_parts_is_put_together(application):
    body = json.dumps({"row": good_row()}).encode()
    whole = call(application, "POST", "/predict", [body])
    assert call(application, "POST", "/predict", [body[:9], body[9:30], b"", body[30:]]) == whole


def test_a_client_that_leaves_gets_no_answer(application):
    assert call(application, "POST", "/predict", [b'{"row"'], ends=False) == (0, {}, b"")


def test_methods_and_paths(application):
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "HEAD"):
        status, headers, _ = call(application, method, "/predict")
        assert (status, headers[b"allow"]) == (405, b"POST")
    for path in ("/", "/schema", "/health"):
        status, headers, _ = call(application, "POST", path)
        assert (status, headers[b"allow"]) == (405, b"GET, HEAD")
        status, headers, body = call(application, "GET", path)
        assert (status, headers[b"content-length"]) == (200, b"%d" % len(body))
        assert call(application, "HEAD", path) == (200, headers, b"")
    for path in ("/predict/", "/..", "/etc/passwd", "//", "/schema/../health", "", "*"):
        assert call(application, "GET", path)[0] == 404


def test_too_many_rows_to_explain(tmp_path):
    saved = save_named("nb", tmp_path / "m.augury")
    application = make_application(saved)
    rows = [good_row()] * 101
    detail = refused(application, {"rows": rows, "explain": True})
    assert 'must have 1 to 100 rows with "explain", got 101 rows' in detail[0]["msg"]
    assert post(application, {"rows": rows})[0] == 200


def test_names_of_hosts(tmp_path):
    saved = save_named("nb", tmp_path / "m.augury")
    anywhere, named = make_application(saved), make_application(saved, allowed_hosts=["A.example"])
    for host, status in ((b"a.example:80", 200), (b"localhost", 200), (b"b.example", 421)):
        headers = [*JSON, (b"host", host)]
        assert call(named, "GET", "/health", headers=headers)[0] == status
        assert call(anywhere, "GET", "/health", headers=headers)[0] == 200
    assert call(named, "GET", "/health", headers=[])[0] == 200  # HTTP/1.0


def test_only_http_is_served(application):
    import asyncio

    with pytest.raises(ValueError, match="serves http, got 'websocket'"):
        asyncio.run(application({"type": "websocket"}, None, None))
