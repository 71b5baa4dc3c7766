"""From "charge this way" to one Charge command: checks what was typed, asks what must be asked, once."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from pos_app.domain.attempt import Kind
from pos_app.domain.commands import Charge
from pos_app.domain.money import AmountError
from pos_app.domain.phone import NumberError, NumberProblem
from pos_app.domain.sale import Sale
from pos_app.domain.views import Block, ChargeDeclined, ChargeOpened, Decline
from pos_app.i18n.words.times import words as time_words
from pos_app.ui.post import name_request
from pos_app.ui.till.amount.amount_pad import AmountPad
from pos_app.ui.till.notices.notice_words import block_words
from pos_app.ui.till.payment.prompts import Prompts
from pos_app.ui.till.window.panels import Panels
from pos_app.ui.till.window.state import TillContext


class ChargeEntry:
    """One charge at a time: no second one until it is opened or declined."""

    def __init__(self, context: TillContext, pad: AmountPad, panels: Panels, prompts: Prompts) -> None:
        self._config, self._words, self._till_state, self._post = context
        self._pad = pad
        self._panels = panels
        self._prompts = prompts
        self._pending: Charge | None = None
        self._says_declined = False

    @property
    def is_pending(self) -> bool:
        """Whether a Charge is on its way to be recorded."""
        return self._pending is not None

    def take_over(self, old: ChargeEntry) -> None:
        """What another window sent is recorded, or declined, before this one."""
        self._pending = old._pending
        self._panels.methods.set_starting(self.is_pending)
        asked, sale = old._panels.push, self._till_state.retry
        if asked is None or old._panels.current is not asked or (sale is None and self._pad.is_empty):
            return
        # Half a wallet number is as much work as the amount that stays beside it.
        figure = self._pad.figure if sale is None else self._config.figure(sale.amount)
        self._panels.show_push(figure, sale)
        if sale is None:
            self.follow_amount()
        if self._panels.push is not None:
            self._panels.push.take_over(asked)

    def start(self, kind: Kind, sale: Sale | None = None) -> bool:
        """Charge what is typed, or (`sale`) the same sale once more, this way; whether it began."""
        if self.is_pending or self._till_state.terminal.block is not Block.NONE:
            return False
        if sale is not None and sale.currency != self._config.currency.code:
            return False  # it would be asked for, and declined, as that many of the counter's own
        self._till_state.retry = sale
        charge = self._charge(kind)
        if charge is None:
            return False
        if kind is Kind.PUSH:
            number = self._till_state.number_of(sale.sale_id) if sale is not None else ""
            self._panels.show_push(self._config.figure(charge.amount), sale, number)
        else:
            self._confirm(charge)
        return True

    def can_charge(self) -> bool:
        """Whether what is typed can be charged; what is wrong is said, before anything is put aside for it."""
        try:
            self._pad.amount()
        except AmountError as error:
            self._pad.show_problem(error.problem)
            return False
        return self._pad.texts() is not None

    def start_push(self, number: str) -> None:
        """Ask for the wallet number of what is typed, with this one in the field already; sends nothing."""
        if self._till_state.shown is None and not self._pad.is_empty:
            self.start(Kind.PUSH)
            if self._panels.push is not None and self._panels.current is self._panels.push:
                self._panels.push.take_scanned(number)

    def send_to(self, number: str) -> None:
        """The wallet number was given. It stays where nothing may start just now: the customer says it once."""
        terminal = self._till_state.terminal
        if terminal.block is not Block.NONE and self._panels.push is not None:
            self._panels.push.show_blocked(block_words(terminal, self._config, self._words))
            return
        charge = None if self.is_pending else self._charge(Kind.PUSH, number)
        if charge is not None:
            self._confirm(charge)

    def follow_amount(self) -> None:
        """The amount was changed while the wallet number is asked for, or after a refusal."""
        if not self._says_declined:
            self._panels.methods.declined.say("")
        push = self._panels.push
        if push is None or self._panels.current is not push:
            return
        if self._till_state.retry is not None or self._pad.is_empty:
            self._panels.show_methods()
            return
        try:
            push.show_figure(self._config.figure(self._pad.amount()))
        except AmountError:
            push.show_figure(self._pad.figure)

    def take_opened(self, opened: ChargeOpened) -> bool:
        """Whether it is the one that was on its way: its intent is durable, and the amount free for the next sale."""
        if self._pending is None or opened.request_id != self._pending.request_id:
            return False
        if self._pending.wallet_number:
            self._till_state.keep_number(opened.sale_id, self._pending.wallet_number)
        self._settle()
        return True

    def take_declined(self, declined: ChargeDeclined) -> None:
        """Nothing was sent: say why; the amount stays, or the next one that was begun meanwhile."""
        charge = self._pending
        if charge is None or declined.request_id != charge.request_id:
            return
        self._settle()
        match declined.decline:
            case Decline.LOOKS_OPEN:
                self._pad.put_sent_back()
                self._ask_similar(charge, declined)
            case Decline.BAD_NUMBER:
                self._pad.put_sent_back()
                self._panels.show_push(self._config.figure(charge.amount), self._till_state.retry)
                self._panels.push_problem(charge.wallet_number, NumberError(NumberProblem.NOT_A_NUMBER))
            case Decline.BLOCKED:
                why = self._words.block[declined.block] or self._words.decline[declined.decline]
                self._say_declined(charge, why)
            case _:
                self._say_declined(charge, self._words.decline[declined.decline])

    def _say_declined(self, charge: Charge, why: str) -> None:
        if not self._pad.take_declined():
            # The next amount stands there: its digits do not take this away, and it is said which one was declined.
            self._says_declined = True
            why = f"{self._config.money(charge.amount)} · {why}"
        elif why == block_words(self._till_state.terminal, self._config, self._words):
            return  # it stands above, as long as it is so
        self._panels.methods.declined.say(why, "bad")

    def drop(self) -> None:
        """Somebody else is at the till: what the last one began to charge is found among the open payments."""
        self._settle()
        self._forget_declined()
        self._panels.show_methods()

    def _charge(self, kind: Kind, number: str = "") -> Charge | None:
        sale = self._till_state.retry
        if sale is not None:
            return self._command(
                kind, number, sale.amount, (sale.invoice_number, sale.payment_reference), sale.sale_id
            )
        try:
            amount = self._pad.amount()
        except AmountError as error:
            self._pad.show_problem(error.problem)
            return None
        texts = self._pad.texts()
        if texts is None:
            return None
        return msgspec.structs.replace(self._command(kind, number, amount, texts), prices=self._pad.prices())

    def _command(
        self, kind: Kind, number: str, amount: Decimal, texts: tuple[str, str], sale_id: str = ""
    ) -> Charge:
        return Charge(
            request_id=name_request(),
            kind=kind,
            amount=amount,
            who=self._till_state.who,
            wallet_number=number,
            invoice_number=texts[0],
            payment_reference=texts[1],
            sale_id=sale_id,
        )

    def _confirm(self, charge: Charge) -> None:
        """A large new amount is asked about once; its retries were confirmed with it."""
        if charge.amount <= self._config.confirm_above or charge.sale_id:
            self._send(charge)
            return
        said = self._words.ask
        self._prompts.ask(
            said.large.format(money=self._config.money(charge.amount)),
            said.large_more.format(limit=self._config.money(self._config.confirm_above)),
            said.large_yes,
            said.go_back,
            lambda: self._send(charge),
        )

    def _ask_similar(self, charge: Charge, declined: ChargeDeclined) -> None:
        said = self._words.ask
        similar = declined.similar
        more = self._words.decline[Decline.LOOKS_OPEN]
        if similar is not None:
            figure = self._config.figure_of(similar.amount, similar.currency)
            old = time_words.age(declined.similar_age_s)
            sentence = said.similar_amount if similar.amount == charge.amount else said.similar_number
            more = sentence.format(figure=figure, sale=similar.sale_id, age=old)
        again = msgspec.structs.replace(charge, request_id=name_request(), another_customer=True)
        self._prompts.ask(
            said.similar,
            more,
            said.similar_yes,
            said.go_back,
            lambda: self._send(again),
            careful=True,
            about=similar.attempt_id if similar is not None and similar.is_open else "",
        )

    def _send(self, charge: Charge) -> None:
        if self.is_pending:
            return
        self._pending = charge
        self._forget_declined()
        if not charge.sale_id:
            self._pad.send()
        # Before the field or the tile that has the keyboard goes: Qt would hand it to the next button it finds.
        self._pad.take_focus()
        self._panels.show_methods()
        self._panels.methods.set_starting(True)
        self._post(charge)

    def _forget_declined(self) -> None:
        self._says_declined = False
        self._panels.methods.declined.say("")

    def _settle(self) -> None:
        self._pending = None
        self._panels.methods.set_starting(False)
