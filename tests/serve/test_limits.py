"""Limits of connections: slow clients, and too many of them."""

import socket
import subprocess
import sys

import pytest

from tests.serve.served import Served, save_named

PROGRAM = """
import sys
from augury.persist import load_model
from augury.serve import ServerLimits, make_application, open_port, run_server, url_of
limits = ServerLimits(connections=3, waiting_seconds=0.3, request_seconds=0.6)
listening = open_port("127.0.0.1", 0)
application = make_application(load_model(sys.argv[1]))
run_server(application, listening, limits=limits,
           started=lambda: print(listening.getsockname()[1], flush=True))
"""

HEAD = b"POST /predict HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


def is_closed(client):
    """Wait for the server, and return whether it closes the connection without an answer."""
    try:
        return client.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    path = tmp_path_factory.mktemp("served") / "m.augury"
    save_named("nb", path)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        running = Served(process, "127.0.0.1", int(process.stdout.readline()))
        yield running
        assert running.stop() == (0, "", "")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"POST /pre",
        b"POST /predict HTTP/1.1\r\nhost: x\r\n",
        HEAD + b'content-length: 90\r\n\r\n{"row": ',
        HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\n{    \r\n",
    ],
)
def test_a_client_that_sends_nothing_more_is_closed(server, start):
    with socket.create_connection((server.host, server.port), timeout=30) as client:
        client.sendall(start)
        assert is_closed(client)
    assert server.request("GET", "/health")[0] == 200


def test_one_connection_too_many_is_closed(server):
    address = (server.host, server.port)
    kept = [socket.create_connection(address, timeout=30) for _ in range(3)]
    try:
        for client in kept:  # so that the server has accepted them
            client.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
            assert client.recv(1000).startswith(b"HTTP/1.1 200")
        with socket.create_connection(address, timeout=30) as late:
            late.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
            assert is_closed(late)
    finally:
        for client in kept:
            client.close()
    assert server.request("GET", "/health")[0] == 200
