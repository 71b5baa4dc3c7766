"""Sockets that keep a Call's deadline: name, connect, TLS, send and receive. Knows nothing of HTTP."""

from __future__ import annotations

import socket
import ssl

from pos_app.services.call import Call
from pos_app.services.errors import Broken, ConnectFailed, NameNotResolved, TlsFailed
from pos_app.system.dialing import Names, NoAddress, NotConnected, connected
from pos_app.system.waiting import can_read


def dial(host: str, port: int, call: Call, names: Names) -> socket.socket:
    """A socket that is connected to whichever of the host's addresses answers first."""
    try:
        addresses = names.in_order(host, port, call.connect_time_left())
        return connected(addresses, call.connect_time_left)
    except NoAddress as error:
        raise NameNotResolved(str(error)) from error
    except NotConnected as error:
        raise ConnectFailed(str(error)) from error


def secure(sock: socket.socket, context: ssl.SSLContext, host: str, call: Call) -> ssl.SSLSocket:
    """The socket under TLS with the service's identity proven; closes it when that fails."""
    try:
        sock.settimeout(call.connect_time_left())
        return context.wrap_socket(sock, server_hostname=host)
    except TimeoutError as error:
        sock.close()
        raise ConnectFailed("no TLS handshake in time") from error
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError) as error:
        # Nobody has shown who they are: a network that lets nothing through ends it so, too.
        sock.close()
        raise ConnectFailed("the connection ended in the TLS handshake") from error
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
    left_s = call.time_left()
    try:
        sock.settimeout(left_s)
        data = sock.recv(size)
    except TimeoutError as error:
        raise call.out_of_time() from error
    except OSError as error:
        raise Broken(str(error)) from error
    call.keep(data)
    return data


def has_news(sock: socket.socket) -> bool:
    """Whether something waits on an idle connection: its end, or bytes nobody asked for."""
    return sock.fileno() < 0 or can_read(sock, 0)
