"""A saved model as a web service: predictions, explanations, a schema and a page.

- `make_application`: the ASGI application of a saved model
- `open_port`, `run_server`: the application on a port of this machine (extra `serve`)
- `ServerLimits`: limits of connections
"""

from augury.serve.make_application import make_application
from augury.serve.server import open_port, require_server, run_server, url_of
from augury.serve.server_limits import ServerLimits

__all__ = [
    "ServerLimits",
    "make_application",
    "open_port",
    "require_server",
    "run_server",
    "url_of",
]
