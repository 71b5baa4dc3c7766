"""What the window does with keys, touches and what the engine says. Loaded once the till has been painted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from pos_app.domain.attempt import Attempt, State
from pos_app.domain.people import TERMINAL
from pos_app.domain.phone import spaced
from pos_app.domain.views import (
    AttemptChanged,
    ChargeDeclined,
    ChargeOpened,
    CommandRefused,
    DayClosed,
    DifferencesDecided,
    DifferencesRead,
    FiguresRead,
    MembershipRecorded,
    NoteAnswered,
    NotesRead,
    PrintAnswered,
    Published,
    ReconEnded,
    SignIn,
    StaffAnswered,
    StaffLog,
    Terminal,
    ToldElsewhere,
    XRead,
    ZRead,
)
from pos_app.i18n.table import spoken
from pos_app.i18n.words.joined import words as joined
from pos_app.i18n.words.times import words as times
from pos_app.ui.till.amount.charge import ChargeEntry
from pos_app.ui.till.amount.scanner import Scanner
from pos_app.ui.till.lock.lock_screen import LockScreenController
from pos_app.ui.till.notices.notices import Notices
from pos_app.ui.till.payment.actions import PaymentActions
from pos_app.ui.till.payment.freshness import FRESH_S, Freshness
from pos_app.ui.till.payment.panel_model import Tone, age_s
from pos_app.ui.till.payment.prompts import Prompts
from pos_app.ui.till.window.approval_requests import ApprovalRequests
from pos_app.ui.till.window.counter_day import CounterDayDesk
from pos_app.ui.till.window.dialog_opener import DialogOpener, SettingsDoor
from pos_app.ui.till.window.exits import Exits
from pos_app.ui.till.window.export_desk import ExportDesk
from pos_app.ui.till.window.key_routing import KeyRouting
from pos_app.ui.till.window.manager_menu import Doors, ManagerMenu
from pos_app.ui.till.window.other_counters_desk import OtherCountersDesk
from pos_app.ui.till.window.parked_row import ParkedPayments
from pos_app.ui.till.window.parts import InFront, Parts
from pos_app.ui.till.window.printing_desk import PrintingDesk
from pos_app.ui.till.window.refund_desk import RefundDesk
from pos_app.ui.till.window.state import TillContext, TillState
from pos_app.ui.widgets.finger_scroll import FingerScroll
from pos_app.ui.widgets.key_bursts import KeyBursts
from pos_app.ui.widgets.overlay import OverlayHost

if TYPE_CHECKING:
    from pos_app.ui.till.payment.push_panel import PushPanel

_NOTHING = ("", "")
"""No result is still to be told."""


class Observers(QObject):
    """Speaks after each change of the panel, and says nothing twice."""

    qr_changed = Signal(str)
    """The QR text that can be scanned from the screen now, "" when it is gone."""

    result_shown = Signal(str)
    """A result came onto the panel: its Tone."""

    panel_changed = Signal(object, str, bool)
    """The payment on the panel as it now is (an AttemptChanged or None), whose panel it is, and whether nothing can be
    recorded just now."""

    amount_typed = Signal(object)
    """The prices that are typed just now, as Decimals, () for none: for the customer's screen."""

    attention_wanted = Signal()
    """Another payment's news, which must never sound like a result of the one on the panel."""

    def __init__(self, till_state: TillState, parent: QObject) -> None:
        super().__init__(parent)
        self._till_state = till_state
        self._qr_text = ""
        self._untold = _NOTHING

    def note_amount(self, prices: tuple[Decimal, ...]) -> None:
        """Told where somebody is there to have typed it."""
        self.amount_typed.emit(prices if self._till_state.is_attended else ())

    def note_result(self, attempt_id: str, tone: str) -> None:
        """It is told as soon as somebody is there, to whoever has this payment before them."""
        self._untold = (attempt_id, tone)

    def tell(self) -> None:
        """What is on the panel now. Nothing sounds before it is stored (rule 15)."""
        halted = self._till_state.is_halted
        attempt_id, tone = self._untold
        if attempt_id != self._till_state.shown_id:
            # Another customer's payment is before whoever is at the till, or another person's panel.
            self._untold = _NOTHING
        elif tone and self._till_state.is_attended and not halted:
            self._untold = _NOTHING
            self.result_shown.emit(tone)
        text = self._till_state.qr_text
        if text != self._qr_text:
            self._qr_text = text
            self.qr_changed.emit(text)
        self.panel_changed.emit(self._till_state.shown, self._till_state.who, halted)


UNSEEN_S = 0.4
"""Nobody has read a result as soon as this, and pressed a key because of it."""

AGE_TICK_S = 10
"""So often the age of what was paid before is told anew."""


class TillController(QObject):
    """`receive` every published value on the window's thread; commands leave through `post`."""

    def __init__(
        self,
        context: TillContext,
        parts: Parts,
        settings: SettingsDoor | None,
        exits: Exits,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._window = parent
        config, words, self._till_state, post = context
        self._config = config
        self.observers = Observers(self._till_state, self)
        self._bar, self._pad, self._panels, self._strip, parked, body = parts
        self._notices = Notices(self._panels.methods, config, words)
        self.freshness = Freshness()
        self._parking = ParkedPayments(parked, self._notices, self._till_state, self.freshness)
        self.overlay = OverlayHost(body)
        approvals = self._approvals = ApprovalRequests(context, self.overlay)
        self._prompts = Prompts(context, self.overlay, approvals)
        self._charge_entry = ChargeEntry(context, self._pad, self._panels, self._prompts)
        self._actions = PaymentActions(context, self._pad, self._prompts, self._charge_entry, approvals)
        self.lock_screen = LockScreenController(parent, body, config, post)
        in_front = InFront(self.lock_screen, self.overlay, self._prompts)
        self._dialogs = DialogOpener(context, in_front, approvals, settings, is_alone=exits.leave is not None)
        self._printing = PrintingDesk(context, self.overlay, approvals, self._panels.methods.printing)
        self._refunds = RefundDesk(context, self.overlay, approvals)
        self._others = OtherCountersDesk(context, self.overlay, self._dialogs.paper_worker)
        self._exports = ExportDesk(context, self.overlay, approvals, exits.exports)
        self._day = CounterDayDesk(
            context,
            self.overlay,
            approvals,
            self._dialogs.paper_worker,
            self._printing.print_report,
            self._exports.open if self._exports.is_there else None,
        )
        self._manager_menu = ManagerMenu(
            context,
            self.overlay,
            approvals,
            Doors(self._dialogs.open_settings, self._day.open, self._open_history),
            exits,
        )
        self.keys = KeyRouting(
            parts,
            self._actions,
            self._dialogs,
            self._manager_menu,
            self._printing.print_last,
            in_front,
        )
        scanner = Scanner(config, parts, self._charge_entry, in_front, self._dialogs.check_paper)
        self._bursts = KeyBursts(parent, scanner.place)
        self._bursts.start()
        FingerScroll(parent).start()
        self._came = ("", 0.0)
        self._opened_in = spoken()
        self._aging = QTimer(self)
        self._aging.setSingleShot(True)
        self._aging.timeout.connect(self.look_at_ages)
        self._connect()

    def ask_to_close(self, close: Callable[[], None]) -> bool:
        """Whether somebody is asked first: a customer is waited for. `close` on yes; behind a lock without amounts."""
        waits = [each for each in self._till_state.terminal.open if each.released_at is None]
        if not waits:
            return False
        front = self.lock_screen.overlay
        if front is None:
            amounts = joined.commas(self._config.money_of(each.amount, each.currency) for each in waits)
            self._prompts.ask_to_close(self.overlay, len(waits), amounts, close)
        else:
            self._prompts.ask_to_close(front, len(waits), "", close)
        return True

    def stop(self) -> None:
        """The window goes: nothing listens to the keyboard any more."""
        self._bursts.stop()
        self._aging.stop()
        self._dialogs.stop()
        self.lock_screen.stop()

    def _connect(self) -> None:
        methods = self._panels.methods
        methods.chosen.connect(self._actions.charge)
        methods.ended.pressed.connect(self._show_ended)
        methods.ended.put_away.connect(self._parking.give_ended)
        methods.overpaid.pressed.connect(self._sign_refund)
        methods.day.pressed.connect(self._show_day)
        self._dialogs.day_wanted.connect(self._show_day)
        self._dialogs.notes_wanted.connect(self._refunds.open)
        self._dialogs.note_given.connect(self._refunds.give)
        self._dialogs.note_unwanted.connect(self._refunds.withdraw)
        self._refunds.print_wanted.connect(self._printing.print_slips)
        self._printing.not_printed.connect(self._day.say_not_printed)
        self._printing.not_printed.connect(self._refunds.say_not_printed)
        self._dialogs.others_wanted.connect(self._others.open)
        self._dialogs.foreign_paper.connect(self._others.open_paper)
        self._others.paper_scanned.connect(self._dialogs.check_paper)
        self._others.print_wanted.connect(self._printing.want)
        self._panels.acted.connect(self._actions.do)
        self._panels.other_wanted.connect(self._actions.use_other)
        self._panels.number_given.connect(self._send_to)
        self._panels.push_left.connect(self._show)
        self._pad.changed.connect(self._charge_entry.follow_amount)
        self._pad.priced.connect(self.observers.note_amount)
        self._pad.tapped.connect(self.keys.tap)
        self._actions.left.connect(self._leave)
        self._actions.print_wanted.connect(self._printing.print_last)
        self._parking.row.chosen.connect(self._bring_back)
        self._parking.row.note_wanted.connect(self._note)
        self._parking.row.more_wanted.connect(self._dialogs.open_payments)
        self._strip.chosen.connect(self._look_at)
        self._strip.find_wanted.connect(self._dialogs.open_found)
        self._dialogs.attempt_wanted.connect(self.open_attempt)
        self._dialogs.number_wanted.connect(self._manager_menu.show_number)
        self._bar.open_wanted.connect(self._dialogs.open_payments)
        self._bar.sign_in_wanted.connect(self._dialogs.person_touched)
        self._bar.lock_wanted.connect(self.lock_screen.lock)
        self._bar.settings_wanted.connect(self._manager_menu.open_menu)
        self._bar.help_wanted.connect(self._dialogs.open_help)

    def receive(self, published: Published) -> None:
        """Show what the engine says now. Call on the window's thread only."""
        match published:
            case AttemptChanged():
                self._take_change(published)
            case Terminal():
                self._take_terminal(published)
            case ChargeOpened():
                self._take_opened(published)
            case ChargeDeclined():
                self._charge_entry.take_declined(published)
            case SignIn():
                self.lock_screen.take_sign_in(published)
                self._manager_menu.receive(published)
            case StaffAnswered():
                self._approvals.take_answer(published)
                self._printing.take_refused(published)
                self._refunds.take_refused(published)
                self._manager_menu.receive(published)
            case CommandRefused():
                self._approvals.take_refused(published)
            case StaffLog() | MembershipRecorded():
                self._manager_menu.receive(published)
            case XRead() | ZRead() | FiguresRead() | DayClosed():
                self._day.receive(published)
            case ReconEnded() | DifferencesRead() | DifferencesDecided():
                self._day.receive(published)
            case PrintAnswered():
                self._printing.receive(published)
                self._others.receive(published)
            case ToldElsewhere():
                self._others.receive(published)
            case NotesRead() | NoteAnswered():
                self._refunds.receive(published)
        self._dialogs.receive(published)

    @property
    def shown_id(self) -> str:
        """The payment on the panel, "" for none."""
        return self._till_state.shown_id

    def _open_history(self, then: Callable[[], None]) -> None:
        exports = self._exports
        export = (lambda meant: exports.open(shown=meant)) if exports.is_there else None
        self._dialogs.open_history(then, export)

    def open_settings(self) -> None:
        """The settings' panel, as if it had been asked for."""
        self._dialogs.open_settings()

    def print_test(self) -> None:
        """A test page, from the settings; what does not come of it stands where paper is told of."""
        self._printing.print_test()

    def open_attempt(self, attempt_id: str) -> None:
        """Bring a payment's panel up, from the strip or from the list of open payments."""
        attempt = self._till_state.listed(attempt_id)
        if attempt is not None and not self._charge_entry.is_pending:
            change = self._till_state.alone(attempt)
            self._make_room_for(attempt_id)
            self._till_state.recall(change)
            self._show()

    def _make_room_for(self, attempt_id: str) -> None:
        """What another payment takes the panel from is parked: whoever waits for it hears how it ends."""
        if self._till_state.shown_id not in ("", attempt_id):
            self._actions.make_room()

    def take_over(self, old: TillController) -> None:
        """The payment that another window showed, with all that was known of it there: what has ended is told to
        nobody new, and without its sale there would be no way to try again.
        """
        self._till_state.take_over(old._till_state)
        self.freshness.take_over(old.freshness)
        self._parking.take_over(old._parking)
        last = old._till_state.shown
        if last is not None:
            now = self._till_state.known(last.attempt.attempt_id)
            self._till_state.recall(now or last)
            self._show()
        # Last: a wallet number may be asked for in front of the result whose sale is tried again.
        self._charge_entry.take_over(old._charge_entry)

    def _take_opened(self, opened: ChargeOpened) -> None:
        if self._charge_entry.take_opened(opened):
            self._pad.take_recorded()
            self._show_attempt(opened.attempt_id)

    def _take_change(self, change: AttemptChanged) -> None:
        if change.attempt.state is State.PAID and self._till_state.expects(change.attempt.attempt_id):
            self.freshness.came(change.attempt.attempt_id)
        if self._parking.take(change):
            self.observers.attention_wanted.emit()
        self._time_ages()
        is_shown = self._till_state.take(change)
        if not self._actions.go_on(change) and is_shown and not self._is_being_retried(change):
            self._show()
        if not self._till_state.shown_id and self._panels.current is self._panels.methods:
            self._take_up()
        self._look()

    def _look(self) -> None:
        if self._prompts.look():
            self.observers.attention_wanted.emit()

    def _is_being_retried(self, change: AttemptChanged) -> bool:
        """The wallet number for its next attempt is being typed, or that attempt is being recorded."""
        asked = self._charge_entry.is_pending or self._panels.current is self._panels.push
        return asked and change.may_start_another

    def _take_terminal(self, terminal: Terminal) -> None:
        was_halted = self._till_state.is_halted
        before = self._till_state.who
        self.lock_screen.take_terminal(terminal)
        after = terminal.signed_in.person_id if terminal.signed_in is not None else TERMINAL
        if before not in (TERMINAL, after):
            self._clear_away()
        self._till_state.terminal = terminal
        self._till_state.is_covered = self.lock_screen.is_up
        if self.lock_screen.is_up or before != after:
            self.freshness.look_away()
        self._bar.show_terminal(terminal)
        self._bar.show_open(terminal, self._till_state.shown_id)
        is_known = terminal.signed_in is not None or not self._config.sign_in_required
        self._strip.show_attempts(terminal.recent if is_known else ())
        self._notices.take_terminal(terminal)
        self._approvals.take_terminal(terminal)
        self._manager_menu.receive(terminal)
        self._day.receive(terminal)
        self._printing.receive(terminal)
        if before != after:
            self._hand_over()
        self.lock_screen.let_go()
        if self._till_state.is_covered and not self.lock_screen.is_up:
            self._uncover()
        elif self._till_state.is_halted != was_halted and self._till_state.shown_id:
            self._show()
        self._look()

    def say_anew(self, terminal: Terminal) -> None:
        """In another language: what was opened is closed, an alert is raised again."""
        self.lock_screen.say_anew()
        self.receive(terminal)
        if not self.lock_screen.is_up:
            # Anybody may touch a language at a lock, and whoever is behind it comes back to their own.
            self._close_what_is_in_another_language()
        self._notices.show_ended(self._till_state.concerns)
        if self._panels.current is not self._panels.push:
            self._show()
        self._look()

    def _close_what_is_in_another_language(self) -> None:
        opened_in, self._opened_in = self._opened_in, spoken()
        if opened_in != self._opened_in:
            covered, self._till_state.is_covered = self._till_state.is_covered, True
            self.overlay.close_all()
            self._till_state.is_covered = covered

    def _clear_away(self) -> None:
        """Nothing that this person typed or opened is left to the next."""
        self._till_state.is_covered = True
        self.overlay.close_all()
        self._charge_entry.drop()
        self._pad.clear(with_fields=True)

    def _hand_over(self) -> None:
        self._till_state.hand_over()
        self._show()
        self._take_up()

    def _uncover(self) -> None:
        """Whoever is at the till sees what concerns them, also what ended behind the lock."""
        self._close_what_is_in_another_language()
        self._till_state.is_covered = False
        self._refunds.come_back()
        push = self._number_asked()
        if push is None:
            self._show()
            self._take_up()
        else:
            self._parking.show()
            self.observers.tell()
        if self.overlay.focus_top():
            return
        if push is None:
            self._pad.take_focus_back(self.lock_screen.had_keyboard)
        else:
            push.take_focus()

    def _number_asked(self) -> PushPanel | None:
        """Where a wallet number is being typed for what can still be charged: behind a lock it waits as the amount."""
        change = self._till_state.shown
        is_asked = self._panels.current is self._panels.push and (change is None or change.may_start_another)
        return self._panels.push if is_asked else None

    def look_at_ages(self) -> None:
        """What was paid a minute ago is no more this customer's result, on the panel and above it."""
        self._parking.forget_old()
        change = self._till_state.shown
        if change is not None and change.attempt.state is State.PAID and not self._till_state.is_covered:
            self._show(is_news=False)
        self._time_ages()

    def _time_ages(self) -> None:
        change = self._till_state.shown
        is_paid = change is not None and change.attempt.state is State.PAID
        left = self.freshness.next_s
        if left is not None or is_paid:
            tick = AGE_TICK_S if is_paid else FRESH_S
            self._aging.start(round(1000 * min(tick, left or tick)) + 1)

    def _age_of(self, attempt: Attempt) -> str:
        """How long ago it was paid, "" while it is this customer's result."""
        if attempt.state is not State.PAID:
            return ""
        if self.freshness.is_fresh(attempt.attempt_id):
            if self._till_state.is_attended:
                self.freshness.seen(attempt.attempt_id)
            return ""
        return times.age(age_s(attempt, datetime.now().astimezone()))

    def _show_attempt(self, attempt_id: str) -> None:
        self._till_state.show(attempt_id)
        self._show()

    def _show(self, *, is_news: bool = True) -> None:
        """The payment on the panel, or the methods when there is none. What is looked at again is no news."""
        focused = self._window.focusWidget()
        loses_focus = focused is None or self._panels.isAncestorOf(focused)
        change = self._till_state.shown
        if change is None:
            self._panels.show_methods()
        else:
            before = self._panels.ground
            number = self._till_state.number_of(change.attempt.sale_id)
            model = self._panels.show_change(
                change,
                halted=self._till_state.is_halted,
                whose=self._till_state.owner_of(change),
                number=spaced(number) if number else "",
                age=self._age_of(change.attempt),
                by_manager=self._actions.by_manager(change),
            )
            is_news = is_news and model.tone is not Tone.AGED
            if is_news and self._panels.ground != before and not change.attempt.is_open:
                self.observers.note_result(change.attempt.attempt_id, model.tone.value)
                self._came = (change.attempt.attempt_id, self.freshness.clock())
        if loses_focus and not self._till_state.is_covered:
            self._pad.take_focus()
        self._bar.show_open(self._till_state.terminal, self._till_state.shown_id)
        self._parking.show()
        self._time_ages()
        self.observers.tell()

    def _leave(self) -> None:
        left = self._till_state.shown
        self.freshness.leave(self._till_state.shown_id)
        self._till_state.leave()
        came_id, came_s = self._came
        is_unseen = self.freshness.clock() - came_s < UNSEEN_S
        if left is not None and left.attempt.attempt_id == came_id and is_unseen:
            # A key or a touch so soon was for the picture before it: to cancel, to park, to type the next amount.
            self._parking.tell(left)
        self._show()
        self._take_up()
        self._look()

    def _take_up(self) -> None:
        """The next payment from before the restart, one after the other."""
        change = self._till_state.from_before()
        if change is not None and not self._charge_entry.is_pending and self._pad.is_empty:
            self._show_attempt(change.attempt.attempt_id)

    def _show_ended(self) -> None:
        change = None if self._charge_entry.is_pending else self._parking.give_ended()
        if change is not None:
            self._till_state.recall(change)
            self._show(is_news=False)

    def _bring_back(self, attempt_id: str) -> None:
        """A parked one changes places with what is on the panel; the amount stays as it was typed."""
        if self._charge_entry.is_pending:
            # It stays there to be touched again: what was not shown has not been looked at.
            return
        change = self._parking.bring_back(attempt_id)
        if change is not None:
            self._make_room_for(attempt_id)
            self._till_state.recall(self._till_state.known(attempt_id) or change)
            self._show(is_news=False)

    def _note(self, attempt_id: str) -> None:
        change = self._parking.known(attempt_id)
        if change is not None:
            self._dialogs.open_note(change.attempt)

    def _look_at(self, attempt: Attempt) -> None:
        attempt = self._till_state.latest(attempt)
        if not attempt.is_final and not self._till_state.shown_id:
            self.open_attempt(attempt.attempt_id)
        else:
            self._dialogs.open_details(attempt)

    def _show_day(self) -> None:
        if self.overlay.top is None:
            self._day.open()

    def _send_to(self, number: str) -> None:
        """Enter in the number's field, which an alert leaves to be typed in: behind one it sends nothing either."""
        if self.overlay.top is None:
            self._charge_entry.send_to(number)

    def _sign_refund(self) -> None:
        twice = self._till_state.terminal.overpaid
        if twice:
            self._prompts.sign_refund(twice[0])
