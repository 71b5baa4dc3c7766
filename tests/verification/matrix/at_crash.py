"""Rows 1 to 3: the till dies at the step, before or after it is done, and starts again on what was durable."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pos_app.domain.attempt import Attempt, Kind, Reason, State
from pos_app.domain.commands import Close, Continue
from pos_app.domain.views import Block
from pos_app.ui.till.payment.panel_model import Act
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.at_code import ask_for_code, ready, signed_in, signs_in_after_all
from tests.verification.matrix.at_later import unresolved
from tests.verification.matrix.behaviours import Problems
from tests.verification.matrix.cells import Case
from tests.verification.matrix.deeds import WHO
from tests.verification.matrix.shop import Restarted, Shop
from tests.verification.simulation.story import CrashAt

Course = Callable[[Shop, Kind], None]


def play(case: Case, dice: Random) -> Problems:
    """The same course twice: once to find the effect, once to die there."""
    kind = case.kind or Kind.PUSH
    seed = dice.randrange(1 << 30)
    course, wanted = _COURSES[case.step]
    first = Shop(Random(seed))
    course(first, kind)
    effects = [effect for effect, what in first.marks if wanted(what)]
    if not effects:
        return [f"the course has no such effect: {first.marks}"]
    after = case.row == 2 or (case.row == 3 and dice.random() < 0.5)
    crash = CrashAt(dice.choice(effects), after, off=dice.choice((400, 2_000, 30_000)))
    shop = Shop(Random(seed), crash=crash)
    try:
        course(shop, kind)
        shop.wait(100)
    except Restarted:
        pass
    else:
        return ["it did not die"]
    if case.step in ("O1", "O2"):
        return _no_session(shop) + shop.end()
    if case.step == "J0" and not after:
        return _nothing_happened(shop, kind) + shop.end()
    return recovered(shop) + shop.end()


def recovered(shop: Shop) -> Problems:
    """K: what is open is named before the first sale, asked about first, and nothing leaves by itself."""
    born = shop.till.starts[-1][0]
    attempt = max(shop.journal.attempts(), key=lambda each: each.number)
    sent = shop.initiates(attempt.attempt_id)
    problems: Problems = []
    if attempt.is_open or attempt.state is State.UNRESOLVED:
        asked = [at for at, operation in shop.line.made if operation == "status" and at >= born]
        problems += [] if asked and asked[0] == born else ["it was not asked about first"]
    if attempt.is_open:
        problems += must.recovering(shop.screen())
    shop.wait_for(lambda: shop.screen().terminal.block is Block.NONE, 10)
    if shop.world.now - born > 5_100:
        problems.append("the till did not open within five seconds")
    shop.wait(2)
    if shop.initiates(attempt.attempt_id) != sent:
        problems.append("bytes left by themselves after the restart")
    if attempt.is_open:
        problems += _chosen(shop, attempt)
    else:
        problems += _known(shop, attempt)
    return problems


def _chosen(shop: Shop, attempt: Attempt) -> Problems:
    """Waiting or in doubt, with the ways on that rule 12 leaves to the cashier."""
    screen = shop.screen(attempt.attempt_id)
    if screen.change is None or screen.attempt.is_final:
        return []
    if screen.attempt.reason is Reason.CODE_NEVER_SHOWN:
        return must.anothers_money(screen)
    problems = screen.says("from before the restart")
    if attempt.cancel_wish != screen.attempt.cancel_wish:
        problems.append(f"the wish was {attempt.cancel_wish} and is {screen.attempt.cancel_wish}")
    if screen.attempt.shown:
        problems += _shown_before(shop, screen.attempt)
    else:
        problems += must.in_doubt(screen)
        if not {Act.CLOSE, Act.CONTINUE} & screen.acts:
            problems.append(f"neither Continue nor Close is offered: {screen!r}")
        command = Continue if Act.CONTINUE in screen.acts and shop.dice.random() < 0.5 else Close
        shop.till.tell(command(attempt.attempt_id, WHO))
    shop.wait(3)
    if attempt.attempt_id in shop.gateway.ledger and shop.dice.random() < 0.7:
        shop.pays(attempt.attempt_id)
    return problems


def _shown_before(shop: Shop, attempt: Attempt) -> Problems:
    screen = shop.screen(attempt.attempt_id)
    if attempt.state is not State.WAITING:
        return []
    return screen.says("Finishing a payment from before the restart", f"sale {attempt.sale_id}")


def _known(shop: Shop, attempt: Attempt) -> Problems:
    """What had ended is among the last payments as it ended; what nobody knows is on the list for people."""
    terminal = shop.screen().terminal
    if attempt.state is State.UNRESOLVED:
        now = shop.attempt(attempt.attempt_id)
        listed = attempt.attempt_id in {each.attempt_id for each in terminal.attention}
        return [] if listed or now.is_final else ["it is not on the list any more"]
    states = {each.attempt_id: each.state for each in terminal.recent}
    return [] if states.get(attempt.attempt_id) is attempt.state else [f"the last payments are {states}"]


def _nothing_happened(shop: Shop, kind: Kind) -> Problems:
    """N: no row, no byte; the next tap is the first."""
    problems = []
    if shop.journal.attempts() or shop.gateway.ledger or shop.log.sent:
        problems.append("something was written or sent")
    shop.wait_for(lambda: shop.screen().terminal.block is Block.NONE, 10)
    attempt_id = shop.waiting(kind)
    return [*problems, *must.waiting(shop.screen(attempt_id))]


def _no_session(shop: Shop) -> Problems:
    """V: nobody is signed in, and what was sent counts: the next code has to wait for its time."""
    shop.wait_for(lambda: shop.screen().terminal.block is Block.NONE, 10)
    problems = ["somebody is signed in"] if signed_in(shop) else []
    counted = len(shop.records("OTP_SEND"))
    ask_for_code(shop)
    shop.wait(1)
    screen = shop.screen()
    if counted and shop.world.now - _last_send(shop) < 25_000 and len(shop.records("OTP_SEND")) == counted:
        problems += must.not_signed_in(screen)
    return problems + signs_in_after_all(shop)


def _last_send(shop: Shop) -> int:
    return max(each.at for each in shop.journal.written if each.record.kind == "OTP_SEND")


def _pays(shop: Shop, kind: Kind) -> None:
    attempt_id = shop.charge(kind)
    shop.wait(shop.dice.uniform(2, 15))
    if attempt_id in shop.gateway.ledger:
        shop.pays(attempt_id)
    shop.wait(6)


def _cancels(shop: Shop, kind: Kind) -> None:
    attempt_id = shop.waiting(kind)
    shop.cancel(attempt_id)
    shop.wait(6)


def _asks_later(shop: Shop, kind: Kind) -> None:
    attempt_id = unresolved(shop, kind)
    shop.marks.clear()
    shop.check(attempt_id)
    shop.wait(12)


def _leaves_result(shop: Shop, kind: Kind) -> None:
    """Paid, and seen; what is asked about it afterwards is where it dies."""
    attempt_id = shop.waiting(kind)
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    shop.marks.clear()
    shop.wait(75)


def _signs_in(shop: Shop, _kind: Kind) -> None:
    again = ready(shop.dice, shop)
    again.marks.clear()
    ask_for_code(again)
    again.wait(2)
    again.type_code()
    again.wait(2)


def _commits_of(*states: State) -> Callable[[str], bool]:
    names = {state.value for state in states}
    return lambda what: what.startswith("commit") and what.rpartition(" ")[2] in names


_LATER = tuple(state for state in State if state is not State.INTENT)

_COURSES: dict[str, tuple[Course, Callable[[str], bool]]] = {
    "J0": (_pays, _commits_of(State.INTENT)),
    "S": (_pays, lambda what: what == "initiate"),
    "J1": (_pays, _commits_of(*_LATER)),
    "T": (_pays, lambda what: what == "status"),
    "C": (_cancels, lambda what: what == "cancel"),
    "G": (_asks_later, lambda what: what == "status"),
    "D": (_leaves_result, lambda what: what == "status"),
    "O1": (_signs_in, lambda what: what == "otp" or "OTP_SEND" in what),
    "O2": (_signs_in, lambda what: what == "otp" or "SIGNED_IN" in what),
}
