"""The state table of a transaction: who may move it from where to where. It must not touch the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

INITIATED = "Merchant Initiated"
VERIFIED = "Verification Success"
VERIFY_FAILED = "Verification Fail"
APPROVED = "Customer Approved"
PAID = "Payment Success"
PAYMENT_FAILED = "Payment Fail"
CANCELLED = "Merchant Cancel"
REJECTED = "Customer Reject"

FINAL = frozenset({PAID, PAYMENT_FAILED, CANCELLED, REJECTED})

DESCRIPTIONS: Mapping[str, str] = MappingProxyType(
    {
        INITIATED: "Merchant transaction initiated",
        VERIFIED: "Customer QR verification succeeded",
        VERIFY_FAILED: "Customer QR verification failed",
        APPROVED: "Customer approved the transaction",
        PAID: "Payment succeeded",
        PAYMENT_FAILED: "Payment failed",
        CANCELLED: "Merchant cancelled the transaction",
        REJECTED: "Customer rejected the transaction",
    }
)


def description_of(status: str) -> str:
    """What a list says beside it; a status of no service is described by itself."""
    return DESCRIPTIONS.get(status, status)


_RANK = {INITIATED: 0, VERIFY_FAILED: 0, VERIFIED: 1, APPROVED: 2, PAID: 3}


@dataclass(frozen=True, slots=True)
class Move:
    """One action: the statuses it may start from, those it passes on the way, and where it ends."""

    sources: tuple[str, ...]
    target: str
    way: tuple[str, ...] = ()

    def steps_from(self, status: str) -> tuple[str, ...]:
        """Every status that is entered when the action starts at `status`, the target last."""
        return (*(step for step in self.way if _RANK[step] > _RANK.get(status, 0)), self.target)


MOVES: Mapping[str, Move] = MappingProxyType(
    {
        "cancel": Move((INITIATED,), CANCELLED),
        "verify": Move((INITIATED, VERIFY_FAILED), VERIFIED),
        "misread": Move((INITIATED, VERIFY_FAILED), VERIFY_FAILED),
        "approve": Move((INITIATED, VERIFY_FAILED, VERIFIED), APPROVED, (VERIFIED,)),
        "settle": Move((APPROVED,), PAID),
        "pay": Move((INITIATED, VERIFY_FAILED, VERIFIED, APPROVED), PAID, (VERIFIED, APPROVED)),
        "reject": Move((INITIATED, VERIFY_FAILED, VERIFIED), REJECTED, (VERIFIED,)),
        "fail": Move((INITIATED, VERIFY_FAILED, VERIFIED, APPROVED), PAYMENT_FAILED, (VERIFIED, APPROVED)),
        "expire": Move((INITIATED, VERIFY_FAILED, VERIFIED), PAYMENT_FAILED),
    }
)

LATE_SUCCESS = Move((CANCELLED,), PAID)
"""What no honest service does; played only by the fault late_success_after_cancel."""


def move_named(name: str, *, verification_fail_final: bool) -> Move:
    move = MOVES[name]
    if not verification_fail_final:
        return move
    return Move(tuple(source for source in move.sources if source != VERIFY_FAILED), move.target, move.way)


def is_final(status: str, *, verification_fail_final: bool) -> bool:
    return status in FINAL or (verification_fail_final and status == VERIFY_FAILED)


def already_there(status: str, target: str) -> bool:
    """Whether an open transaction stands at the target or beyond it: nothing is left to do."""
    return status not in FINAL and target in _RANK and _RANK.get(status, 0) >= _RANK[target] > 0
