"""The one door to the HTTP library: requests go out, its exceptions come back as ours. Decides nothing.

Imported at the first request, not at start: httpx alone costs as much as the window.
"""

from __future__ import annotations

import http.cookiejar
import ssl
from collections.abc import Iterator
from typing import Any, cast

import httpcore
import httpx

from pos_app.services import reuse
from pos_app.services.call import BODY_CAP, Call
from pos_app.services.errors import Broken, ConnectFailed, Garbled, Redirected, TooLarge
from pos_app.services.network import Network
from pos_app.services.origin import Origin
from pos_app.system.address import USUAL_PORTS
from pos_app.system.dialing import Lookup

MAX_CONNECTIONS = 16
KEPT_CONNECTIONS = 6
KEPT_FOR_S = 4.0
"""Below the five seconds after which common servers close: a request must not meet a closing connection."""

RawReply = tuple[int, dict[str, str], bytes]


class Body(httpx.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()


class Transport(httpx.BaseTransport):
    """The library's own transport without its choice of sockets, proxies and certificates."""

    def __init__(self, network: Network, context: ssl.SSLContext | None) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=context,
            max_connections=MAX_CONNECTIONS,
            max_keepalive_connections=KEPT_CONNECTIONS,
            keepalive_expiry=KEPT_FOR_S,
            retries=0,
            network_backend=cast(httpcore.NetworkBackend, network),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        reply = self._pool.handle_request(
            httpcore.Request(
                request.method,
                target,
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        if 300 <= reply.status < 400:
            # The library reads the Location even where it does not follow, and fails on a bad one.
            reply.close()
            raise Redirected(f"a redirect ({reply.status}) is never followed", reply.status)
        return httpx.Response(
            reply.status, headers=reply.headers, stream=Body(reply.stream), extensions=reply.extensions
        )

    def close(self) -> None:
        self._pool.close()


class HttpDoor:
    """Exchanges with one origin over kept connections; safe for several threads at once."""

    def __init__(self, origin: Origin, context: ssl.SSLContext | None, lookup: Lookup) -> None:
        self._network = Network(origin, lookup)
        no_cookies = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
        self._client = httpx.Client(
            transport=Transport(self._network, context),
            headers={"Host": _host_of(origin), "User-Agent": "pos-app", "Accept-Encoding": "identity"},
            cookies=no_cookies,
            follow_redirects=False,
            trust_env=False,
            timeout=None,
        )

    def exchange(
        self, method: str, url: str, body: bytes, headers: list[tuple[bytes, bytes]], call: Call
    ) -> RawReply:
        """One request, sent at most once. Raises a ServiceError."""
        extensions = {"timeout": {"pool": call.time_left()}}
        try:
            with (
                self._network.serving(call),
                self._client.stream(
                    method, url, content=body, headers=headers, extensions=extensions
                ) as reply,
            ):
                return _read(reply, call)
        except httpcore.TimeoutException as error:
            raise ConnectFailed("no free connection in time") from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise _translated(error, call) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # Raised by the library's own reading of the reply, for the transport below raises httpcore's.
            raise Garbled(f"not HTTP: {error}") from error

    def end(self) -> None:
        """Break what is under way; each caller gets its error at once."""
        self._network.end()

    def close(self) -> None:
        """Close the kept connections."""
        self._client.close()


def _host_of(origin: Origin) -> str:
    """As the library writes it, which fails, of its own kind of error, on a name with "xn--" that is no word."""
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    return host if origin.port == USUAL_PORTS[origin.scheme] else f"{host}:{origin.port}"


def _read(reply: httpx.Response, call: Call) -> RawReply:
    status = reply.status_code
    encoding = reply.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise Garbled("an encoded reply, which was not asked for", status)
    body = bytearray()
    # Not `iter_raw`: it gives the connection back at the reply's end, to whoever waits for one, before it is marked.
    for part in cast(httpx.SyncByteStream, reply.stream):
        body += part
        if len(body) > BODY_CAP:
            raise TooLarge(f"more than {BODY_CAP} bytes", status)
    chunked = "transfer-encoding" in reply.headers
    if not reuse.may_carry_another(call.received, len(body), chunked=chunked):
        reply.extensions["network_stream"].spent = True
    return status, {name.lower(): value for name, value in reply.headers.items()}, bytes(body)


def _translated(error: Exception, call: Call) -> Broken | ConnectFailed | Garbled:
    if not call.sent:
        return ConnectFailed(str(error))
    if isinstance(error, httpcore.RemoteProtocolError) and not call.saw_end:
        return Garbled(f"not HTTP: {error}")
    return Broken(str(error))
