"""What a running sandbox is made of, put together in one place; it must not serve anything."""

from dataclasses import dataclass
from pathlib import Path

from pos_app.sandbox.accounts import Accounts
from pos_app.sandbox.calls import CallLog
from pos_app.sandbox.clock import SandboxClock
from pos_app.sandbox.connections import Connections
from pos_app.sandbox.customer import Customer
from pos_app.sandbox.faults import FaultBook
from pos_app.sandbox.identity import Identity, root_key
from pos_app.sandbox.ledger import Ledger
from pos_app.sandbox.otp import OtpService
from pos_app.sandbox.payment_initiate import Initiation
from pos_app.sandbox.payments import Payments
from pos_app.sandbox.store import Store, StoreError
from pos_app.sandbox.switches import SwitchBoard, Switches


@dataclass(frozen=True, slots=True)
class Parts:
    store: Store
    identity: Identity
    clock: SandboxClock
    board: SwitchBoard
    accounts: Accounts
    ledger: Ledger
    payments: Payments
    otp: OtpService
    customer: Customer
    faults: FaultBook
    calls: CallLog
    connections: Connections

    def reset(self) -> None:
        """Back to the start: no transactions, codes, faults or moved clock; tokens and secrets stay."""
        epoch = self.identity.epoch + 1
        with self.store.writing():
            self.ledger.clear()
            self.otp.clear()
            self.store.put("epoch", str(epoch))
        self.identity.epoch = epoch
        self.faults.forget()
        self.calls.clear()
        self.board.reset()
        self.clock.offset_s = 0.0


def put_together(folder: Path, seed: int | None, switches: Switches) -> Parts:
    """Opens or makes the sandbox in `folder`; raises StoreError when it cannot be used."""
    store = Store(folder / "sandbox.sqlite3")
    try:
        identity = _identity(store, seed)
    except StoreError:
        store.close()
        raise
    clock, board, ledger = SandboxClock(), SwitchBoard(switches), Ledger(store)
    accounts = Accounts(store, identity, clock)
    initiation = Initiation(ledger, accounts, clock, board, identity)
    return Parts(
        store=store,
        identity=identity,
        clock=clock,
        board=board,
        accounts=accounts,
        ledger=ledger,
        payments=Payments(ledger, accounts, clock, board, initiation),
        otp=OtpService(store, clock, board, identity),
        customer=Customer(ledger, clock, board, identity),
        faults=FaultBook(),
        calls=CallLog(),
        connections=Connections(),
    )


def _identity(store: Store, seed: int | None) -> Identity:
    stored = store.get("root")
    if stored is None:
        stored = root_key(seed).hex()
        store.put("root", stored)
    elif seed is not None and stored != root_key(seed).hex():
        raise StoreError("this folder was made with another seed; leave --seed out or choose another folder")
    return Identity(bytes.fromhex(stored), int(store.get("epoch") or 0))
