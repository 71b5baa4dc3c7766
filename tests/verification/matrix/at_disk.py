"""Rows 4 to 8: the journal cannot be written, or not even read, at the step; then the disk is well again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.views import Block, Decline
from pos_app.journal import Trouble
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, ready, signed_in, signs_in_after_all
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.at_poll import paid_after_all
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.screen import WORDS
from tests.verification.matrix.shop import Shop

_WAYS: dict[int, tuple[tuple[Trouble, str, bool], ...]] = {
    4: ((Trouble.DISK_FULL, "database or disk is full", False),),
    5: ((Trouble.READ_ONLY, "readonly database", False), (Trouble.CANNOT_OPEN, "unable to open", True)),
    6: ((Trouble.IO, "disk I/O error", False), (Trouble.IO, "disk I/O error", True)),
    7: ((Trouble.DAMAGED, "database disk image is malformed", True),),
    8: ((Trouble.MOVED, "the journal's file is not the one that was opened", False),),
}
"""Trouble, what SQLite says, and whether reading fails as well."""


def play(case: Case, dice: Random) -> Problems:
    """The case's disk at the case's step, for its kind of payment."""
    kind = case.kind or Kind.PUSH
    problems, shop = _STEPS[case.step](case, dice, kind)
    return problems + shop.end()


def fail(shop: Shop, row: int) -> None:
    """The row's disk, from now on."""
    trouble, detail, reads_too = shop.dice.choice(_WAYS[row])
    shop.disk.fails(trouble, detail, reads_too=reads_too)


def well_again(shop: Shop, row: int) -> None:
    """Row 6 takes a restart; the others are over when the disk is."""
    shop.wait(shop.dice.uniform(0.5, 8))
    shop.disk.recovers()
    if row == 6 or shop.dice.random() < 0.2:
        shop.till.die(1_000)
        shop.wait(6.5)
    shop.wait_for(lambda: shop.screen().terminal.block is Block.NONE, 30)


def _intent(case: Case, dice: Random, kind: Kind) -> tuple[Problems, Shop]:
    """H: nothing is sent, nothing is sold; afterwards it sells again."""
    shop = Shop(dice)
    fail(shop, case.row)
    opened = shop.charge(kind)
    screen = shop.screen()
    problems = must.halted(screen) + screen.says("Payment not started", "Nothing was sent")
    problems += demand(
        screen,
        (not opened and screen.declined is not None, "it was opened"),
        (screen.declined is None or screen.declined.decline is Decline.NOT_DURABLE, "not for that reason"),
        (not shop.log.sent and not shop.gateway.ledger, "something was sent"),
    )
    well_again(shop, case.row)
    attempt_id = shop.waiting(kind)
    return problems + must.waiting(shop.screen(attempt_id)) + paid_after_all(shop, attempt_id), shop


def _send(case: Case, dice: Random, kind: Kind) -> tuple[Problems, Shop]:
    """H: the intent was written; what the service then says cannot be."""
    shop = Shop(dice)
    attempt_id = shop.charge(kind)
    fail(shop, case.row)
    shop.wait_for(lambda: shop.attempt(attempt_id).shown)
    problems = must.halted(shop.screen(attempt_id))
    well_again(shop, case.row)
    return problems + paid_after_all(shop, attempt_id), shop


def _record(case: Case, dice: Random, kind: Kind) -> tuple[Problems, Shop]:
    """H: the outcome stays on the screen, to be written down; tried each second until it is in the journal."""
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    status = dice.choice(("Payment Success", "Customer Reject", "Payment Fail"))
    fail(shop, case.row)
    shop.pays(attempt_id, status)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    screen = shop.screen(attempt_id)
    problems = must.write_down(screen)
    before = shop.disk.refusals
    shop.wait(5)
    if not 3 <= shop.disk.refusals - before <= 8:
        problems.append(f"{shop.disk.refusals - before} tries to write in five seconds")
    well_again(shop, case.row)
    shop.wait(3)
    written = {each.attempt_id: each.state for each in shop.journal.attempts()}
    wanted = State.PAID if status == "Payment Success" else State.FAILED
    if written[attempt_id] is not wanted:
        problems.append(f"the journal says {written[attempt_id]}")
    return problems, shop


def _poll(case: Case, dice: Random, kind: Kind) -> tuple[Problems, Shop]:
    """W: with nothing to write, the asking and the waiting go on."""
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    fail(shop, case.row)
    asked = len(shop.line.made)
    shop.wait(dice.uniform(5, 20))
    screen = shop.screen(attempt_id)
    problems = must.waiting(screen)
    if len(shop.line.made) <= asked:
        problems.append("it was no longer asked about")
    well_again(shop, case.row)
    return problems + paid_after_all(shop, attempt_id), shop


def _cancel(case: Case, dice: Random, kind: Kind) -> tuple[Problems, Shop]:
    """H: a cancel goes nowhere before its wish is written; the asking goes on."""
    shop = Shop(dice)
    attempt_id = shop.waiting(kind)
    fail(shop, case.row)
    shop.cancel(attempt_id)
    asked = len(shop.line.made)
    shop.wait(dice.uniform(5, 12))
    screen = shop.screen(attempt_id)
    problems = must.halted(screen) + must.cancelling(screen)
    if any(each.operation == "cancel" for each in shop.log.sent):
        problems.append("a cancel left though its wish was not written")
    if len(shop.line.made) <= asked:
        problems.append("it was no longer asked about")
    well_again(shop, case.row)
    return problems, shop


def _later(case: Case, dice: Random, kind: Kind) -> tuple[Problems, Shop]:
    """H: what is learnt of an unresolved payment is told, though it cannot be written."""
    shop = Shop(dice)
    attempt_id = unresolved(shop, kind)
    fail(shop, case.row)
    shop.pays(attempt_id)
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    screen = shop.screen(attempt_id)
    problems = must.write_down(screen) + must.late(screen)
    well_again(shop, case.row)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    return problems + must.late(shop.screen(attempt_id)), shop


def _code_out(case: Case, dice: Random, _kind: Kind) -> tuple[Problems, Shop]:
    """H: a message that cannot be counted is not sent."""
    shop = ready(dice)
    messages = len(shop.log.messages)
    fail(shop, case.row)
    ask_for_code(shop)
    shop.wait(3)
    problems = must.not_signed_in(shop.screen()) + _cannot_record(shop)
    if len(shop.log.messages) != messages:
        problems.append("a message was sent that nobody counted")
    well_again(shop, case.row)
    return problems + signs_in_after_all(shop), shop


def _code_in(case: Case, dice: Random, _kind: Kind) -> tuple[Problems, Shop]:
    """H: a session that cannot be recorded is not opened."""
    shop = ready(dice)
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    fail(shop, case.row)
    shop.type_code()
    shop.wait(3)
    problems = must.not_signed_in(shop.screen()) + _cannot_record(shop)
    if signed_in(shop):
        problems.append("a session was opened that nobody recorded")
    well_again(shop, case.row)
    return problems + signs_in_after_all(shop), shop


def _cannot_record(shop: Shop) -> Problems:
    text = shop.screen().dialog.text
    halted = WORDS.block[Block.JOURNAL_HALTED]
    problems = [] if "cannot record" in text else [f"the sign-in does not say why: {text}"]
    # A till that cannot even read has not yet tried to write.
    blocked = shop.screen().terminal.block is Block.JOURNAL_HALTED or shop.disk.reads_too
    return problems if blocked else [*problems, f"it does not say {halted!r}"]


_STEPS: dict[str, Callable[[Case, Random, Kind], tuple[Problems, Shop]]] = {
    "J0": _intent,
    "S": _send,
    "J1": _record,
    "T": _poll,
    "C": _cancel,
    "G": _later,
    "O1": _code_out,
    "O2": _code_in,
}
