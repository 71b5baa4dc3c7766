"""Payments of other counters as a store tells them, and belonging to one, in each state. Nobody is asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Kind, State
from pos_app.domain.commands import Command
from pos_app.domain.elsewhere import Elsewhere, Proof, Unanswered
from pos_app.domain.ids import installation_of
from pos_app.domain.membership import NotJoined, StoreState, StoreView
from pos_app.domain.search import FindPayments
from pos_app.domain.staff import StaffCommand
from pos_app.domain.views import PaymentsFound, ToldElsewhere
from pos_app.gallery.samples import RUWAN, attempt, config, recent
from pos_app.ui.dialogs.payments.found import FoundPayments
from pos_app.ui.dialogs.payments.other_counters import ElsewhereCard, OtherCountersPanel
from pos_app.ui.dialogs.people.store_panel import StorePanel

_NOW = datetime.fromisoformat("2025-11-21T14:09:20+05:30")
_SINCE = "2025-10-21T00:00:00+05:30"


def elsewhere(counter: str = "Front door", number: int = 123, **told: Any) -> Elsewhere:
    """A payment of another counter, paid unless told otherwise."""
    of = {
        "attempt_id": f"SBX-TQ4W7Z2XA-{number:04d}-1-K7Q2M9",
        "sale_id": f"{number:04d}",
        "kind": Kind.PUSH,
        "state": State.PAID,
        "counter_id": 1,
        "receipt": number,
        "receipt_of": "Q4W7Z2XA",
    }
    made = attempt(**(of | told))
    is_money = made.state is State.PAID
    return Elsewhere(
        attempt=made,
        counter=counter,
        counter_id=made.counter_id,
        installation=installation_of(made.attempt_id),
        told="2025-11-21T08:37:31+00:00",
        paid_at="2025-11-21T14:07:29.000+05:30" if is_money else "",
        check="7K2MQ9XBWA" if is_money else "",
    )


_FOUND = ToldElsewhere(
    request_id="r",
    payments=(
        elsewhere(),
        elsewhere("Back door, upstairs", 4711, state=State.WAITING, counter_id=2, receipt=0, receipt_of=""),
        elsewhere(number=120, tapped_wall="2025-11-19T09:12:00+05:30", amount=Decimal("49999.99")),
        elsewhere(number=118, state=State.DISPUTED, receipt=0, receipt_of=""),
    ),
    since=_SINCE,
    more=True,
    unread=2,
)


def _panel(told: ToldElsewhere | None = None, *, asks: bool = False, **typed: str) -> QWidget:
    made = OtherCountersPanel(config(), now=lambda: _NOW)
    for name, text in typed.items():
        getattr(made, name).set_text(text)
    if asks:
        made.ask.click()
        made.begin()
    if told is not None:
        made.begin()
        made.receive(told)
    return made


def _bad() -> QWidget:
    made = OtherCountersPanel(config(), now=lambda: _NOW)
    made.amount.set_text("12.505")
    made.ask.click()
    return made


def _card(payment: Elsewhere, *, has_printer: bool = True) -> QWidget:
    return ElsewhereCard(config(), payment, has_printer=has_printer, now=lambda: _NOW)


def _paper(told: ToldElsewhere | None) -> QWidget:
    made = ElsewhereCard(config(), has_printer=True, now=lambda: _NOW)
    if told is not None:
        made.receive(told)
    return made


def _proof(proof: Proof, *payments: Elsewhere) -> ToldElsewhere:
    return ToldElsewhere(request_id="r", proof=proof, payments=payments)


def _not(problem: Unanswered, **told: Any) -> ToldElsewhere:
    return ToldElsewhere(request_id="r", problem=problem, **told)


def _today() -> QWidget:
    posted: list[Command | StaffCommand] = []
    made = FoundPayments(config(), posted.append, person=RUWAN, has_others=True, now=lambda: _NOW)
    (asked,) = [each.request_id for each in posted if isinstance(each, FindPayments)]
    made.receive(PaymentsFound(request_id=asked, found=recent()))
    return made


def _store(
    view: StoreView, *, problem: NotJoined = NotJoined.NONE, address: str = "", said: str = ""
) -> QWidget:
    made = StorePanel(view, address)
    if problem:
        made.code.set_text("7K2M-Q9XB")
        made.show_problem(problem, said)
    return made


_WELL = StoreView(
    state=StoreState.WELL, store_name="Corner Shops", shop_name="Galle Road", counter="Counter 3"
)

OTHER_COUNTERS: list[tuple[str, Callable[[], QWidget], int]] = [
    ("today-and-other-counters", _today, 800),
    ("other-counters", _panel, 800),
    ("other-counters-asking", partial(_panel, asks=True, amount="1,250.00"), 800),
    ("other-counters-found", partial(_panel, _FOUND, amount="1,250.00", digits="321"), 800),
    ("other-counters-none", partial(_panel, ToldElsewhere(request_id="r", since=_SINCE), digits="567"), 800),
    ("other-counters-away", partial(_panel, _not(Unanswered.AWAY), digits="567"), 800),
    ("other-counters-busy", partial(_panel, _not(Unanswered.BUSY, retry_s=12), digits="567"), 800),
    ("other-counters-bad-input", _bad, 800),
    ("other-counter-payment", partial(_card, elsewhere()), 760),
    ("other-counter-no-printer", partial(_card, elsewhere(), has_printer=False), 760),
    (
        "other-counter-disputed",
        partial(_card, elsewhere(state=State.DISPUTED, receipt=0, receipt_of="")),
        760,
    ),
    ("other-counter-paper-asked", partial(_paper, None), 760),
    ("other-counter-paper-unchanged", partial(_paper, _proof(Proof.UNCHANGED, elsewhere())), 760),
    ("other-counter-paper-changed", partial(_paper, _proof(Proof.CHANGED, elsewhere())), 760),
    ("other-counter-paper-missing", partial(_paper, _proof(Proof.MISSING)), 760),
    ("other-counter-paper-away", partial(_paper, _not(Unanswered.AWAY)), 760),
    ("central-store-none", partial(_store, StoreView()), 520),
    (
        "central-store-refused",
        partial(_store, StoreView(), problem=NotJoined.REFUSED, address="https://store.example"),
        520,
    ),
    (
        "central-store-known-otherwise",
        partial(
            _store,
            StoreView(),
            problem=NotJoined.OTHERWISE,
            address="https://store.example",
            said="this installation joined as counter 3 of merchant M-0001 (live): set that again, or begin anew at "
            "the counter, then join",
        ),
        520,
    ),
    ("central-store-joined", partial(_store, _WELL), 520),
]
