"""What a cashier does at a till whose disk fails, verb by verb; each is ended by its own means, never left running."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from signal import SIGINT
from typing import Any

import msgspec

from tests.integration.cli.till import Done, Running, Till
from tests.support.sandbox import ControlError, Sandbox

AMOUNT = "12.50"
GIVE_UP_S = "20"


class Deed(msgspec.Struct, frozen=True):
    """How a verb ended; `left_alone` is False when we broke it off."""

    done: Done
    left_alone: bool = True

    @property
    def said(self) -> list[dict[str, Any]]:
        """The attempts it printed, oldest first."""
        return [each for each in self.done.objects if "state" in each]


def push(till: Till, sandbox: Sandbox, number: str) -> Deed:
    """The customer pays as soon as the phone rings."""
    paying = _pay(till, "--push", number)
    _then(paying, lambda said: sandbox.act(said["attempt_id"], "pay"), lambda said: _waits(said))
    return Deed(paying.end())


def qr(till: Till, sandbox: Sandbox, number: str) -> Deed:
    """The customer scans as soon as there is a code, and pays."""
    paying = _pay(till, "--qr")
    _then(
        paying,
        lambda said: sandbox.scan(said["qr_text"], number=number),
        lambda said: bool(said["qr_text"]),
    )
    return Deed(paying.end())


def cancel(till: Till, sandbox: Sandbox, number: str) -> Deed:  # noqa: ARG001 - nobody pays
    """The cashier cancels what waits; where the wish cannot be written, leaves."""
    paying = _pay(till, "--qr")
    _then(paying, lambda _: paying.send(SIGINT), lambda said: _waits(said))
    return Deed(paying.end())


def otp(till: Till, sandbox: Sandbox, number: str) -> Deed:  # noqa: ARG001 - the SMS is counted afterwards
    """A code by SMS."""
    return Deed(till.start("otp", "send", number).end())


def start(till: Till, sandbox: Sandbox, number: str) -> Deed:  # noqa: ARG001 - nothing is sent
    """The counter's first start: folder, key and journal are made."""
    return Deed(till.start("open", "--resolve", "0").end())


DEEDS: dict[str, Callable[[Till, Sandbox, str], Deed]] = {
    "push": push,
    "qr": qr,
    "cancel": cancel,
    "otp": otp,
    "start": start,
}


def _pay(till: Till, *how: str) -> Running:
    return till.start("pay", "--amount", AMOUNT, "--give-up-after", GIVE_UP_S, *how)


def _waits(said: dict[str, Any]) -> bool:
    return bool(said["state"] == "WAITING")


def _then(
    paying: Running, act: Callable[[dict[str, Any]], object], when: Callable[[dict[str, Any]], bool]
) -> None:
    """Acts once it is time, if it ever is: a till that may not start has ended by itself."""
    with contextlib.suppress(AssertionError):
        said = paying.until(when)
        with contextlib.suppress(ControlError):
            act(said)
