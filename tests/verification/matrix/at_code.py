"""O1 and O2: a sign-in code is sent, or checked, and the code service is at fault; afterwards a new code works."""

from __future__ import annotations

from random import Random
from typing import Any

from pos_app.domain.views import SignInStep
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.behaviours import Problems
from tests.verification.matrix.cells import Case
from tests.verification.matrix.deeds import WHO
from tests.verification.matrix.line import Reading
from tests.verification.matrix.readings import changed, reading, refusal
from tests.verification.matrix.shop import Shop
from tests.verification.simulation.faults import UNSENT

SENT_REFUSALS = (
    ("PHONE_NUMBER_BLOCKED", 403, "blocks SMS to this number"),
    ("PHONE_NUMBER_NOT_ALLOWED", 403, "This number cannot receive codes"),
    ("MAX_OTP_CODES_EXCEEDED", 403, "Too many codes were requested"),
    ("INVALID_ARGUMENT", 400, "Call the manager"),
)
TRY_REFUSALS = (
    ("Wrong PIN", 200, "Wrong code – 4 tries left"),
    ("INVALID_OTP", 400, "Wrong code – 4 tries left"),
    ("Max attempt exceeded", 200, "Too many tries with this code"),
    ("VERIFICATION_FAILED", 400, "Too many tries with this code"),
    ("VERIFICATION_EXPIRED", 400, "Code expired. Request a new one"),
    ("NOT_FOUND", 404, "Code expired. Request a new one"),
)


def play_send(case: Case, dice: Random) -> Problems:
    """A code is asked for."""
    shop = ready(dice)
    before = len(shop.records("OTP_SEND"))
    said = ""
    if case.row == 53:
        name, status, said = dice.choice(SENT_REFUSALS)
        chosen = refusal(name, status)
    else:
        chosen = _reading(case, dice, sending=True)
    shop.line.meets("otp", chosen)
    ask_for_code(shop)
    problems = [] if len(shop.records("OTP_SEND")) == before + 1 else ["the message was not counted first"]
    shop.wait_for(lambda: shop.line.times("otp"), 20)
    problems += _says(shop, said) + _sent_at_fault(shop, case)
    return problems + signs_in_after_all(shop) + shop.end()


def play_try(case: Case, dice: Random) -> Problems:
    """A code is typed."""
    shop = ready(dice)
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    failures = len(shop.records("OTP_FAILED"))
    said = ""
    if case.row == 53:
        name, status, said = dice.choice(TRY_REFUSALS)
        chosen = refusal(name, status)
    else:
        chosen = _reading(case, dice, sending=False)
    shop.line.meets("otp", chosen)
    shop.type_code()
    shop.wait_for(lambda: shop.line.times("otp"), 20)
    problems = _says(shop, said) + _try_at_fault(shop, case, failures)
    return problems + signs_in_after_all(shop) + shop.end()


def play_clock_send(_case: Case, dice: Random, by_ms: int) -> Problems:
    """The clock is far off: no certificate is valid, and the till says where to look."""
    shop = ready(dice)
    shop.till.push_clock(by_ms)
    shop.line.meets("otp", Reading(name="no_tls", unsent="no_tls"))
    ask_for_code(shop)
    shop.wait_for(lambda: shop.line.times("otp"), 20)
    problems = must.not_signed_in(shop.looks[-1]) + _says(shop, "Check the terminal’s clock")
    return problems + signs_in_after_all(shop) + shop.end()


def play_clock_try(_case: Case, dice: Random, by_ms: int) -> Problems:
    """The same for a code that is typed after the jump; what never left costs no try."""
    shop = ready(dice)
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type)
    shop.till.push_clock(by_ms)
    shop.line.meets("otp", Reading(name="no_tls", unsent="no_tls"))
    shop.type_code()
    shop.wait_for(lambda: shop.line.times("otp"), 20)
    screen = shop.looks[-1]
    problems = must.not_signed_in(screen) + _says(shop, "Check the terminal’s clock")
    if screen.sign_in is None or screen.sign_in.tries_left != 5:
        problems.append(f"tries left: {screen.sign_in}")
    return problems + signs_in_after_all(shop) + shop.end()


def ready(dice: Random, shop: Shop | None = None) -> Shop:
    """A till that has yet to enrol its first person, or one whose manager signs in again."""
    shop = shop or Shop(dice)
    if dice.random() < 0.5:
        ask_for_code(shop)
        shop.wait_for(lambda: shop.screen().dialog.may_type)
        shop.type_code()
        shop.wait_for(lambda: signed_in(shop))
        shop.sign_out()
        shop.wait(dice.uniform(31, 60))
    return shop


def ask_for_code(shop: Shop) -> None:
    """Whoever it is: the first person enrols, a known one picks the name."""
    if shop.screen().terminal.people:
        shop.send_code()
    else:
        shop.enrol()


def signed_in(shop: Shop) -> bool:
    """Whether the till is somebody's."""
    return shop.screen().terminal.signed_in is not None


def _reading(case: Case, dice: Random, *, sending: bool) -> Reading:
    match case.row:
        case 23 if not sending and dice.random() < 0.5:
            # The till hears the answer to the copy: the code was used by the first.
            return refusal("Wrong PIN", 200)
        case 39:
            status = dice.choice(("PENDING", "VERIFIED", "success") if sending else ("PENDING_AUTH", "DONE"))
            return changed(status, status=status)
        case 42:
            other: dict[str, Any] = {"msisdn": "tel:+94779999999"}
            if not sending and dice.random() < 0.5:
                other = {"serverRef": "f" * 32}
            return changed("another number or reference", **other)
        case 48:
            missing: dict[str, Any] = {"serverRef": dice.choice((None, "", "0", "x" * 31, "a" * 10_000))}
            return changed("no reference", **missing)
    return reading(case.row, "otp", dice)


def _says(shop: Shop, said: str) -> Problems:
    text = shop.screen().dialog.text
    return [] if said in text else [f"the sign-in does not say {said!r}: {text}"]


def _sent_at_fault(shop: Shop, case: Case) -> Problems:
    screen = shop.looks[-1]
    if case.codes == "ok":
        return [] if screen.dialog.may_type else [f"no code can be typed: {screen.dialog.text}"]
    problems = must.not_signed_in(screen)
    if case.codes == "Q":
        problems += must.code_in_doubt(screen, sending=True)
    if case.codes == "A":
        problems += _says(shop, "refused this terminal’s sign-in") + _says(shop, "Call the manager")
    if case.row in (9, 10, 19):
        problems += _says(shop, "Check the terminal’s clock")
    if case.row == 32:
        problems += _says(shop, "busy") + _says(shop, "Try again in")
    return problems


def _try_at_fault(shop: Shop, case: Case, failures: int) -> Problems:
    screen = shop.looks[-1]
    reply = shop.line.met[-1].reply
    dialog = shop.screen().sign_in
    if dialog is not None and dialog.step is SignInStep.CHOOSE_PASSCODE:
        # The code was right: the first sign-in goes on to a passcode.
        shop.wait_for(lambda: signed_in(shop), 2)
    if signed_in(shop):
        same = case.row == 23 and getattr(reply, "server_ref", "") != ""
        return [] if same else [f"signed in by {reply}"]
    problems = must.not_signed_in(screen)
    if len(shop.records("OTP_FAILED")) != failures + 1:
        problems.append("the failed try is not in the journal")
    unsent = shop.line.met[-1].reading in UNSENT
    if screen.sign_in is None or screen.sign_in.tries_left not in ((5,) if unsent else (4, None)):
        problems.append(f"tries left: {screen.sign_in}")
    if case.codes == "Q" and not unsent:
        problems += must.code_in_doubt(screen, sending=False)
    if case.codes == "A":
        problems += _says(shop, "refused this terminal’s sign-in") + _says(shop, "Call the manager")
    if case.row in (9, 10, 19):
        problems += _says(shop, "Check the terminal’s clock")
    return problems


def signs_in_after_all(shop: Shop) -> Problems:
    """The fault is over: the old code or, after its wait, a new one opens the session."""
    shop.line.heal()
    if signed_in(shop):
        return []
    shop.wait(901)
    ask_for_code(shop)
    shop.wait_for(lambda: shop.screen().dialog.may_type, 20)
    shop.type_code()
    opened = shop.wait_for(lambda: signed_in(shop), 20)
    done = shop.screen().sign_in
    if not opened or done is None or done.step is not SignInStep.SIGNED_IN or done.person_id not in ("", WHO):
        return [f"a new code does not sign in: {done}"]
    return []
