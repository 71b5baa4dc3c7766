"""PAID in full is for the customer who stands there, and ages; nothing green stands above the next sale (threat 38)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import Qt

from pos_app.domain.attempt import State
from pos_app.domain.commands import Charge
from pos_app.i18n.words.till import words
from pos_app.ui.theme.theme import tokens
from pos_app.ui.till.payment.panel_model import ended
from pos_app.ui.till.window.payment_details import PaymentDetails
from pos_app.ui.widgets.label import Label
from tests.support.published import attempt, change, config, recent
from tests.support.stage import Stage
from tests.unit.ui.lock_cases import OTHER, OWN, at, locked

PAID = attempt(state=State.PAID, ended_at=18_000)
PARKED = attempt(parked=True)
PARKED_PAID = attempt(state=State.PAID, ended_at=18_000, parked=True)


class Aging(Stage):
    """A stage whose minutes pass when it is told so."""

    now_s = 1000.0

    def __init__(self, qtbot: Any, **told: Any) -> None:
        super().__init__(qtbot, **told)
        self.window.controller.freshness.clock = lambda: self.now_s
        self.receive(at(recent=recent()))

    def pass_s(self, seconds: float) -> None:
        """The till's own timer comes then."""
        self.now_s += seconds
        self.window.controller.look_at_ages()
        self.settle()

    def is_calm(self) -> bool:
        """Whether the panel says how long ago it was paid, and never that alone."""
        headline = str(self.part("result_headline").text())
        return headline.startswith("Paid · ") and headline.endswith(" ago")

    def greens(self) -> int:
        """How many points of the panel and what stands above it have a colour of PAID."""
        panel = self.part("panel")
        top = self.part("top_bar").geometry().bottom()
        seen = self.window.grab(
            self.window.rect().adjusted(panel.x(), top, 0, -self.part("recent_strip").height())
        )
        image = seen.toImage()
        ours = {tokens().ok.lower(), tokens().oksoft.lower()}
        points = ((x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
        return sum(image.pixelColor(*point).name() in ours for point in points)


@pytest.fixture
def on(qtbot: Any) -> Aging:
    return Aging(qtbot)


def test_paid_is_green_for_a_minute_and_then_a_calm_card_that_says_how_long_ago(on: Aging) -> None:
    told: list[str] = []
    on.window.result_shown.connect(told.append)
    on.begin(change(PAID))
    on.settle()
    assert on.part("result_headline").text() == "PAID"
    assert on.greens() > 1000
    on.pass_s(59)
    assert on.part("result_headline").text() == "PAID"
    on.pass_s(2)
    assert on.is_calm()
    assert on.part("result_amount").figure() == "1,250.00"
    assert on.greens() == 0
    assert told == ["paid"], "growing old makes no sound"


def test_what_is_looked_at_is_looked_at_with_the_first_lock(on: Aging) -> None:
    on.begin(change(PAID))
    on.receive(locked(), at())
    assert on.is_calm()
    assert on.greens() == 0


def test_what_came_behind_the_lock_is_fresh_once_and_not_an_hour_later(on: Aging) -> None:
    on.begin(change())
    on.receive(locked(open=(attempt(),)), change(PAID), locked(), at())
    assert on.part("result_headline").text() == "PAID"
    other = attempt(attempt_id="SBX-TK7M3Q9RD-0124-1", sale_id="0124")
    on.begin(change(other))
    paid = attempt(attempt_id=other.attempt_id, sale_id="0124", state=State.PAID, ended_at=18_000)
    on.receive(locked(open=(other,)), change(paid), locked())
    on.pass_s(3600)
    on.receive(at())
    assert on.is_calm()


def test_somebody_else_in_between_has_looked_away_too(on: Aging) -> None:
    on.begin(change(PAID))
    on.receive(locked(), at(OTHER), locked(OTHER), at(OWN))
    assert not on.seen("result_headline") or on.is_calm()
    assert on.greens() == 0


def test_said_again_it_is_no_younger(on: Aging) -> None:
    on.begin(change(PAID))
    on.pass_s(61)
    on.receive(change(PAID))
    assert on.is_calm()


def test_what_was_parked_and_paid_has_no_green_above_the_next_sale_and_goes(on: Aging) -> None:
    on.begin(change(PARKED))
    on.part("waiting_park").click()
    on.receive(change(PARKED_PAID))
    on.settle()
    assert "Paid" in on.part("ended").text()
    assert on.greens() == 0
    on.pass_s(61)
    assert not on.seen("ended")
    assert not on.seen("parked_0")


def test_esc_puts_the_line_away(on: Aging) -> None:
    on.begin(change(PARKED))
    on.part("waiting_park").click()
    on.receive(change(PARKED_PAID))
    on.press(Qt.Key.Key_Escape)
    assert not on.seen("ended")
    assert on.commands(Charge) == []


def test_parked_and_opened_within_the_minute_it_is_its_customers(on: Aging) -> None:
    on.begin(change(PARKED))
    on.part("waiting_park").click()
    on.receive(change(PARKED_PAID))
    on.part("ended_button").click()
    assert on.part("result_headline").text() == "PAID"


def test_a_payment_that_must_be_answered_can_be_answered_when_it_is_old(on: Aging) -> None:
    from pos_app.gallery.payments import RESULTS

    on.begin(RESULTS["crossed"])
    on.window.overlay.close_all()
    on.pass_s(61)
    assert "complete, or refund" in on.part("result_lead").text()
    assert on.seen("result_answer")


@pytest.mark.parametrize("language", ["en", "si", "ta", "ar"])
@pytest.mark.parametrize("size", [(1024, 768), (1366, 768)])
def test_the_calm_card_fits(qtbot: Any, language: str, size: tuple[int, int]) -> None:
    on = Aging(qtbot, language=language, size=size)
    on.begin(change(PAID))
    on.pass_s(61)
    on.settle()
    for name in ("result_headline", "result_facts"):
        assert on.part(name).text_fits(), name


@pytest.mark.parametrize(
    ("minutes", "said"),
    [(0, "Paid · 0 s ago"), (6, "Paid · 6 min ago"), (90, "Paid · 1 h ago"), (1500, "Paid")],
)
def test_the_card_of_a_paid_one_says_how_long_ago_and_is_never_green(
    qtbot: Any, minutes: int, said: str
) -> None:
    paid = attempt(state=State.PAID, ended_at=14_000)
    then = ended(paid) + timedelta(minutes=minutes)
    card = PaymentDetails(paid, config(), words, cashier="Nimali", now=lambda: then)
    qtbot.addWidget(card)
    card.show()
    texts = [each.text() for each in card.findChildren(Label) if each.objectName().startswith("details_")]
    assert said in texts
    greens = {tokens().ok, tokens().oksoft}
    picture = card.grab().toImage()
    seen = {
        picture.pixelColor(x, y).name().upper()
        for x in range(picture.width())
        for y in range(picture.height())
    }
    assert not greens & seen, "it can be held under nobody's nose"
