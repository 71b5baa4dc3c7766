"""`pos-app status ID`: what the service says of a payment now, beside what the journal knows. Changes nothing."""

from __future__ import annotations

import argparse
from typing import Any

from pos_app.commands.asking import services_of, unavailable
from pos_app.commands.errors import CommandError, Exit
from pos_app.commands.opening import open_reading
from pos_app.commands.printing import object_of, printer_of
from pos_app.domain.attempt import Attempt
from pos_app.domain.replies import NoAnswer, Refused, StatusReply, StatusReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which payment."""
    parser.add_argument("id", metavar="ID", help="the attempt's id, as pay and open print it")


def run(arguments: argparse.Namespace) -> int:
    """0 when the service knows it, 1 when it refuses the question, 69 without an answer."""
    with services_of(arguments) as (shop, services):
        reply = services.payments.get_status(external_id=arguments.id)
        known = _known(arguments, shop.environment.value)
    if isinstance(reply, NoAnswer):
        raise unavailable(reply)
    said = _said(arguments.id, reply, known)
    line = f"{arguments.id}: {said['service_status'] or 'refused ' + said['code']}"
    printer_of(arguments).value(said, line + (f" · here {said['state']}" if said["state"] else ""))
    return int(Exit.OK if isinstance(reply, StatusReport) else Exit.NOT_PAID)


def _known(arguments: argparse.Namespace, environment: str) -> Attempt | None:
    try:
        return open_reading(arguments, environment).attempt(arguments.id)
    except CommandError:
        return None


def _said(attempt_id: str, reply: StatusReply, known: Attempt | None) -> dict[str, Any]:
    """The journal's object with the service's newest word in it."""
    said: dict[str, Any] = {
        "sale_id": "", "attempt_id": attempt_id, "wallet_transaction_id": "", "kind": "", "amount": "",
        "currency": "", "state": "", "reason": "", "service_status": "", "code": "", "qr_text": "",
    }  # fmt: skip
    if known is not None:
        said |= object_of(known)
    if isinstance(reply, StatusReport):
        said["service_status"] = reply.name
        said["wallet_transaction_id"] = reply.wallet_transaction_id or said["wallet_transaction_id"]
        said["amount"] = said["amount"] or str(reply.amount if reply.amount is not None else "")
        said["code"] = ""
    elif isinstance(reply, Refused):
        said["service_status"], said["code"] = "", reply.code
    return said
