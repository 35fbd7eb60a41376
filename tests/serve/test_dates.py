"""Dates of a request: in the learned format and in ISO 8601."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from augury.models.tidy_model import tidy_model
from augury.serve import make_application
from augury.serve.dates import days_reader, read_dates
from tests.serve.asgi import call, post
from tests.serve.served import make_table, row_of, save_fitted

FORMATS = {"day first": "%d/%m/%Y", "month first": "%m-%d-%Y", "year first": "%Y/%m/%d"}
PLAIN = make_table()


def make_dates(code):
    """Return the table with its dates in another format."""
    days = pd.to_datetime(PLAIN.X["day"]).dt.strftime(FORMATS[code])
    return replace(PLAIN, X=PLAIN.X.assign(day=days))


@pytest.mark.parametrize("name", ["nb", "hnb"])  # by look-ups, and by the model itself
@pytest.mark.parametrize("code", FORMATS)
def test_iso_dates_are_read_like_those_of_the_learned_format(code, name, tmp_path):
    dataset = make_dates(code)
    application = make_application(save_fitted(tidy_model(name), dataset, tmp_path / "m.augury"))
    written = [row_of(dataset.X, i) for i in range(40)]
    iso = [row | {"day": PLAIN.X["day"].iloc[i]} for i, row in enumerate(written)]
    expected = post(application, {"rows": written})
    assert expected[0] == 200
    assert post(application, {"rows": iso}) == expected
    mixed = {"rows": [*written[:20], *iso[20:]]}
    assert post(application, mixed) == expected
    assert post(application, {"row": iso[3], "explain": True}) == post(
        application, {"row": written[3], "explain": True}
    )
    status, answer = post(application, {"row": written[0] | {"day": "Monday"}})
    assert status == 422
    formats = f"(ISO 8601, such as 2024-12-31, or {code}, such as "
    assert formats in answer["detail"][0]["msg"]
    schema = json.loads(call(application, "GET", "/schema")[2])
    day = schema["components"]["schemas"]["Row"]["properties"]["day"]
    assert formats[1:] in day["description"]


def test_the_example_of_the_page_has_a_date(tmp_path):
    saved = save_fitted(tidy_model("nb"), make_dates("day first"), tmp_path / "m.augury")
    page = call(make_application(saved), "GET", "/")[2].decode()
    example = page.partition("-d '")[2].partition("'</pre>")[0]
    assert "2024-" in example.partition("day&#34;: &#34;")[2][:5]


@pytest.mark.parametrize("code", ["iso", *FORMATS])
def test_plain_dates_are_read_as_pandas_reads_them(code):
    texts = [
        "2024-02-29", "2023-02-29", "2024-2-9", "29/02/2024", "2/9/2024", "2.9.2024", "2/9.2024",
        "02/29/2024", "2024/02/29", "2024.2.9", "2024-13-01", "1500-01-01", "31.12.1999", "x",
        "2024-02-29T06:00", "29/02/2024 6:00", "", " 2024-02-29",
    ]  # fmt: skip
    days_of = days_reader(code)
    expected = (read_dates(texts, code) - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
    assert [days_of(text) for text in texts] == [None if pd.isna(x) else x for x in expected]
