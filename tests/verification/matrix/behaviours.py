"""What each code of the matrix demands of a screen: words that carry the meaning, buttons, state. Plays nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

from pos_app.domain.attempt import MONEY, Flag, Kind, State
from pos_app.domain.views import Block, Connection
from pos_app.ui.till.payment.panel_model import Act, Tone
from tests.verification.matrix.screen import FACE, PAYING, Screen

Problems = list[str]
_TIME = re.compile(r"\b\d+:\d\d\b")
_NEXT_CHECK = re.compile(r"[Nn]ext check in (\d+) s")


def demand(screen: Screen, *claims: tuple[bool, str]) -> Problems:
    """The claims that do not hold, each with the screen it is about."""
    return [f"{what}: {screen!r}" for holds, what in claims if not holds]


def _not_money(screen: Screen) -> Problems:
    return demand(
        screen,
        (screen.state not in MONEY, "it says money"),
        (screen.telling.tone is not Tone.PAID, "it looks paid"),
        (not screen.acts & PAYING, "there is a way to take the payment again"),
    )


def _names_the_sale(screen: Screen) -> Problems:
    return screen.says(f"sale {screen.attempt.sale_id}", FACE.money(screen.attempt.amount))


def not_sent(screen: Screen) -> Problems:
    """N."""
    return [
        *screen.says("not started", "nothing was sent to the customer", "check the connection", "try again"),
        *demand(
            screen,
            (screen.state is State.NOT_SENT, "not NOT_SENT"),
            (screen.acts >= PAYING, "no new try is offered"),
        ),
    ]


def refused(screen: Screen, code: str, said: str) -> Problems:
    """R: the code with our own text for it."""
    return [
        *screen.says("NOT PAID", "Refused:", f"({code})", said),
        *demand(screen, (screen.state is State.REFUSED, "not REFUSED")),
    ]


def waiting(screen: Screen) -> Problems:
    """W."""
    return [
        *_not_money(screen),
        *_names_the_sale(screen),
        *screen.says("Waiting for the customer"),
        *demand(
            screen,
            (screen.state is State.WAITING, "not WAITING"),
            (Act.CANCEL in screen.acts, "no Cancel"),
            (bool(_TIME.search(screen.text)), "no time"),
        ),
    ]


def in_doubt(screen: Screen) -> Problems:
    """U: never shown by the service, or given up without an end."""
    unknown = () if screen.attempt.reason else ("We do not know yet whether the customer was charged",)
    return [
        *_not_money(screen),
        *_names_the_sale(screen),
        *screen.says("NOT KNOWN YET", "Do not take the payment again.", *unknown),
        *demand(
            screen,
            (screen.state in (State.IN_DOUBT, State.UNRESOLVED), "neither IN_DOUBT nor UNRESOLVED"),
            (screen.telling.tone is Tone.NOT_KNOWN, "it does not look like a doubt"),
            (bool(re.search(r"Checking… \d+:\d\d", screen.text)), "no time"),
        ),
    ]


def cancelling(screen: Screen) -> Problems:
    """U once a cancel was asked for: nothing is certain until the service confirms it.

    Its one sentence may have something more urgent to say than not to take the payment again.
    """
    told = not screen.attempt.flags & {Flag.CANCEL_TOO_LATE, Flag.CANCEL_NOT_ALLOWED}
    if screen.state in (State.IN_DOUBT, State.UNRESOLVED):
        return in_doubt(screen)
    return [
        *_not_money(screen),
        *_names_the_sale(screen),
        *screen.says("Cancelling", *(("Do not take the payment again",) if told else ())),
        *demand(
            screen,
            (screen.state is State.WAITING, "not WAITING"),
            (screen.attempt.cancel_wish is not None, "no wish"),
            (not screen.attempt.qr_showable, "the code still stands there"),
            (bool(_TIME.search(screen.text)), "no time"),
        ),
    ]


def doubt_after_send(screen: Screen) -> Problems:
    """U on S: once the service has shown the id by an ask beside the initiate, there is nothing to doubt any more."""
    if not screen.attempt.shown:
        return in_doubt(screen)
    if screen.attempt.kind is Kind.QR:
        return lost_code(screen)
    return waiting(screen)


def lost_code(screen: Screen) -> Problems:
    """Y, and U on S for a QR whose text cannot be had."""
    return [
        *_not_money(screen),
        *screen.says("The code was lost"),
        *demand(screen, (not screen.attempt.qr_showable, "a code stands there")),
    ]


_LINE = {Connection.LOST: "Connection lost", Connection.STRANGE: "is a network log-in open?"}


def impaired(screen: Screen) -> Problems:
    """P, and X where the status is asked: the line is bad, the payment stands as it stood."""
    assert screen.change is not None
    found = _NEXT_CHECK.search(screen.text)
    return [
        *_not_money(screen),
        *screen.says(_LINE[screen.change.activity.connection], "ayment may still complete"),
        *demand(
            screen,
            (found is not None and 1 <= int(found[1]) <= 33, "not when it is checked again"),
            (not screen.attempt.is_final, "it is final"),
        ),
    ]


def no_access(screen: Screen) -> Problems:
    """A."""
    sale = screen.attempt.sale_id
    return [
        *_not_money(screen),
        *screen.says(
            "The payment service refused this terminal’s sign-in",
            f"Payment {sale} stays open",
            "Call the manager",
        ),
        *demand(
            screen,
            (screen.terminal.block is Block.SIGN_IN_REFUSED, "new payments are not blocked"),
            (not screen.attempt.is_final, "it is final"),
        ),
    ]


def slow(screen: Screen, least_s: float) -> Problems:
    """L: not sooner than the service asked for, within a minute and its tolerance; unless an ask is under way."""
    found = _NEXT_CHECK.search(screen.text)
    if screen.change is not None and screen.change.activity.asking:
        least_s = 1
    return [
        *_not_money(screen),
        *screen.says("Service busy"),
        *demand(
            screen, (found is not None and least_s - 1 <= int(found[1]) <= 66, f"not {least_s} s to wait")
        ),
    ]


def mismatch(screen: Screen, what: str) -> Problems:
    """M: red, locked, on the list."""
    return [
        *_not_money(screen),
        *_names_the_sale(screen),
        *screen.says("The service", what, "Do not hand over goods.", "Manager needed."),
        *demand(
            screen,
            (screen.state is State.DISPUTED, "not DISPUTED"),
            (screen.telling.tone is Tone.DISPUTED, "not red"),
            (_listed(screen), "not on the list for people"),
        ),
    ]


def anothers_money(screen: Screen) -> Problems:
    """M where the code died with its till before it was on the screen, and somebody paid by it (rule 10)."""
    return [
        *mismatch(screen, "its code was never on this till’s screen"),
        *demand(screen, (screen.attempt.kind is Kind.QR and not screen.attempt.qr_text, "it had its code")),
    ]


def mismatch_of_identity(screen: Screen) -> Problems:
    """M where the terminal itself is the trouble (rule 18)."""
    problems = [*_not_money(screen), *screen.says("Do not hand over goods", "Manager needed", "used twice")]
    return [*problems, *demand(screen, (screen.state is State.DISPUTED, "not DISPUTED"))]


def halted(screen: Screen) -> Problems:
    """H."""
    return [
        *screen.says(
            "This terminal cannot record payments", "No new payments", "Open payments are still checked"
        ),
        *demand(screen, (screen.terminal.block is Block.JOURNAL_HALTED, "new payments are not blocked")),
    ]


def write_down(screen: Screen) -> Problems:
    """H at J1: an outcome nobody has written yet."""
    attempt = screen.attempt
    figure = FACE.figure(attempt.amount)
    stopped = (screen.terminal.block is Block.JOURNAL_HALTED, "new payments are not blocked")
    state = "NOT PAID" if attempt.state is State.FAILED else attempt.state.value.replace("_", " ")
    words = screen.says(f"WRITE DOWN: sale {attempt.sale_id} {state} {figure}")
    return [*demand(screen, stopped), *words]


def late(screen: Screen) -> Problems:
    """Z."""
    sale = screen.attempt.sale_id
    return [
        *screen.says(
            "LATE PAYMENT", f"Sale {sale} was paid at", "after you gave up", "Complete the sale or refund it"
        ),
        *demand(
            screen,
            (screen.state is State.PAID_LATE, "not PAID_LATE"),
            (Act.ANSWER in screen.acts, "it cannot be answered"),
            (not screen.acts & PAYING, "there is a way to take the payment again"),
            (_listed(screen), "not on the list for people"),
        ),
    ]


def paid_twice(screen: Screen) -> Problems:
    """E."""
    sale = screen.attempt.sale_id
    return [
        *screen.says("PAID TWICE", f"Sale {sale} was paid twice", "Refund one outside this terminal"),
        *screen.says(screen.attempt.attempt_id),
        *demand(
            screen,
            (Act.SIGN_REFUND in screen.acts, "the refund cannot be signed"),
            (not screen.acts & PAYING, "there is a way to take the payment again"),
            (sale in {each.sale_id for each in screen.terminal.overpaid}, "no refund is open"),
        ),
    ]


def recovering(screen: Screen) -> Problems:
    """K: before the first sale, what is open from before the restart is named."""
    return [
        *screen.says(
            "Finishing", "payment from before the restart", f"sale {screen.terminal.open[0].sale_id}"
        ),
        *screen.says(FACE.figure(screen.terminal.open[0].amount)),
        *demand(screen, (screen.terminal.block is Block.STARTING, "it sells already")),
    ]


def not_signed_in(screen: Screen) -> Problems:
    """V: no session, a reason, and what to do."""
    dialog = screen.dialog
    return demand(
        screen,
        (screen.terminal.signed_in is None, "somebody is signed in"),
        (dialog.is_problem and len(dialog.text) > 15, f"no reason: {dialog.text!r}"),
        (not dialog.done, "it looks done"),
    )


def code_in_doubt(screen: Screen, *, sending: bool) -> Problems:
    """Q: the try, or the message, counts as used."""
    needed = ("it will not work",) if sending else ("could not be checked", "counts as a try")
    text = screen.dialog.text
    missing = [f"the sign-in does not say {part!r}: {text}" for part in needed if part not in text]
    return [*not_signed_in(screen), *missing]


def _listed(screen: Screen) -> bool:
    return screen.attempt.attempt_id in {each.attempt_id for each in screen.terminal.attention}


def receipt_pending(screen: Screen, mark: str) -> Problems:
    """F: the money is not touched by it; `mark`: what is said of the paper, with the reason."""
    return [
        *screen.says("PAID", mark),
        *demand(
            screen,
            (screen.state is State.PAID, "not PAID"),
            (screen.telling.tone is Tone.PAID, "it does not look paid"),
            (not screen.acts & PAYING, "there is a way to take the payment again"),
        ),
    ]


Check = Callable[[Screen], Problems]
