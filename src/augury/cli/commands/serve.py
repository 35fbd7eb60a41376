"""`augury serve`."""

import click

from augury.cli.files.model_and_rows import open_model
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import user_errors


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="NAME",
    show_default=True,
    help="Address of this machine that accepts connections. There is neither a password nor "
    "encryption: an address other than 127.0.0.1 needs a proxy that has them.",
)
@click.option(
    "--port",
    default=8000,
    type=click.IntRange(0, 65535),
    show_default=True,
    help="Port; 0 takes a free one, which is printed.",
)
@click.option(
    "--max-request-bytes",
    default=1 << 20,
    metavar="N",
    type=click.IntRange(min=1),
    show_default=True,
    help="Most bytes of the body of a request.",
)
@click.option(
    "--max-rows",
    default=10_000,
    metavar="N",
    type=click.IntRange(min=1),
    show_default=True,
    help="Most rows of a request.",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    metavar="NAME",
    multiple=True,
    help="Name that requests may have in their header `host`, beside addresses and localhost, such "
    "as the name of a proxy; may be repeated.",
)
def serve(
    model_file: str,
    host: str,
    port: int,
    max_request_bytes: int,
    max_rows: int,
    allowed_hosts: tuple[str, ...],
) -> None:
    """Answer requests for predictions by HTTP.

    MODEL is a file that `augury fit` wrote. POST /predict takes JSON such as {"row": {"age": 41}}
    and returns the predicted class and the class probabilities. GET / is a page with a form, GET
    /schema describes the columns, GET /health answers as long as the server runs. Ctrl-C or
    SIGTERM ends the server after the running requests. Needs the extra `serve`.
    """
    with user_errors():
        from augury.serve import make_application, open_port, require_server, run_server, url_of

        require_server()
        saved = open_model(model_file)
        application = make_application(
            saved,
            max_request_bytes=max_request_bytes,
            max_rows=max_rows,
            allowed_hosts=allowed_hosts,
        )
        listening = open_port(host, port)
        run_server(
            application,
            listening,
            started=lambda: echo(
                f"{model_file} is served on {url_of(listening)} (Ctrl-C ends the server)"
            ),
        )
    echo("The server has ended.")


__all__ = ["serve"]
