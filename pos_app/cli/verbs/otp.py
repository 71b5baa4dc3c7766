"""`pos-app otp send NUMBER` and `otp submit REF CODE`: the SMS service by hand, within the same limits."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING

from pos_app.bootstrap.errors import CommandError, Exit, number_problem
from pos_app.bootstrap.one_question import shop_and_services, unavailable
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.plain_lines import note
from pos_app.bootstrap.shop import Shop, settings_ahead
from pos_app.cli.parser import Parser, add_common, plain, private
from pos_app.cli.printer import printer_of
from pos_app.domain import otp
from pos_app.domain.otp import OtpProblem
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import NumberError, mask_number, msisdn, parse_number
from pos_app.domain.query import QueryFilter
from pos_app.domain.replies import NoAnswer, OtpRefusal, OtpRefused
from pos_app.engine.core.clock import TillClock
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.staff.codes import Codes
from pos_app.i18n.words.sign_in import words
from pos_app.journal import JournalTrouble
from pos_app.services.open import Services

if TYPE_CHECKING:
    from pos_app.bootstrap.sandbox_process import Details

_NO_SERVICE = frozenset(
    {OtpRefusal.UNAUTHENTICATED, OtpRefusal.INTERNAL, OtpRefusal.UNAVAILABLE, OtpRefusal.TIMEOUT}
)


def add_arguments(parser: Parser) -> None:
    """Two steps of one sign-in."""
    steps = parser.add_subparsers(dest="step", required=True, metavar="send|submit", parser_class=Parser)
    send = steps.add_parser("send", help="sends a code by SMS", given=parser.given)
    add_common(send)
    send.add_argument("number", type=private, metavar="NUMBER", help="- reads it from input")
    submit = steps.add_parser("submit", help="checks a code", given=parser.given)
    add_common(submit)
    submit.add_argument("ref", type=plain, metavar="REF", help="as send said it")
    submit.add_argument("code", type=private, metavar="CODE", help="- reads it from input")


def run(options: Options, arguments: argparse.Namespace) -> int:
    """0 when sent or verified, 1 when refused, 2 for what cannot be asked, 69 without an answer."""
    return _send(options, arguments) if arguments.step == "send" else _submit(options, arguments)


def _send(options: Options, arguments: argparse.Namespace) -> int:
    country = settings_ahead(options).shop.country
    try:
        number = parse_number(arguments.number, country)
    except NumberError as error:
        raise CommandError(Exit.USAGE, f"NUMBER: {number_problem(error, country)}") from error
    with shop_and_services(options, journal=True) as (shop, services):
        _count(shop, services, number)
        reply = services.otp.validate_code(msisdn(number), shop.settings.otp.message)
        if shop.control is not None:
            _tell_of_sms(shop.control, number)
    if isinstance(reply, NoAnswer):
        raise unavailable(reply)
    if isinstance(reply, OtpRefused):
        raise _refused(reply, otp.problem_of_send(reply))
    said = {"server_ref": reply.server_ref, "number": mask_number(number), "status": "PENDING_AUTH"}
    printer_of(options).value(said, f"sent to {said['number']}; reference {reply.server_ref}")
    return int(Exit.OK)


def _tell_of_sms(sandbox: Details, number: str) -> None:
    """The code that the till's own sandbox sent nowhere: its phone is beside the window alone."""
    from pos_app.bootstrap.sandbox_control import Control, ControlError

    with contextlib.suppress(ControlError):
        for sms in Control(sandbox).get(f"/sms?msisdn={msisdn(number)}")[:1]:
            note(f"SMS to ...{number[-3:]}: {sms['code']}")


def _count(shop: Shop, services: Services, number: str) -> None:
    """The same limits and the same durable count as at the sign-in, before it is sent (docs/payment-rules.md, OTP)."""
    config, journal = shop.engine_config(), shop.journal
    if journal is None:
        raise ValueError("a code is counted in the journal before it is sent")
    try:
        clock = TillClock(journal.last_at())
    except JournalTrouble as trouble:
        raise _not_counted(str(trouble)) from trouble
    ledger = LivePayments(journal, clock, (JournalTrouble,))
    codes = Codes(journal, ledger, clock, config.otp_limits, shop.machine_sends)
    services.tell_time(clock.service_said)
    allowed = codes.allowance(number)
    if allowed is not None and allowed.problem is OtpProblem.TIME_NOT_SURE:
        # Any reply carries the service's time.
        services.payments.query(QueryFilter(external_id="0"))
        allowed = codes.allowance(number)
    if allowed is None:
        raise _not_counted("it cannot be read")
    if allowed.problem:
        wait_s = max(1, allowed.wait_ms // 1000)
        raise CommandError(Exit.NOT_PAID, words.problem(allowed.problem, None, wait_s))
    if not codes.count(number, TERMINAL):
        raise _not_counted(ledger.halt_detail)


def _not_counted(why: str) -> CommandError:
    return CommandError(Exit.CANNOT_CREATE, f"nothing was sent: it cannot be counted in the journal: {why}")


def _submit(options: Options, arguments: argparse.Namespace) -> int:
    if not otp.is_code(arguments.code):
        raise CommandError(Exit.USAGE, "CODE: " + words.PROBLEM[otp.OtpProblem.BAD_CODE])
    with shop_and_services(options) as (_, services):
        reply = services.otp.submit_code(arguments.code, arguments.ref)
    if isinstance(reply, NoAnswer):
        raise unavailable(reply)
    if isinstance(reply, OtpRefused):
        raise _refused(reply, otp.problem_of_try(reply))
    if reply.server_ref != arguments.ref:
        raise CommandError(Exit.NOT_PAID, words.PROBLEM[otp.OtpProblem.BAD_REPLY])
    said = {"server_ref": reply.server_ref, "number": mask_number("+" + reply.msisdn), "status": "SUCCESS"}
    printer_of(options, goes_on=True).value(said, f"verified {said['number']}")
    return int(Exit.OK)


def _refused(reply: OtpRefused, problem: OtpProblem) -> CommandError:
    code = Exit.UNAVAILABLE if reply.refusal in _NO_SERVICE else Exit.NOT_PAID
    return CommandError(code, f"{words.PROBLEM[problem]} ({reply.refusal.value})")
