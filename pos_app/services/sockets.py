"""Sockets that keep a Call's deadline: name, connect, TLS, send and receive. Knows nothing of HTTP."""

from __future__ import annotations

import contextlib
import ipaddress
import select
import socket
import ssl
import sys
import threading
from collections.abc import Callable
from typing import Any

from pos_app.services.call import Call
from pos_app.services.errors import Broken, ConnectFailed, NameNotResolved, TlsFailed

Address = tuple[socket.AddressFamily, Any]
Lookup = Callable[[str, int], list[Address]]


def system_lookup(host: str, port: int) -> list[Address]:
    """The system's resolver, which has no time limit of its own."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [(family, address) for family, _, _, _, address in found]


def resolve(host: str, port: int, call: Call, lookup: Lookup = system_lookup) -> list[Address]:
    """The addresses of a host. The resolver runs in a thread that is left behind if it is too slow."""
    with contextlib.suppress(ValueError):
        version = ipaddress.ip_address(host).version
        return [(socket.AF_INET if version == 4 else socket.AF_INET6, (host, port))]
    found: list[Address] = []

    def look() -> None:
        with contextlib.suppress(OSError, UnicodeError):
            found.extend(lookup(host, port))

    worker = threading.Thread(target=look, name="resolver", daemon=True)
    worker.start()
    worker.join(call.connect_time_left())
    if worker.is_alive():
        raise NameNotResolved("the name service does not answer")
    if not found:
        raise NameNotResolved("the service's name has no address")
    return found


def dial(host: str, port: int, call: Call, lookup: Lookup = system_lookup) -> socket.socket:
    """A connected socket; the addresses share the time, so that a dead first one does not use it all."""
    addresses = resolve(host, port, call, lookup)
    problem = ""
    for tried, (family, address) in enumerate(addresses):
        sock = socket.socket(family, socket.SOCK_STREAM)
        try:
            sock.settimeout(call.connect_time_left() / (len(addresses) - tried))
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            sock.close()
            problem = str(error)
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise ConnectFailed(problem)


def secure(sock: socket.socket, context: ssl.SSLContext, host: str, call: Call) -> ssl.SSLSocket:
    """The socket under TLS with the service's identity proven; closes it when that fails."""
    try:
        sock.settimeout(call.connect_time_left())
        return context.wrap_socket(sock, server_hostname=host)
    except TimeoutError as error:
        sock.close()
        raise ConnectFailed("no TLS handshake in time") from error
    except (ssl.SSLError, ssl.CertificateError) as error:
        sock.close()
        raise TlsFailed(str(error)) from error
    except OSError as error:
        sock.close()
        raise ConnectFailed(str(error)) from error
    except BaseException:
        sock.close()
        raise


def send_all(sock: socket.socket, data: bytes, call: Call) -> None:
    """Send everything within the deadline. From its first byte on, the request counts as sent."""
    rest = memoryview(data)
    while rest:
        sock.settimeout(call.time_left())
        call.leave()
        try:
            rest = rest[sock.send(rest) :]
        except TimeoutError as error:
            raise call.out_of_time() from error


def receive(sock: socket.socket, size: int, call: Call) -> bytes:
    """What came, at most `size` bytes, empty at the end; within the deadline and the cap."""
    sock.settimeout(call.time_left())
    try:
        data = sock.recv(size)
    except TimeoutError as error:
        raise call.out_of_time() from error
    except OSError as error:
        raise Broken(str(error)) from error
    call.keep(data)
    return data


def has_news(sock: socket.socket) -> bool:
    """Whether something waits on an idle connection: its end, or bytes nobody asked for."""
    if sock.fileno() < 0:
        return True
    if sys.platform == "win32":
        return bool(select.select([sock], [], [], 0)[0])
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))
