"""The end of a server whose requests are not answered: no traceback, and the process ends."""

import json
import signal
import socket
import subprocess
import sys

import pytest

from tests.serve.served import Served, save_named

# The model computes an answer until the process ends.
PROGRAM = """
import sys, time
from augury.persist import load_model
from augury.serve import ServerLimits, make_application, open_port, run_server
from augury.serve.prediction_service import PredictionService

def compute(self, body, is_abandoned):
    print("computes", flush=True)
    while True:
        time.sleep(0.01)

PredictionService.answer = compute
PredictionService.is_fast = False
limits = ServerLimits(waiting_seconds=0.5, request_seconds=float(sys.argv[3]))
listening = open_port("127.0.0.1", 0)
application = make_application(load_model(sys.argv[1]), max_seconds=float(sys.argv[2]))
run_server(application, listening, limits=limits,
           started=lambda: print(listening.getsockname()[1], flush=True))
print("ended", flush=True)
"""
HEAD = b"POST /predict HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("served") / "m.augury"
    save_named("nb", path)
    return path


@pytest.fixture
def start(path):
    started = []

    def start_it(max_seconds, request_seconds):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path), str(max_seconds), str(request_seconds)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return Served(process, "127.0.0.1", int(process.stdout.readline()))

    yield start_it
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def ask(server):
    """Return a client whose answer is being computed."""
    client = socket.create_connection((server.host, server.port), timeout=30)
    client.sendall(HEAD + b"content-length: 2\r\n\r\n{}")
    assert server.process.stdout.readline() == "computes\n"
    return client


def read_answer(client):
    """Return status and problem of the answer; the server closes the connection."""
    answer = b""
    while part := client.recv(65536):
        answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["detail"][0]["type"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_running_requests_are_refused_at_their_time_limit(start, number):
    server = start(2, 30)
    with ask(server) as client:
        server.process.send_signal(number)
        assert read_answer(client) == (503, "timeout")
        output, errors = server.process.communicate(timeout=30)
    assert (server.process.returncode, output, errors) == (0, "ended\n", "")


def test_a_second_signal_does_not_wait(start):
    server = start(3000, 3000)
    with ask(server) as client:
        server.process.send_signal(signal.SIGINT)
        while is_open(server):
            pass
        server.process.send_signal(signal.SIGINT)
        assert read_answer(client) == (503, "stopping")
        output, errors = server.process.communicate(timeout=30)
    assert (server.process.returncode, output, errors) == (0, "ended\n", "")


def is_open(server):
    try:
        socket.create_connection((server.host, server.port), timeout=30).close()
    except OSError:
        return False
    return True


def test_a_client_that_never_sends_its_body_does_not_hold_the_server(start):
    server = start(3000, 3000)
    with socket.create_connection((server.host, server.port), timeout=30) as client:
        client.sendall(HEAD + b"content-length: 90\r\nexpect: 100-continue\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 100")  # the headers are read
        assert server.stop() == (0, "ended\n", "")
