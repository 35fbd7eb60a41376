"""`augury serve` in a process of its own, asked over sockets."""

import json
import random
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from tests.serve.malformed import malformed_bodies, malformed_requests
from tests.serve.served import make_table, row_of, save_named, serving

X = make_table().X
N_MALFORMED = 10_000


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("served") / "days.augury"
    return path, save_named("nb", path)


@pytest.fixture(scope="module")
def server(saved):
    with serving(saved[0], "--max-request-bytes", "20000") as running:
        yield running
        assert running.stop()[2] == ""  # no exception in any test


def is_right(server, model, i=3):
    status, answer = server.predict({"row": row_of(X, i)})
    expected = model.predict_proba(X.iloc[[i]])[0].tolist()
    return status == 200 and list(answer["probabilities"].values()) == pytest.approx(
        expected, abs=1e-9
    )


def test_a_row_is_predicted_as_by_the_model(server, saved):
    assert is_right(server, saved[1].model)


def test_explanations_and_batches_over_http(server):
    rows = [row_of(X, i) for i in range(20)]
    status, answer = server.predict({"rows": rows, "explain": True})
    assert status == 200
    assert len(answer["predictions"]) == 20
    for each in answer["predictions"]:
        parts = each["explanation"]
        total = parts["prior"] + sum(parts["contributions"].values())
        assert total == pytest.approx(parts["log_odds"], abs=1e-9)


def test_the_page_has_strict_headers(server):
    status, headers, body = server.request("GET", "/")
    assert status == 200
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    for needle in (b"http-equiv", b"src=", b"@import", b"url("):
        assert needle not in body
    for path in ("/schema", "/health", "/missing"):
        found = server.request("GET", path)[1]
        assert found["content-type"] == "application/json"
        assert found["x-content-type-options"] == "nosniff"


def test_the_schema_describes_the_columns(server):
    schema = json.loads(server.request("GET", "/schema")[2])
    assert schema["openapi"] == "3.1.0"
    row = schema["components"]["schemas"]["Row"]
    assert row["required"] == ["sky", "wet", "wind", "grade", "price", "day"]
    assert row["additionalProperties"] is False
    columns = row["properties"]
    assert columns["wind"]["type"] == ["number", "null"]
    assert columns["wind"]["x-range"] == [X["wind"].min(), X["wind"].max()]
    assert sorted(columns["sky"]["x-labels"]) == ["fog", "rain", "snow", "sun"]
    assert columns["wet"]["type"] == ["boolean", "null"]
    assert columns["price"]["type"] == ["number", "string", "null"]
    assert columns["day"]["description"] == "A date: ISO 8601, such as 2024-12-31."
    assert "may be absent" in columns["id"]["description"]


def test_a_foreign_host_is_refused(server):
    for host in ("evil.example", "evil.example:8000", "localhost.evil.example", "", "127.0.0.1.x"):
        assert server.request("GET", "/schema", host=host)[0] == 421
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]:80", "10.0.0.7"):
        assert server.request("GET", "/schema", host=host)[0] == 200


def test_a_large_body_is_refused_over_http(server, saved):
    body = b" " * 300_000
    status, _, answer = server.request("POST", "/predict", body, content_type="application/json")
    assert (status, json.loads(answer)["detail"][0]["type"]) == (413, "too_large")
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        client.sendall(
            b"POST /predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        client.sendall(b"2000\r\n" + b" " * 0x2000 + b"\r\n")
        client.sendall(b"3000\r\n" + b" " * 0x3000 + b"\r\n")
        assert client.recv(4000).startswith(b"HTTP/1.1 413 ")
    assert is_right(server, saved[1].model)


def test_endless_headers_close_the_connection(server, saved):
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nx: ")
        with pytest.raises(ConnectionError):
            client.sendall(b"a" * 10_000_000)
    assert is_right(server, saved[1].model)


def test_several_clients_at_once(server, saved):
    model = saved[1].model
    rows = list(range(40))
    expected = model.predict_proba(X.iloc[rows])

    def ask(i):
        status, answer = server.predict({"row": row_of(X, i), "explain": i % 8 == 0})
        return status == 200 and list(answer["probabilities"].values()) == pytest.approx(
            expected[i].tolist(), abs=1e-9
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, rows * 5))


def test_malformed_requests_leave_the_server_alive(server, saved):
    """Half of the requests are bodies, half are raw bytes of whole requests."""
    process = psutil.Process(server.process.pid)
    model = saved[1].model
    good = json.dumps({"row": row_of(X, 3)}).encode()
    rng = random.Random(0)
    statuses = set()
    with MalformedClient(server) as client:
        for k, body in enumerate(malformed_bodies(good, rng, N_MALFORMED // 2)):
            statuses.add(client.post(body))
            if k == 500:
                before = process.memory_info().rss
    for request in malformed_requests(good, rng, N_MALFORMED // 2):
        send_raw(server, request)
    assert statuses <= {200, 400, 413, 422}
    assert {400, 422} <= statuses
    assert server.process.poll() is None
    assert is_right(server, model)
    assert process.memory_info().rss - before < 20e6


class MalformedClient:
    """Posts bodies over one connection after another."""

    def __init__(self, server):
        self._server = server
        self._client = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._client is not None:
            self._client.close()

    def post(self, body):
        """Return the status of the answer."""
        if self._client is None:
            address = (self._server.host, self._server.port)
            self._client = socket.create_connection(address, timeout=20)
        head = (
            "POST /predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        self._client.sendall(head.encode() + body)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._client.recv(65536)
        start, _, rest = answer.partition(b"\r\n\r\n")
        length = int(start.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        while len(rest) < length:
            rest += self._client.recv(65536)
        return int(start.split(b" ")[1])


def send_raw(server, request):
    """Send bytes, and read what comes until the connection ends or there is an answer."""
    with socket.create_connection((server.host, server.port), timeout=20) as client:
        try:
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
            client.recv(65536)
        except ConnectionError:
            pass  # the server may close a connection that it does not understand


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server(saved, number):
    with serving(saved[0]) as running:
        assert running.request("GET", "/health")[0] == 200
        with socket.create_connection((running.host, running.port)):  # an idle connection
            code, output, errors = running.stop(number)
    assert (code, errors) == (0, "")
    assert "ended" in output


def run_command(*arguments):
    command = [sys.executable, "-m", "augury.cli", "serve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_port_in_use_is_an_error(server, saved):
    found = run_command(str(saved[0]), "--port", str(server.port))
    assert found.returncode == 2
    assert f"port {server.port} of '127.0.0.1' cannot be opened" in found.stderr
    assert "choose another one with --port" in found.stderr
    assert "Traceback" not in found.stderr


def test_an_unknown_host_is_an_error(saved):
    found = run_command(str(saved[0]), "--host", "nowhere.invalid", "--port", "0")
    assert found.returncode == 2
    assert "'nowhere.invalid' cannot be opened" in found.stderr


def test_a_broken_model_file_is_refused_before_the_port_is_opened(server, saved, tmp_path):
    broken = tmp_path / "broken.augury"
    broken.write_bytes(saved[0].read_bytes()[:-200])
    found = run_command(str(broken), "--port", str(server.port))  # which is in use
    assert found.returncode == 2
    assert "broken.augury" in found.stderr
    assert "port" not in found.stderr
    missing = run_command(str(tmp_path / "missing.augury"))
    assert missing.returncode == 2
    assert "MODEL is" in missing.stderr


def test_the_extra_is_named_if_it_is_missing(saved, tmp_path):
    hidden = tmp_path / "uvicorn.py"
    hidden.write_text("raise ModuleNotFoundError(name='uvicorn')\n")
    shutil.copy(saved[0], tmp_path / "m.augury")
    code = "import sys; from augury.cli import main; sys.path.insert(0, '.'); main()"
    found = subprocess.run(
        [sys.executable, "-c", code, "serve", "m.augury", "--port", "0"],
        capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert found.returncode == 2
    assert 'pip install "augury[serve]"' in found.stderr
