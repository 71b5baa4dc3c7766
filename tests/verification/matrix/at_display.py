"""Row 51: the customer's display goes while a payment runs or its result stands, and comes back. The till goes on."""

from __future__ import annotations

from random import Random

from pos_app.domain.attempt import Kind, State
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.customer import CustomerWords
from pos_app.ui.customer.seen import Following, Seen, View
from tests.verification.matrix import behaviours as must
from tests.verification.matrix.behaviours import Problems, demand
from tests.verification.matrix.cells import Case
from tests.verification.matrix.screen import FACE, Screen
from tests.verification.matrix.shop import Shop

_WORDS = CustomerWords()


class Display:
    """The customer's: what it shows is made of the panel's pictures; away it gets none, back it gets the last."""

    def __init__(self) -> None:
        self._following: Following | None = Following(FACE, _WORDS)
        self._last: AttemptChanged | None = None

    def take(self, screen: Screen) -> Seen | None:
        """The panel shows this now; what the customer then sees."""
        self._last = screen.change
        if self._following is None:
            return None
        self._following.take(self._last, TERMINAL)
        return self._following.seen

    def goes(self) -> None:
        """Its cable is pulled."""
        self._following = None

    def comes(self) -> Seen:
        """Plugged in again."""
        self._following = Following(FACE, _WORDS)
        self._following.take(self._last, TERMINAL)
        return self._following.seen


def play(case: Case, dice: Random) -> Problems:
    """Away for some seconds at the case's step."""
    shop, display = Shop(dice), Display()
    kind = case.kind or Kind.PUSH
    attempt_id = shop.waiting(kind)
    view = View.CODE if kind is Kind.QR else View.PHONE
    problems = _shows(display.take(shop.screen(attempt_id)), view)
    if case.step == "C":
        shop.cancel(attempt_id)
        problems += _has_no_code(display.take(shop.screen(attempt_id)))
    if case.step == "D":
        problems += _result_without_it(shop, display, attempt_id)
        return problems + shop.end()
    asked = len(shop.line.made)
    display.goes()
    shop.wait(dice.uniform(3, 20))
    screen = shop.screen(attempt_id)
    display.take(screen)
    back = display.comes()
    if len(shop.line.made) == asked:
        problems.append("the asking stopped with the display")
    if case.step == "T":
        return problems + must.waiting(screen) + _shows(back, view) + shop.end()
    return problems + _has_no_code(back) + _cancelled(screen) + shop.end()


def _result_without_it(shop: Shop, display: Display, attempt_id: str) -> Problems:
    """The till says PAID as ever; a display that comes later shows nobody else's end."""
    display.goes()
    shop.pays(attempt_id)
    shop.wait_for(lambda: shop.attempt(attempt_id).is_final)
    screen = shop.screen(attempt_id)
    display.take(screen)
    problems = screen.says("PAID") + demand(screen, (screen.state is State.PAID, "not PAID"))
    return problems + _shows(display.comes(), View.IDLE)


def _cancelled(screen: Screen) -> Problems:
    return screen.says("NOT PAID", "cancelled") + demand(screen, (screen.attempt.is_final, "not ended"))


def _shows(seen: Seen | None, view: View) -> Problems:
    if seen is None or seen.view is not view:
        return [f"the customer sees {seen}, not {view}"]
    return [] if bool(seen.code) is (view is View.CODE) else [f"the customer's code is {seen.code!r}"]


def _has_no_code(seen: Seen | None) -> Problems:
    return [f"a code is shown that is being cancelled: {seen}"] if seen is None or seen.code else []
