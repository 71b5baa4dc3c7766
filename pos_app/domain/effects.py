"""What the flow wants done: carried out by the engine's executor after the journal has committed."""

from __future__ import annotations

import msgspec

from pos_app.domain.attempt import Kind


class SendInitiate(msgspec.Struct, frozen=True):
    """Send the attempt's bytes. `resend`: they may have arrived before; `closing`: rule 3a.

    `within_ms`: so long their first byte may take to leave; None for bytes that close an id, however late.
    """

    attempt_id: str
    kind: Kind
    resend: bool = False
    closing: bool = False
    within_ms: int | None = None


class HoldBack(msgspec.Struct, frozen=True):
    """It is not wanted any more while an initiate is under way: if none of its bytes has left, none leaves (I1c)."""

    attempt_id: str


class AskStatus(msgspec.Struct, frozen=True):
    """Ask for the status now, by the wallet id where one is named, else by the external id.

    `behind`: nobody stands before the till for it, so that whoever does is served first.
    """

    attempt_id: str
    wallet_transaction_id: str = ""
    behind: bool = False


class SendCancel(msgspec.Struct, frozen=True):
    """Send cancel now. `behind`: as in AskStatus."""

    attempt_id: str
    behind: bool = False


class WakeAt(msgspec.Struct, frozen=True):
    """Come back with TimeCame at this till time (ms); replaces the attempt's earlier WakeAt."""

    attempt_id: str
    at: int


class OpenNext(msgspec.Struct, frozen=True):
    """Rule 3c: the QR text was lost and its attempt is cancelled; start the sale's next by itself."""

    attempt_id: str


class StopSelling(msgspec.Struct, frozen=True):
    """Rule 18: another installation uses this one's identity."""

    attempt_id: str


Effect = SendInitiate | HoldBack | AskStatus | SendCancel | WakeAt | OpenNext | StopSelling
