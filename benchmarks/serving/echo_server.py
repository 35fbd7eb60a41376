"""A bare application that sends the body of a request back, on the server of `augury serve`."""

from typing import Any

from augury.serve import open_port, run_server, url_of


async def echo(_: Any, receive: Any, send: Any) -> None:
    """Send the body of a request back."""
    message = await receive()
    body = message["body"]
    while message["more_body"]:
        message = await receive()
        body += message["body"]
    length = (b"content-length", b"%d" % len(body))
    headers = [(b"content-type", b"application/json"), length]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


if __name__ == "__main__":
    listening = open_port("127.0.0.1", 0)
    run_server(echo, listening, started=lambda: print(url_of(listening), flush=True))
