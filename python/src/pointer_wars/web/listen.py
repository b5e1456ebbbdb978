"""The sockets of the server, and how a browser names them."""
from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import socket
import stat
from typing import List, Optional, Tuple

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


def unix_listening(path: str) -> socket.socket:
    """A socket with a name in the file system. One that a server has left is replaced. Everybody may
    ask, as over TCP; the rights of its folder can forbid it. OSError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        try:
            listener.bind(path)
        except OSError as why:
            if why.errno != errno.EADDRINUSE or is_answered(path):
                raise
            os.unlink(path)
            listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen(BACKLOG)
        return listener
    except OSError:
        listener.close()
        raise


def is_answered(path: str) -> bool:
    """True if somebody listens on the socket of this name, or if it is no socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        try:
            asking.connect(path)
        except OSError as why:
            return why.errno != errno.ECONNREFUSED or not stat.S_ISSOCK(os.stat(path).st_mode)
    return True


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
