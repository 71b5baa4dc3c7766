"""Row 15: memory is gone at the step, or the window stalls. Neither stops the asking."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.views import Block
from tests.verification.matrix import at_stall
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, ready, signed_in, signs_in_after_all
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.shop import Shop

TAKEN_UP_AGAIN_S = 31
Guarded = Callable[..., None]


def play(case: Case, dice: Random) -> Problems:
    """Memory is gone for one commit at the case's step; or the window hangs over it."""
    if case.step not in ("O1", "O2") and dice.random() < 0.3:
        return at_stall.play(case, dice)
    shop = Shop(dice) if case.step not in ("O1", "O2") else ready(dice)
    _door(shop)
    problems = _STEPS[case.step](shop, case.kind or Kind.PUSH)
    problems += (
        [] if shop.screen().terminal.block is Block.ENGINE_HALTED else ["new payments are not blocked"]
    )
    shop.disk.recovers()
    if case.step in ("O1", "O2"):
        shop.till.die(1_000)
        shop.wait(6)
        problems += signs_in_after_all(shop)
    return problems + shop.end()


def _door(shop: Shop) -> None:
    """As the engine's loop has it (engine.mailbox): a bug is noted, and after the turn the selling stops."""
    engine = shop.till.engine

    def guarded(work: Guarded) -> Guarded:
        def at_the_door(*given: object) -> None:
            try:
                work(*given)
            except MemoryError:
                shop.disk.recovers()
                engine.stop_selling()

        return at_the_door

    for name in ("handle", "tick"):
        setattr(engine, name, guarded(getattr(engine, name)))


def _gone(shop: Shop) -> None:
    shop.disk.trouble = MemoryError("out of memory")


def _intent(shop: Shop, kind: Kind) -> Problems:
    """N: no row, no byte, no new payment until the next start."""
    _gone(shop)
    opened = shop.charge(kind)
    screen = shop.screen()
    return screen.says("stopped itself to be safe", "No new payments", "Restart it") + demand(
        screen,
        (not opened and not shop.journal.attempts(), "something was written"),
        (not shop.log.sent and not shop.gateway.ledger, "something was sent"),
    )


def _send(shop: Shop, kind: Kind) -> Problems:
    """U: the reply was lost inside; it is asked about as after a restart."""
    attempt_id = shop.charge(kind)
    _gone(shop)
    shop.wait_for(lambda: shop.screen().terminal.block is Block.ENGINE_HALTED, 20)
    shop.wait(TAKEN_UP_AGAIN_S)
    screen = shop.screen(attempt_id)
    problems = screen.says("restart") if not screen.attempt.is_final else []
    shop.pays(attempt_id)
    return problems + _ends(shop, attempt_id)


def _record(shop: Shop, kind: Kind) -> Problems:
    """H: the outcome could not be kept, but is found again by asking."""
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id)
    _gone(shop)
    shop.wait_for(lambda: shop.screen().terminal.block is Block.ENGINE_HALTED, 20)
    return _ends(shop, attempt_id, State.PAID)


def _poll(shop: Shop, kind: Kind) -> Problems:
    """W: what came of a poll was lost; the next one brings it."""
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id, "Verification Success")
    _gone(shop)
    shop.wait_for(lambda: shop.screen().terminal.block is Block.ENGINE_HALTED, 20)
    problems = must.waiting(shop.screen(attempt_id))
    shop.pays(attempt_id)
    return problems + _ends(shop, attempt_id, State.PAID)


def _cancel(shop: Shop, kind: Kind) -> Problems:
    """U: the wish was not written, so nothing left; the cashier can wish again."""
    attempt_id = shop.waiting(kind)
    _gone(shop)
    shop.cancel(attempt_id)
    problems = must.waiting(shop.screen(attempt_id))
    if any(each.operation == "cancel" for each in shop.log.sent):
        problems.append("a cancel left though its wish was not written")
    shop.wait(TAKEN_UP_AGAIN_S)
    shop.cancel(attempt_id)
    return problems + _ends(shop, attempt_id, State.CANCELLED)


def _later(shop: Shop, kind: Kind) -> Problems:
    attempt_id = unresolved(shop, kind)
    shop.pays(attempt_id)
    _gone(shop)
    shop.check(attempt_id)
    shop.wait_for(lambda: shop.screen().terminal.block is Block.ENGINE_HALTED, 30)
    problems = must.in_doubt(shop.screen(attempt_id))
    return problems + _ends(shop, attempt_id, State.PAID_LATE)


def _ends(shop: Shop, attempt_id: str, wanted: State | None = None) -> Problems:
    shop.line.heal()
    ended = shop.wait_for(lambda: shop.attempt(attempt_id).is_final, 100)
    state = shop.attempt(attempt_id).state
    holds = ended and (wanted is None or state is wanted)
    return [] if holds else [f"it is {state}, not {wanted}: {shop.screen(attempt_id)!r}"]


def _code_out(shop: Shop, _kind: Kind) -> Problems:
    """Q: nobody is signed in, and nothing was sent that was not counted."""
    counted, sent = len(shop.records("OTP_SEND")), len(shop.log.messages)
    _gone(shop)
    ask_for_code(shop)
    shop.wait(2)
    fair = len(shop.log.messages) - sent <= len(shop.records("OTP_SEND")) - counted
    return ([] if fair else ["sent, but not counted"]) + (["signed in"] if signed_in(shop) else [])


def _code_in(shop: Shop, _kind: Kind) -> Problems:
    """Q: the code was right, but no session could be kept."""
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    _gone(shop)
    shop.type_code()
    shop.wait_for(lambda: shop.screen().terminal.block is Block.ENGINE_HALTED, 20)
    return ["signed in"] if signed_in(shop) else []


_STEPS: dict[str, Callable[[Shop, Kind], Problems]] = {
    "J0": _intent,
    "S": _send,
    "J1": _record,
    "T": _poll,
    "C": _cancel,
    "G": _later,
    "O1": _code_out,
    "O2": _code_in,
}
