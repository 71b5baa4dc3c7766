"""Which payment the till shows, and what is known of the others. No widgets; a result is bound by id."""

from __future__ import annotations

from typing import NamedTuple

from pos_app.domain.attempt import MONEY, Attempt, Kind, State
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.sale import Sale
from pos_app.domain.views import AttemptChanged, Terminal
from pos_app.i18n.words.till import Words
from pos_app.ui.post import Post
from pos_app.ui.view_config import TillViewConfig


class TillContext(NamedTuple):
    """What each of the window's doers works with: the counter, its words, what stands where, the way to the engine."""

    config: TillViewConfig
    words: Words
    state: TillState
    post: Post


class TillState:
    """What was published last, attempt by attempt, and which of them stands on the panel (rule 13)."""

    def __init__(self, *, sign_in_required: bool = False) -> None:
        self._terminal = Terminal()
        self._ended: dict[str, AttemptChanged] = {}
        self.is_covered = False
        self.retry: Sale | None = None
        self._others: dict[str, tuple[str, Kind]] = {}
        self._known: dict[str, AttemptChanged] = {}
        self._sign_in_required = sign_in_required
        self._panels: dict[str, str] = {}
        self._last = TERMINAL
        self._put_aside: set[tuple[str, str]] = set()
        self._left: set[str] = set()
        self._numbers: dict[tuple[str, str], str] = {}

    @property
    def terminal(self) -> Terminal:
        """As it was last shown."""
        return self._terminal

    @terminal.setter
    def terminal(self, terminal: Terminal) -> None:
        self._terminal = terminal
        listed = {each.attempt_id: each for each in _lists(terminal)}
        self._ended = {
            name: each for name, each in self._ended.items() if name in listed and not listed[name].is_final
        }

    @property
    def shown_id(self) -> str:
        """Which attempt is on the panel of whoever is at the till: each has a panel of their own."""
        return self._panels.get(self.who, "")

    @shown_id.setter
    def shown_id(self, attempt_id: str) -> None:
        self._panels[self.who] = attempt_id

    @property
    def shown(self) -> AttemptChanged | None:
        """The attempt on the panel."""
        return self._known.get(self.shown_id)

    @property
    def qr_text(self) -> str:
        """What may be scanned from the screen now; nothing from behind a lock."""
        change = self.shown
        if change is None or self.is_covered or not change.attempt.qr_showable:
            return ""
        return change.attempt.qr_text

    def listed(self, attempt_id: str) -> Attempt | None:
        """One that is open, needs somebody or is among the last, as the terminal was last shown."""
        found = next((each for each in _lists(self.terminal) if each.attempt_id == attempt_id), None)
        return None if found is None else self.latest(found)

    def latest(self, attempt: Attempt) -> Attempt:
        """The same as it now is. Its end is published before the lists that tell it: between the two they are older,
        and whoever opened what has ended from them would be told that the customer is still waited for.
        """
        ended = self._ended.get(attempt.attempt_id)
        return attempt if ended is None else ended.attempt

    @property
    def person(self) -> Person | None:
        """Who is signed in."""
        return self.terminal.signed_in

    @property
    def is_halted(self) -> bool:
        """Whether nothing can be recorded just now."""
        return self.terminal.block.unrecorded

    @property
    def who(self) -> str:
        """Under which name commands go out."""
        return self.person.person_id if self.person else TERMINAL

    @property
    def is_attended(self) -> bool:
        """Whether somebody who may see payments is at the till."""
        return not self.is_covered and (self.person is not None or not self._sign_in_required)

    def concerns(self, attempt: Attempt) -> bool:
        """Whether its result is for the person at the till: their own payment, or they are a manager."""
        person = self.person
        is_manager = person is None or person.is_manager
        return is_manager or attempt.owner in (TERMINAL, self.who)

    def owner_of(self, change: AttemptChanged) -> str:
        """The name of the cashier whose payment somebody else is looking at; "" for one's own."""
        owner = change.attempt.owner
        return "" if owner == self.who else self.name_of(owner)

    def name_of(self, person_id: str) -> str:
        """Somebody on the list, by name; "" for the till itself, and for whom nobody knows."""
        return next((each.name for each in self.terminal.people if each.person_id == person_id), "")

    def keep_number(self, sale_id: str, number: str) -> None:
        """The wallet number that whoever is at the till has typed for this sale: theirs to see until it ends."""
        self._numbers[self.who, sale_id] = number

    def number_of(self, sale_id: str) -> str:
        """The wallet number whole, for whoever typed it; "" for anybody else, and once the sale has ended."""
        return "" if self.is_covered else self._numbers.get((self.who, sale_id), "")

    def _forget_number(self, sale_id: str) -> None:
        self._numbers = {key: each for key, each in self._numbers.items() if key[1] != sale_id}

    def hand_over(self) -> None:
        """Somebody else is at the till now: what the last one had on the panel is theirs, or a manager's."""
        self.retry = None
        if self.person is None:
            # Signed out: what was typed is nobody's any more.
            self._numbers = {}
        last, self._last = self._last, self.who if self.person is not None else self._last
        change = self._known.get(self._panels.get(last, ""))
        if (
            self.person is not None
            and not self.shown_id
            and change is not None
            and self.concerns(change.attempt)
        ):
            self.shown_id = change.attempt.attempt_id

    def take(self, change: AttemptChanged) -> bool:
        """Remember an attempt; whether it belongs on the panel now."""
        attempt = change.attempt
        self._known[attempt.attempt_id] = change
        self._ended.pop(attempt.attempt_id, None)
        if attempt.is_final and self._is_listed_open(attempt.attempt_id):
            self._ended[attempt.attempt_id] = change
        for who, shown in self._panels.items():
            if self._follows(attempt, shown):
                self._panels[who] = attempt.attempt_id
        if attempt.state in MONEY:
            self._forget_number(attempt.sale_id)
        is_shown = attempt.attempt_id == self.shown_id
        is_kept = attempt.attempt_id in self._panels.values()
        if not is_kept and attempt.is_final and not attempt.needs_answer:
            self._forget(attempt.attempt_id)
        return is_shown

    def take_over(self, old: TillState) -> None:
        """What was to be charged once more, and what is to follow, in another window; and each person's own panel."""
        self.retry, self._others = old.retry, dict(old._others)
        self._left, self._put_aside = set(old._left), set(old._put_aside)
        self._numbers = dict(old._numbers)
        for who, attempt_id in old._panels.items():
            change = self._known.get(attempt_id) or old._known.get(attempt_id)
            if change is not None:
                self._known[attempt_id] = change
                self._panels[who] = attempt_id

    def want_other(self, attempt_id: str, kind: Kind) -> None:
        """Whoever is at the till wants this sale charged this way, once its payment is cancelled for certain."""
        change = self._known.get(attempt_id)
        if change is not None and change.attempt.is_open:
            # It may have ended while a manager was asked.
            self._others[attempt_id] = (self.who, kind)

    def wants_other(self, attempt_id: str) -> bool:
        """Whether another way is to follow this payment."""
        return attempt_id in self._others

    def give_other(self, change: AttemptChanged) -> Kind | None:
        """The way that is to follow this payment, which has ended before the eyes of whoever wanted it.

        Where it ended elsewhere (parked, behind a lock, at another's till, known to nobody) it is forgotten: nothing
        is charged by itself beside another payment.
        """
        attempt = change.attempt
        if attempt.is_open:
            return None
        who, kind = self._others.pop(attempt.attempt_id, (self.who, None))
        is_here = attempt.attempt_id == self.shown_id and who == self.who and not self.is_covered
        return kind if is_here and attempt.is_final else None

    def ended_aside(self, attempt: Attempt) -> bool:
        """Whether it ended where nobody looks though it is not parked: in the moment it was put aside, or paid while
        another was on the panel (those from before a restart come up one after the other).
        """
        is_paid_unseen = attempt.state is State.PAID and attempt.attempt_id not in self._panels.values()
        return attempt.is_final and (is_paid_unseen or attempt.attempt_id in self._left)

    def _is_listed_open(self, attempt_id: str) -> bool:
        return any(each.attempt_id == attempt_id and not each.is_final for each in _lists(self._terminal))

    def expects(self, attempt_id: str) -> bool:
        """Whether its end would be news: it runs, or stands on somebody's panel since it was started."""
        before = self._known.get(attempt_id)
        return not before.attempt.is_final if before is not None else attempt_id in self._panels.values()

    def changes(self) -> tuple[AttemptChanged, ...]:
        """What was last published of each attempt that is not over."""
        return tuple(self._known.values())

    def known(self, attempt_id: str) -> AttemptChanged | None:
        """What was last published of this attempt."""
        return self._known.get(attempt_id)

    def show(self, attempt_id: str) -> AttemptChanged | None:
        """Put this attempt on the panel; None while nothing was published of it yet."""
        self.shown_id = attempt_id
        return self.shown

    def recall(self, change: AttemptChanged) -> None:
        """Put a payment on the panel that had been parked or forgotten."""
        self._known[change.attempt.attempt_id] = change
        self.shown_id = change.attempt.attempt_id

    def leave(self) -> None:
        """Nothing is on the panel; what is final is forgotten."""
        change = self.shown
        self._left.add(self.shown_id)
        if change is not None and change.attempt.is_final and not change.attempt.needs_answer:
            self._forget_number(change.attempt.sale_id)
            self._forget(self.shown_id)
        self._panels = {who: each for who, each in self._panels.items() if each not in ("", self.shown_id)}

    def _forget(self, attempt_id: str) -> None:
        """All of it: a till runs for weeks."""
        del self._known[attempt_id]
        self._left.discard(attempt_id)
        self._put_aside = {each for each in self._put_aside if each[1] != attempt_id}

    def put_aside(self, attempt_id: str) -> None:
        """The person at the till will decide later: no second alert of it for them."""
        if not self.is_covered:
            self._put_aside.add((self.who, attempt_id))

    def alert(self) -> AttemptChanged | None:
        """The next payment that the person at the till must answer: late, or paid in spite of a cancel."""
        if not self.is_attended:
            return None
        for change in self._known.values():
            attempt = change.attempt
            waits = attempt.needs_answer and attempt.state in MONEY
            is_aside = (self.who, attempt.attempt_id) in self._put_aside
            if waits and self.concerns(attempt) and not is_aside:
                return change
        return None

    def from_before(self) -> AttemptChanged | None:
        """The next payment from before the restart that is open and was not looked at yet."""
        if not self.is_attended:
            return None
        for change in self._known.values():
            attempt = change.attempt
            looked_at = attempt.parked or attempt.attempt_id in self._left
            waits = change.activity.from_before_restart and attempt.is_open and not looked_at
            if waits and self.concerns(attempt):
                return change
        return None

    def alone(self, attempt: Attempt) -> AttemptChanged:
        """What is known of an attempt, or the attempt alone where nothing was published of it."""
        known = self._known.get(attempt.attempt_id) or self._ended.get(attempt.attempt_id)
        return known or AttemptChanged(attempt=attempt, sale=_sale_of(attempt))

    def _follows(self, attempt: Attempt, shown_id: str) -> bool:
        """Rule 3c starts the sale's next attempt without a touch; the panel goes along."""
        change = self._known.get(shown_id)
        if change is None or change.attempt.sale_id != attempt.sale_id:
            return False
        return attempt.number > change.attempt.number and change.attempt.state not in MONEY


def _lists(terminal: Terminal) -> tuple[Attempt, ...]:
    return (*terminal.open, *terminal.attention, *terminal.recent)


def _sale_of(attempt: Attempt) -> Sale:
    return Sale(
        sale_id=attempt.sale_id,
        amount=attempt.amount,
        currency=attempt.currency,
        counter_id=attempt.counter_id,
        owner=attempt.owner,
        opened_at=attempt.tapped_at,
        invoice_number=attempt.invoice_number,
        payment_reference=attempt.payment_reference,
    )
