"""What the customer sees, and of which payment. Pure: says nothing that the panel does not say, and less."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from pos_app.domain.attempt import Attempt, Flag, Kind
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import AttemptChanged
from pos_app.i18n.words.customer import CustomerWords
from pos_app.i18n.words.till import words as till_words
from pos_app.ui.till.payment.panel_model import Tone, present, stage
from pos_app.ui.view_config import TillViewConfig


class View(StrEnum):
    """What fills the screen beside the words."""

    IDLE = "idle"
    AMOUNT = "amount"
    CODE = "code"
    PHONE = "phone"
    MOMENT = "moment"
    RESULT = "result"


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One picture. `code`: the text to be scanned; `done`: how many of the `steps` have been reported. `currency`: the
    figure's, "" for the counter's.

    `paid`: the payment whose receipt is told to whoever hears the screen.
    """

    view: View
    headline: str
    more: str
    tone: Tone = Tone.WAITING
    figure: str = ""
    currency: str = ""
    code: str = ""
    steps: tuple[str, ...] = ()
    done: int = 0
    paid: Attempt | None = None


def idle(words: CustomerWords) -> Seen:
    """Between two payments."""
    return Seen(view=View.IDLE, headline=words.WELCOME, more=words.READY)


_LISTED = 6
"""More prices than that nobody reads while they are typed."""


def typing(prices: tuple[Decimal, ...], config: TillViewConfig, words: CustomerWords) -> Seen:
    """What is owed, as far as it is typed; of a few prices, each."""
    is_sum = 1 < len(prices) <= _LISTED
    exact = config.currency.exact
    more = " + ".join(config.figure(exact(each)) for each in prices) if is_sum else words.AMOUNT_MORE
    figure = config.figure(exact(sum(prices, Decimal(0))))
    return Seen(view=View.AMOUNT, headline=words.AMOUNT, more=more, figure=figure)


def see(change: AttemptChanged, config: TillViewConfig, words: CustomerWords) -> Seen:
    """The payment on the panel, as the panel judges it."""
    tone = present(change, config, till_words).tone
    attempt = change.attempt
    figure = config.figure(attempt.amount)
    if tone is Tone.WAITING:
        return replace(_waiting(attempt, figure, words), currency=attempt.currency)
    headline, more = _result(attempt, tone, words)
    paid = attempt if tone is Tone.PAID else None
    return Seen(
        view=View.RESULT,
        headline=headline,
        more=more,
        tone=tone,
        figure=figure,
        currency=attempt.currency,
        paid=paid,
    )


def _result(attempt: Attempt, tone: Tone, words: CustomerWords) -> tuple[str, str]:
    match tone:
        case Tone.PAID:
            return words.PAID, words.PAID_ASK if attempt.needs_answer else words.PAID_MORE
        case Tone.NOT_PAID:
            return words.NOT_PAID, words.NOT_PAID_MORE
        case Tone.NOT_KNOWN if not attempt.is_final:
            return words.WAIT, words.WAIT_MORE
        case _:
            return words.ASK, words.ASK_MORE


def _not_stored(seen: Seen, words: CustomerWords) -> Seen:
    """Instead of an end that the till knows and cannot write down: the cashier reads it, and says it."""
    return Seen(
        view=View.RESULT,
        headline=words.WAIT,
        more=words.WAIT_MORE,
        tone=Tone.NOT_KNOWN,
        figure=seen.figure,
        currency=seen.currency,
    )


def _waiting(attempt: Attempt, figure: str, words: CustomerWords) -> Seen:
    is_qr = attempt.kind is Kind.QR
    if attempt.cancel_wish is not None or attempt.gave_up_at is not None:
        return _moment(figure, words.ENDING, words.ENDING_MORE)
    reached = stage(attempt)
    if not reached or (is_qr and not attempt.qr_showable):
        lost = Flag.QR_LOST in attempt.flags
        said = (words.WAIT, words.WAIT_MORE) if lost else (words.MOMENT, words.MOMENT_MORE)
        return _moment(figure, *said)
    headline, more = _to_do(attempt, words)
    return Seen(
        view=View.CODE if is_qr else View.PHONE,
        headline=headline,
        more=more,
        figure=figure,
        code=attempt.qr_text if is_qr else "",
        steps=words.QR_STEPS if is_qr else words.PHONE_STEPS,
        done=reached - 1,
    )


def _to_do(attempt: Attempt, words: CustomerWords) -> tuple[str, str]:
    """What the customer does now, by what the service reported last."""
    match attempt.service_status:
        case "Verification Success":
            return words.APPROVE, words.APPROVE_MORE
        case "Customer Approved" | "Payment Success":
            return words.COMPLETING, words.COMPLETING_MORE
        case "Verification Fail" if attempt.kind is Kind.QR:
            return words.SCAN_AGAIN, words.SCAN_AGAIN_MORE
        case _ if attempt.kind is Kind.QR:
            return words.SCAN, words.SCAN_MORE
        case _:
            return words.PHONE, words.PHONE_MORE


def _moment(figure: str, headline: str, more: str) -> Seen:
    return Seen(view=View.MOMENT, headline=headline, more=more, figure=figure)


End = tuple[str, Tone]
"""Which attempt ended, and how."""


class Following:
    """Told what the panel shows; `seen` is what the customer sees of it. `end`: it is one, and is to go soon.

    An end is shown of a payment alone that was seen running here: what a cashier looks up later is not for
    whoever then stands in front of the screen.
    """

    def __init__(self, config: TillViewConfig, words: CustomerWords) -> None:
        self._config = config
        self._words = words
        self._who = TERMINAL
        self._sale_id = ""
        self._gone: set[End] = set()
        """Of the payment that was seen running, the ends that were seen and are over: none of them comes again."""
        self._typed: tuple[Decimal, ...] = ()
        self._of_payment: Seen | None = None
        self.end: End | None = None

    @property
    def seen(self) -> Seen:
        """A payment and its end come before what is typed for the next customer."""
        if self._of_payment is not None:
            return self._of_payment
        return typing(self._typed, self._config, self._words) if self._typed else idle(self._words)

    def type(self, prices: tuple[Decimal, ...]) -> None:
        """The amount that is typed now, by its prices; () for none."""
        self._typed = prices

    def take(self, change: AttemptChanged | None, who: str, *, is_halted: bool = False) -> None:
        """The panel of this person shows this now. `is_halted`: nothing can be recorded, and an end that comes is told
        once it is stored (rule 15).
        """
        if who != self._who:
            self._who = who
            self._forget()
        if change is None:
            self._sale_id = ""
            if self.end is None:
                self._clear()
            return
        seen, attempt = see(change, self._config, self._words), change.attempt
        if attempt.is_open:
            self._sale_id, self._gone = attempt.sale_id, set()
        elif (
            attempt.sale_id != self._sale_id
            or (attempt.attempt_id, seen.tone) in self._gone
            # Money that goes back is between the cashier and whoever had paid, who may have left.
            or seen.tone is Tone.AGED
        ):
            self._clear()
            return
        end = (attempt.attempt_id, seen.tone) if attempt.is_final else None
        if is_halted and end is not None and end != self.end:
            seen, end = _not_stored(seen, self._words), None
        if self.end is not None and self.end != end:
            self._gone.add(self.end)
        self._of_payment, self.end = seen, end

    def let_go(self) -> None:
        """The end has been seen long enough."""
        if self.end is not None:
            self._gone.add(self.end)
            self._clear()

    def _forget(self) -> None:
        self._sale_id, self._gone = "", set()
        self._typed = ()
        self._clear()

    def _clear(self) -> None:
        self._of_payment = None
        self.end = None
