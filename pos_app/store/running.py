"""`store run`: the private PostgreSQL kept up, the server, its metrics and what comes round daily; ends at a signal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import msgspec
import psycopg

from pos_app.store.cluster import Cluster, ClusterUnusable
from pos_app.store.database import Database
from pos_app.store.errors import CANNOT_CREATE, USAGE, StoreError
from pos_app.store.health import Watch, serve_metrics
from pos_app.store.server import CounterApi, Side, StoreServer, application, listen

_LOOK_S, _MAINTAIN_S = 0.5, 3_600.0


def is_loopback(host: str | None) -> bool:
    """Whether this machine alone reaches it."""
    return host in ("127.0.0.1", "::1", "localhost")


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Where and how it is served. `port` 0 takes a free one; `metrics_port` None serves no metrics."""

    host: str = "127.0.0.1"
    port: int = 0
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False
    metrics_port: int | None = None

    def checked(self) -> Listening:
        """Raises StoreError: an address that others reach, without TLS and without a proxy that has it."""
        if (self.certificate is None) != (self.key is None):
            raise StoreError(USAGE, "--tls-cert FILE and --tls-key FILE go together")
        if not is_loopback(self.host) and self.certificate is None and not self.behind_proxy:
            text = (
                f"--host {self.host}: others would read along; give --tls-cert FILE and --tls-key FILE, "
                "or --behind-proxy if a proxy here ends TLS"
            )
            raise StoreError(USAGE, text)
        if self.certificate is not None and self.key is not None:
            _try_out(self.certificate, self.key)
        return self


def _try_out(certificate: Path, key: Path) -> None:
    """Whether TLS can be served with the two; nobody is asked for a passphrase."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        text = (
            f"--tls-cert {certificate} with --tls-key {key}: {why}; both are PEM files that this user reads, the "
            "certificate's own key, without a passphrase, for example --tls-cert store.pem --tls-key store.key"
        )
        raise StoreError(USAGE, text) from error


def run(
    database: Database,
    cluster: Cluster | None,
    folder: Path,
    listening: Listening,
    on_started: Callable[[str], None],
    sides: Sequence[Side] = (),
) -> None:
    """Serves until SIGTERM or SIGINT; `on_started` is given the address. Raises StoreError."""
    listening.checked()
    try:
        listener = listen(listening.host, listening.port)
    except OSError as error:
        text = f"--port {listening.port} on {listening.host} is used by another program or not allowed"
        raise StoreError(USAGE, f"{text}: {error.strerror or error}") from error
    scheme = "http" if listening.certificate is None else "https"
    host = f"[{listening.host}]" if ":" in listening.host else listening.host
    url = f"{scheme}://{host}:{listener.getsockname()[1]}"
    api = CounterApi(database)
    watch = Watch(api.pool, api.receiver, folder)

    @asynccontextmanager
    async def beside() -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            if listening.metrics_port is not None:
                metrics = await serve_metrics(watch, listening.metrics_port)
                stack.push_async_callback(metrics.wait_closed)
                stack.callback(metrics.close)
            tasks = [asyncio.create_task(_keep_months(database))]
            if cluster is not None:
                tasks.append(asyncio.create_task(_keep_up(cluster)))
            stack.push_async_callback(_end, tasks)
            yield

    tls = None
    if listening.certificate is not None and listening.key is not None:
        tls = (str(listening.certificate), str(listening.key))
    with listener:
        server = RunningServer(application(api, watch.routes(), sides, beside), lambda: on_started(url), tls)
        try:
            server.run([listener])
        except OSError as error:
            raise StoreError(USAGE, f"it cannot serve at {url}: {error.strerror or error}") from error
    if not server.started:
        raise StoreError(CANNOT_CREATE, "it could not start serving; what is above says why")


class RunningServer(StoreServer):
    """A store that is asked to stop has exit code 0; uvicorn would raise the signal again at its end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        def stop(*_: object) -> None:
            self.should_exit = True

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _keep_up(cluster: Cluster) -> None:
    """A PostgreSQL that was killed is started again; counters are told 503 meanwhile, and send again."""
    is_down = False
    while True:
        await asyncio.sleep(_LOOK_S)
        is_down = is_down or cluster.has_ended
        if is_down:
            try:
                await asyncio.to_thread(cluster.start)
            except (ClusterUnusable, OSError) as error:
                _say(f"PostgreSQL ended and does not start again: {error}")
            else:
                is_down = False


async def _keep_months(database: Database) -> None:
    while True:
        try:
            await asyncio.to_thread(database.maintain)
        except (psycopg.Error, OSError) as error:
            _say(f"partitions could not be made: {str(error).strip()}")
        await asyncio.sleep(_MAINTAIN_S)


def _say(text: str) -> None:
    """To the service's journal."""
    sys.stderr.write(f"pos-app store: {text}\n")
    sys.stderr.flush()
