"""Two at the same instant: exactly one wins, in the database."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tests.support.sandbox import ControlError, Sandbox
from tests.support.sandbox_client import ServiceClient


def at_once(jobs: list[Callable[[], str | None]]) -> list[str | None]:
    gate = threading.Barrier(len(jobs))

    def run(job: Callable[[], str | None]) -> str | None:
        gate.wait(10)
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


def test_fifty_initiates_with_one_id_make_one_transaction(sandbox: Sandbox) -> None:
    clients = [ServiceClient(sandbox) for _ in range(50)]
    codes = at_once([lambda client=client: client.initiate_push("A-1").code for client in clients])  # type: ignore[misc]
    for client in clients:
        client.close()
    assert sorted(code or "success" for code in codes) == ["5000"] * 49 + ["success"]
    assert len(sandbox.transactions()) == 1


def test_approve_or_cancel_but_never_both(sandbox: Sandbox, client: ServiceClient) -> None:
    for number in range(40):
        wallet_id = client.initiate_qr(f"A-{number}").response["walletTransactionId"]

        def approve(wallet_id: str = wallet_id) -> str | None:
            try:
                sandbox.act(wallet_id, "approve")
            except ControlError as refused:
                return str(refused.status)
            return None

        def cancel(wallet_id: str = wallet_id) -> str | None:
            return client.cancel(wallet_id=wallet_id).code

        outcome = tuple(at_once([approve, cancel]))
        assert outcome in ((None, "5006"), ("409", None))
        status = sandbox.transaction(wallet_id)["status"]
        assert (
            status == "Merchant Cancel" if outcome[0] else status in ("Customer Approved", "Payment Success")
        )
