"""Functions of the commands that serve pages: required packages, port and server."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from starlette.types import ASGIApp

#: The names of the loopback interface.
LOOPBACK: Final = ("127.0.0.1", "localhost")
#: The number of concurrent connections; the server answers further ones with 503.
_MAX_CONNECTIONS: Final = 100
_Command = TypeVar("_Command", bound=Callable[..., Any])


def require_server(command: str) -> None:
    """Raise `ClickException` if the packages of the server are not installed."""
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise click.ClickException(
            f"{command} needs two more packages: pip install 'citekg[serve]'"
        )


def port_option(default: int) -> Callable[[_Command], _Command]:
    """Return the option of the port to listen on."""
    return click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=default,
        show_default=True,
        help="The port; 0 chooses a free one.",
    )


def listen(host: str, port: int) -> tuple[socket.socket, str]:
    """Return a listening socket, on a free port for 0, and its address.

    Raises `ClickException` if the port cannot be used.
    """
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise click.ClickException(
            f"{host}:{port} cannot listen here: {error.strerror}; choose another --port"
        ) from error
    return listening, f"http://{host}:{listening.getsockname()[1]}"


def run_server(served: ASGIApp, listening: socket.socket) -> None:
    """Answer requests until Ctrl+C."""
    import uvicorn

    from citekg.serving.slow_clients import SlowClientProtocol

    with suppress(KeyboardInterrupt):
        config = uvicorn.Config(
            served,
            http=SlowClientProtocol,
            ws="none",
            limit_concurrency=_MAX_CONNECTIONS,
            log_config=None,
            log_level="error",
            server_header=False,
        )
        uvicorn.Server(config).run(sockets=[listening])
