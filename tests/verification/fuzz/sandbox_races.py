"""Requests at the same instant: fifty with one id, and a cancel beside an approval; exactly one of them wins."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import ServiceClient

AT_ONCE = 50
DUELS = 5


def races(sandbox: Sandbox, name: str) -> tuple[Counter[str], list[str]]:
    """Once fifty beside each other, some times two against each other."""
    clients = [ServiceClient(sandbox, timeout_s=30) for _ in range(AT_ONCE)]
    try:
        jobs = [partial(_initiate, client, f"{name}-one") for client in clients]
        codes = at_once(jobs)
        findings = []
        if sorted(code or "" for code in codes) != ["", *["5000"] * (AT_ONCE - 1)]:
            findings.append(f"sandbox: {AT_ONCE} at once with one id were answered {Counter(codes)}")
        for number in range(DUELS):
            findings += _duel(sandbox, clients[0], f"{name}-{number}")
    finally:
        for client in clients:
            client.close()
    return Counter(requests=AT_ONCE + DUELS * 3, same_id_races=1, cancel_races=DUELS), findings


def _initiate(client: ServiceClient, external_id: str) -> str | None:
    return client.initiate_push(external_id).code


def _duel(sandbox: Sandbox, client: ServiceClient, external_id: str) -> list[str]:
    wallet_id = client.initiate_qr(external_id).response["walletTransactionId"]

    def approve() -> str | None:
        try:
            sandbox.act(wallet_id, "approve")
        except ControlError as refused:
            return str(refused.status)
        return None

    approved, cancelled = at_once([approve, lambda: client.cancel(wallet_id=wallet_id).code])
    status = sandbox.transaction(wallet_id)["status"]
    if (approved, cancelled) == (None, "5006") and status != "Merchant Cancel":
        return []
    if (approved, cancelled) == ("409", None) and status == "Merchant Cancel":
        return []
    return [f"sandbox: approve {approved}, cancel {cancelled}, and it is {status}"]


def at_once(jobs: Sequence[Callable[[], str | None]]) -> list[str | None]:
    """The answers of all, begun together."""
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], str | None]) -> str | None:
        gate.wait(30)
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))
