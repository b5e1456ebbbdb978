"""The sockets of the server, and how a browser names them."""
from __future__ import annotations

import ipaddress
import socket
from typing import Optional, Tuple

BACKLOG = 256  # connections that wait to be accepted


def listening(host: str, port: Optional[int], usual: int) -> socket.socket:
    """A socket that listens. port None: the usual one, or if it is taken any other. OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM,
                                                  flags=socket.AI_PASSIVE)[0]
    for number in (usual, 0) if port is None else (port,):
        # With the protocol named, asyncio sends without waiting for more (TCP_NODELAY).
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address[0], number, *address[2:]))
            listener.listen(BACKLOG)
            return listener
        except OSError:
            listener.close()
            if port is not None or number == 0:
                raise
    raise AssertionError


def own_name(listener: socket.socket) -> str:
    """How other computers may call this one, if it listens on all its addresses; else empty."""
    host = listener.getsockname()[0].partition("%")[0]
    return socket.gethostname() if ipaddress.ip_address(host).is_unspecified else ""


def address_of(listener: socket.socket) -> Tuple[str, bool]:
    """Where a browser finds it, and true if no other computer does."""
    host, port = listener.getsockname()[:2]
    found = ipaddress.ip_address(host.partition("%")[0])
    shown = "127.0.0.1" if found.is_unspecified else host
    return f"http://{'[' + shown + ']' if ':' in shown else shown}:{port}/", found.is_loopback
