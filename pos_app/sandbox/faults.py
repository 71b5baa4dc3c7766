"""The faults in force and the calls they hold; it must not know how a fault is played."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

import msgspec

OPERATIONS = (
    "initiate_push", "initiate_qr", "get_status", "cancel", "query", "validate_code", "submit_code",
)  # fmt: skip
OnCancel = ("late_success_after_cancel", "cancel_loses")
Kind = Literal[
    "delay", "hold", "drop_before", "drop_after", "late", "duplicate", "status", "throttle", "token_expired",
    "garbage", "cut", "drip", "reply", "edit", "late_success_after_cancel", "cancel_loses",
]  # fmt: skip
Operation = Literal[
    "*", "initiate_push", "initiate_qr", "get_status", "cancel", "query", "validate_code", "submit_code"
]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=3600)]


_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[ -~]*")


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is to go wrong; the table in the sandbox's README says which field belongs to which kind."""

    kind: Kind
    operation: Operation = "*"
    count: Annotated[int, msgspec.Meta(ge=1)] | msgspec.UnsetType | None = msgspec.UNSET
    containing: str = ""
    at: Literal["before", "after", ""] = ""
    delay_s: Seconds = 1.0
    status: Annotated[int, msgspec.Meta(ge=200, le=599)] | None = None
    retry_after: str | int | None = None
    code: str | None = None
    body: Any = msgspec.UNSET
    text: str | None = None
    content_type: str = "application/json"
    headers: dict[str, str] = {}
    size: Annotated[int, msgspec.Meta(ge=0, le=64 * 1024 * 1024)] | None = None
    set: dict[str, Any] = {}
    unset: list[str] = []

    def __post_init__(self) -> None:
        """A header that would end its line is refused here, where its author can be told."""
        texts = [self.content_type, str(self.retry_after), *self.headers.values()]
        if not all(map(_HEADER_VALUE.fullmatch, texts)) or not all(map(_HEADER_NAME.fullmatch, self.headers)):
            raise ValueError("a header holds visible ASCII characters and spaces alone")


fault_decoder = msgspec.json.Decoder(Fault, float_hook=Decimal)


@dataclass(slots=True)
class _Live:
    number: int
    fault: Fault
    left: int | None


class FaultBook:
    """Owns the live faults, first come first served, and the calls that are held."""

    def __init__(self) -> None:
        self._live: list[_Live] = []
        self._number = 0
        self._held: dict[asyncio.Future[bool], str] = {}
        self._stopping = asyncio.Event()

    def add(self, fault: Fault) -> int:
        if fault.kind in OnCancel:
            fault = msgspec.structs.replace(fault, operation="cancel")
        count = fault.count
        if isinstance(count, msgspec.UnsetType):
            count = None if fault.kind == "token_expired" else 1
        self._number += 1
        self._live.append(_Live(self._number, fault, count))
        return self._number

    def take(self, operation: str, body: bytes) -> Fault | None:
        """The first fault that concerns this call, which uses it up by one."""
        for live in self._live:
            fault = live.fault
            if fault.operation in ("*", operation) and fault.containing.encode() in body:
                if live.left is not None:
                    live.left -= 1
                    if live.left == 0:
                        self._live.remove(live)
                return fault
        return None

    async def wait_for_release(self, operation: str) -> bool:
        """False when the sandbox stops instead."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._held[future] = operation
        try:
            return await future
        finally:
            del self._held[future]

    async def pause(self, seconds: float) -> bool:
        """False when the sandbox stops before the time is up."""
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return True
        return False

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Unless the sandbox stops before, or forgets."""
        stopping = self._stopping
        asyncio.get_running_loop().call_later(seconds, lambda: stopping.is_set() or act())

    def release(self) -> int:
        """Lets every held call go on; how many there were."""
        return self._end_holds(go_on=True)

    def stop(self) -> None:
        """Drops whoever waits, so that the sandbox can end."""
        self._stopping.set()
        self._end_holds(go_on=False)

    def forget(self) -> None:
        """No faults, and whoever waits is dropped: a call of before comes to nothing."""
        self._live.clear()
        self.stop()
        self._stopping = asyncio.Event()

    def _end_holds(self, *, go_on: bool) -> int:
        waiting = [future for future in self._held if not future.done()]
        for future in waiting:
            future.set_result(go_on)
        return len(waiting)

    def clear(self, kind: str | None = None) -> int:
        """Removes the faults (of one kind); calls that are held already stay held."""
        before = len(self._live)
        self._live = [live for live in self._live if kind not in (None, live.fault.kind)]
        return before - len(self._live)

    def listed(self) -> dict[str, Any]:
        faults = [{"id": live.number, "left": live.left, "fault": live.fault} for live in self._live]
        return {"faults": faults, "held": list(self._held.values())}
