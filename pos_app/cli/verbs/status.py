"""`pos-app status ID`: what the service says of a payment now, beside what the journal knows. Changes nothing."""

from __future__ import annotations

import argparse
from typing import Any

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.one_question import shop_and_services, unavailable
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import open_reading, reading
from pos_app.cli.elsewhere import Here
from pos_app.cli.parser import plain
from pos_app.cli.printer import object_of, printer_of
from pos_app.domain.attempt import Attempt
from pos_app.domain.flow.proof import Match, match
from pos_app.domain.reconcile import echoed
from pos_app.domain.replies import NoAnswer, Refused, StatusReport
from pos_app.i18n.words.terminal import words as terminal_words
from pos_app.i18n.words.till import words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which payment."""
    parser.add_argument("id", type=plain, metavar="ID", help="the attempt's id, as pay and open print it")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when the service knows it, 1 when it refuses the question, 4 with another amount, 69 without an answer."""
    with shop_and_services(options) as (shop, services):
        journal = open_reading(options, shop.environment.value)
        with reading():
            known = journal.attempt(arguments.id) if journal is not None else None
            Here(shop.origin, journal).require(known)
        reply = services.payments.get_status(external_id=arguments.id)
    if isinstance(reply, NoAnswer):
        raise unavailable(reply)
    if isinstance(reply, StatusReport):
        _require_about(arguments.id, reply, known, shop.settings.gateway.merchant_pg_identifier)
    said = _said(arguments.id, reply, known)
    printer_of(options).value(said, _line(arguments.id, reply, known))
    return int(Exit.OK if isinstance(reply, StatusReport) else Exit.NOT_PAID)


def _require_about(attempt_id: str, reply: StatusReport, known: Attempt | None, merchant_id: str) -> None:
    """What names another payment, or none, is no answer about this one (rule 10): nothing of it is shown."""
    if known is not None:
        found = match(known, reply)
    else:
        is_of_it = echoed(reply.external_id) == echoed(attempt_id) and reply.merchant_id in ("", merchant_id)
        found = Match.OURS if is_of_it else Match.STRANGER
    if found not in (Match.OURS, Match.OTHER_AMOUNT):
        raise CommandError(
            Exit.UNAVAILABLE, f"no answer from the service: what it told is not of {attempt_id}"
        )
    if known is not None and found is Match.OTHER_AMOUNT:
        raise CommandError(
            Exit.NOT_KNOWN,
            f"the service has {attempt_id} with another amount, {reply.amount} for {known.amount}: call the manager",
        )


def _line(attempt_id: str, reply: StatusReport | Refused, known: Attempt | None) -> str:
    if isinstance(reply, Refused):
        why = words.code.get(reply.code, words.result.unknown_code).said
        service = terminal_words.REFUSED.format(code=reply.code, why=why)
    else:
        service = terminal_words.said(reply.name)
    here = words.state_of(known) if known is not None else terminal_words.NOT_HERE
    return terminal_words.STATUS.format(id=attempt_id, said=service.rstrip("."), here=here)


def _said(attempt_id: str, reply: StatusReport | Refused, known: Attempt | None) -> dict[str, Any]:
    """The journal's object with the service's newest word in it."""
    keys = ("sale_id", "attempt_id", "wallet_transaction_id", "kind", "amount", "currency", "state", "reason")
    others = ("service_status", "code", "qr_text", "origin", "other_origin")
    said: dict[str, Any] = dict.fromkeys((*keys, *others), "")
    said["attempt_id"] = attempt_id
    if known is not None:
        said |= object_of(known)
    if isinstance(reply, Refused):
        return said | {"service_status": "", "code": reply.code}
    amount = "" if reply.amount is None else str(reply.amount)
    return said | {
        "service_status": reply.name,
        "code": "",
        "wallet_transaction_id": reply.wallet_transaction_id or said["wallet_transaction_id"],
        "amount": said["amount"] or amount,
    }
