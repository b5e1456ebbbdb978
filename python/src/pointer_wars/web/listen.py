"""The sockets of the server, and how a browser names them."""
from __future__ import annotations

import contextlib
import ipaddress
import os
import pathlib
import socket
from typing import List, Optional, Tuple

BACKLOG = 256  # connections that wait to be accepted


def listening(host: str, port: Optional[int], usual: int) -> socket.socket:
    """A socket that listens. port None: the usual one, or if it is taken any other. OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM,
                                                  flags=socket.AI_PASSIVE)[0]

    def at(number: int) -> socket.socket:
        listener = socket.create_server((address[0], number, *address[2:]), family=family,
                                        backlog=BACKLOG, dualstack_ipv6=family == socket.AF_INET6)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # also of its connections
        return listener
    if port is not None:
        return at(port)
    try:
        return at(usual)
    except OSError:
        return at(0)


def unix_listening(path: str) -> socket.socket:
    """A socket with a name in the file system. One that a server has left is replaced. Everybody may
    ask, as over TCP; the rights of its folder can forbid it. OSError."""
    with socket.socket(socket.AF_UNIX) as asking, contextlib.suppress(FileNotFoundError):
        try:
            asking.connect(path)
        except ConnectionRefusedError:
            if pathlib.Path(path).is_socket():
                os.unlink(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen(BACKLOG)
    return listener


def inherited() -> List[socket.socket]:
    """The sockets that systemd has opened for this process (sd_listen_fds)."""
    count = 0
    with contextlib.suppress(KeyError, ValueError):
        if int(os.environ["LISTEN_PID"]) == os.getpid():
            count = int(os.environ["LISTEN_FDS"])
    sockets = [socket.socket(fileno=number) for number in range(3, 3 + count)]
    for each in sockets:
        each.set_inheritable(False)
    return sockets


def own_name(listener: socket.socket) -> str:
    """How other computers may call this one, if it listens on all its addresses; else empty."""
    if listener.family == socket.AF_UNIX:
        return ""
    host = listener.getsockname()[0].partition("%")[0]
    return socket.gethostname() if ipaddress.ip_address(host).is_unspecified else ""


def address_of(listener: socket.socket) -> Tuple[str, bool]:
    """Where a browser finds it, and true if no other computer does."""
    if listener.family == socket.AF_UNIX:
        return f"unix:{listener.getsockname()}", True
    host, port = listener.getsockname()[:2]
    found = ipaddress.ip_address(host.partition("%")[0])
    shown = "127.0.0.1" if found.is_unspecified else host
    return f"http://{'[' + shown + ']' if ':' in shown else shown}:{port}/", found.is_loopback
