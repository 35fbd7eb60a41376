"""Requests that wait for the model: their bound, their time limit, clients that leave."""

import asyncio
import json
from threading import Event, current_thread

import pytest

from augury.serve.answer_queue import AnswerQueue, QueueFullError
from augury.serve.application import Application
from augury.serve.prediction_service import AbandonedError, PredictionService
from tests.serve.asgi import JSON
from tests.serve.served import make_table, row_of, save_named


class HeldService:
    """A service that computes no answer before it is released."""

    is_fast = False

    def __init__(self):
        self.started, self.released = Event(), Event()
        self.computed, self.saw_abandoned = [], Event()

    def answer(self, body, is_abandoned=lambda: False):
        self.computed.append(body)
        self.started.set()
        while not self.released.wait(0.01):
            if is_abandoned():
                self.saw_abandoned.set()
                raise AbandonedError
        return body


class Client:
    """A client that waits for its answer, or leaves."""

    def __init__(self, application, body):
        self._body, self._left, self._sent = body, asyncio.Event(), []
        headers = list(JSON)
        scope = {"type": "http", "method": "POST", "path": "/predict", "headers": headers}
        self.task = asyncio.create_task(application(scope, self._receive, self._send))

    async def _receive(self):
        if self._body is None:
            await self._left.wait()
            return {"type": "http.disconnect"}
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}

    async def _send(self, message):
        self._sent.append(message)

    def leave(self):
        self._left.set()

    async def answer(self):
        """Return status and body of the answer; None if there is none."""
        await self.task
        return (self._sent[0]["status"], self._sent[1]["body"]) if self._sent else None


def make(service, **limits):
    return Application(service, {}, max_request_bytes=1000, **limits)


async def is_set(event):
    assert await asyncio.to_thread(event.wait, 30)


async def wait_for_queue(application, n):
    while len(application._queue._waiting) != n:
        await asyncio.sleep(0.001)


def test_the_queue_is_bounded():
    service = HeldService()
    application = make(service, max_waiting=2)

    async def run():
        clients = [Client(application, b"%d" % i) for i in range(3)]
        await is_set(service.started)
        await wait_for_queue(application, 2)
        status, body = await Client(application, b"3").answer()
        assert status == 503
        message = json.loads(body)["detail"][0]["msg"]
        assert message == "2 other requests are waiting for answers; ask again later"
        service.released.set()
        assert [await each.answer() for each in clients] == [(200, b"%d" % i) for i in range(3)]
        assert await Client(application, b"4").answer() == (200, b"4")

    asyncio.run(run())
    assert service.computed == [b"0", b"1", b"2", b"4"]


def test_the_request_of_a_client_that_leaves_is_not_computed():
    service = HeldService()
    application = make(service, max_waiting=1)

    async def run():
        first, second = Client(application, b"0"), Client(application, b"1")
        await is_set(service.started)
        await wait_for_queue(application, 1)
        second.leave()
        assert await second.answer() is None
        third = Client(application, b"2")  # has the place of the second
        await asyncio.sleep(0)
        service.released.set()
        assert [await first.answer(), await third.answer()] == [(200, b"0"), (200, b"2")]

    asyncio.run(run())
    assert service.computed == [b"0", b"2"]


def test_a_running_computation_learns_that_the_client_has_left():
    service = HeldService()

    async def run():
        client = Client(make(service), b"0")
        await is_set(service.started)
        client.leave()
        assert await client.answer() is None
        await is_set(service.saw_abandoned)

    asyncio.run(run())


def test_an_answer_that_takes_too_long_is_refused():
    service = HeldService()

    async def run():
        status, body = await Client(make(service, max_seconds=0.01), b"0").answer()
        assert status == 503
        assert "not computed within 0.01 seconds" in json.loads(body)["detail"][0]["msg"]
        service.released.set()

    asyncio.run(run())


def test_a_server_that_ends_answers_its_requests():
    service = HeldService()

    async def run():
        client = Client(make(service), b"0")
        await is_set(service.started)
        client.task.cancel()
        status, body = await client.answer()
        assert (status, json.loads(body)["detail"][0]["type"]) == (503, "stopping")
        await is_set(service.saw_abandoned)

    asyncio.run(run())


@pytest.mark.parametrize(
    "body", [b'{"explain": true}', rb'{"\u0065xplain": true}', rb'{"e\u0078plain": true}']
)
def test_explanations_are_never_computed_in_the_event_loop(body):
    class FastService:
        is_fast = True

        def answer(self, body, is_abandoned=None):
            return current_thread().name.encode()

    async def run():
        application = make(FastService())
        assert await Client(application, body).answer() == (200, b"augury-serve")
        assert await Client(application, b"{}").answer() == (200, b"MainThread")

    asyncio.run(run())


def test_explanations_end_between_rows(tmp_path):
    service = PredictionService(save_named("nb", tmp_path / "m.augury"), max_rows=10)
    row = row_of(make_table().X, 0)
    body = json.dumps({"rows": [row] * 3, "explain": True}).encode()
    asked = iter([False, False, True])
    with pytest.raises(AbandonedError):
        service.answer(body, lambda: next(asked))
    assert next(asked, None) is None


def test_an_error_of_a_computation_is_that_of_its_job():
    queue = AnswerQueue(0)
    job = queue.submit(lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        job.future.result(30)


def test_a_queue_without_places_computes_one_job_at_a_time():
    queue, service = AnswerQueue(0), HeldService()
    first = queue.submit(lambda is_abandoned: service.answer(b"0", is_abandoned))
    with pytest.raises(QueueFullError):
        queue.submit(lambda _: b"1")
    service.released.set()
    assert first.future.result(30) == b"0"
