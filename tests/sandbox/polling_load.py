"""Many tills that poll get status once a second: latencies and the server's share of a core."""

import argparse
import asyncio
import json
import os
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import STATUS_PATH, ServiceClient


class Till(asyncio.Protocol):
    """One connection that asks again a second after its last question."""

    def __init__(self, request: bytes, delays_s: list[float], ends_s: float) -> None:
        self._request = request
        self._delays_s = delays_s
        self._ends_s = ends_s
        self._asked_s = 0.0
        self._left = b""
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._ask()

    def _ask(self) -> None:
        if self._transport.is_closing():
            return
        self._asked_s = time.perf_counter()
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._left += data
        if b"}}" not in self._left:
            return
        now_s = time.perf_counter()
        if b"Merchant Initiated" not in self._left:
            self.done.set_exception(AssertionError(self._left.decode()))
            return
        self._left = b""
        self._delays_s.append(now_s - self._asked_s)
        if now_s >= self._ends_s:
            self._transport.close()
        else:
            asyncio.get_running_loop().call_at(
                asyncio.get_running_loop().time() + 1 - (now_s - self._asked_s), self._ask
            )

    def connection_lost(self, _: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def poll(sandbox: Sandbox, tills: int, seconds: float) -> dict[str, float]:
    client = ServiceClient(sandbox)
    client.initiate_qr("LOAD-1")
    body = json.dumps(client.find_body("LOAD-1")).encode()
    lines = [
        f"POST {STATUS_PATH} HTTP/1.1",
        f"Host: {urlsplit(sandbox.base_url).netloc}",
        f"Content-Length: {len(body)}",
    ]
    lines += [f"{name}: {value}" for name, value in client.headers.items()]
    request = "\r\n".join([*lines, "", ""]).encode() + body
    client.close()
    url, loop = urlsplit(sandbox.base_url), asyncio.get_running_loop()
    delays_s: list[float] = []
    ends_s = time.perf_counter() + seconds + 4
    protocols = []
    began_s = time.perf_counter()
    for number in range(tills):
        _, protocol = await loop.create_connection(
            lambda: Till(request, delays_s, ends_s), url.hostname or "", url.port or 0
        )
        protocols.append(protocol)
        # Spread over their second, as tills that were switched on one after the other are.
        await asyncio.sleep(began_s + number / tills - time.perf_counter())
    await asyncio.sleep(1)
    delays_s.clear()
    began_s, began_cpu_s = time.perf_counter(), cpu_s(sandbox.pid)
    await asyncio.sleep(seconds)
    share = (cpu_s(sandbox.pid) - began_cpu_s) / (time.perf_counter() - began_s)
    measured = sorted(delays_s)
    await asyncio.gather(*(protocol.done for protocol in protocols))
    return {
        "tills": tills,
        "asks_per_s": len(measured) / seconds,
        "p50_ms": measured[len(measured) // 2] * 1000,
        "p99_ms": measured[len(measured) * 99 // 100] * 1000,
        "share_of_a_core": share,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tills", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    with Sandbox() as sandbox:
        figures = asyncio.run(poll(sandbox, arguments.tills, arguments.seconds))
    sys.stdout.write(json.dumps({name: round(figure, 2) for name, figure in figures.items()}) + "\n")


if __name__ == "__main__":
    main()
