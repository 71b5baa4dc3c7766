"""Follows one sale from its charge, or from a person's Continue, to the end a verb may leave it at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pos_app.bootstrap.errors import Exit
from pos_app.bootstrap.plain_lines import note
from pos_app.cli.customer import Customer
from pos_app.cli.headless_till import AFTER_GIVE_UP_S, Deadline, exit_of, has_ended
from pos_app.cli.printer import Printer
from pos_app.cli.qr_file import QrFile
from pos_app.domain.attempt import Attempt, State
from pos_app.domain.commands import Cancel, Charge, Continue
from pos_app.domain.people import TERMINAL
from pos_app.domain.views import AttemptChanged, Block, ChargeDeclined, ChargeOpened, Decline, Published
from pos_app.engine.core.mailbox import Message

if TYPE_CHECKING:
    from pos_app.cli.printing import LastPaper


class Resumed(NamedTuple):
    """The sale of a Continue, and after how many seconds its verb ends in any case (None: when the sale has ended)."""

    sale_id: str
    limit_s: float | None


_NEW = Resumed("", None)


class Payment:
    """Ends with the sale's newest attempt, because a lost QR text starts the next one by itself (rule 3c).

    `resumed`: of a Continue; a charge learns its own sale. `qr_file` shows the code that can be scanned now.
    `paper`: of a payment that is paid, waited for when all else was said.
    """

    def __init__(
        self,
        first: Charge | Continue,
        printer: Printer,
        *,
        customer: Customer | None = None,
        qr_file: QrFile | None = None,
        resumed: Resumed = _NEW,
        paper: LastPaper | None = None,
    ) -> None:
        self._first = first
        self._printer = printer
        self._paper = paper
        self._is_printing = False
        self._customer = customer
        self._qr_file = qr_file
        self._sale_id, self._limit_s = resumed
        self._newest: Attempt | None = None
        self._charged = False
        self._over = False
        self._wished_to_cancel = False
        self._cancelled: set[str] = set()
        self._told: set[str] = set()

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post = post
        self._end_run = end
        if self._paper is not None:
            self._paper.began(post)
        self._deadline = Deadline(self._time_is_up)
        if isinstance(self._first, Continue):
            self._charged = True
            post(self._first)
        if self._limit_s is not None:
            Deadline(self._time_is_up).set(self._limit_s)

    def ready(self) -> None:
        """Charge, unless somebody has thought better of it."""
        if isinstance(self._first, Charge):
            # In this order, whenever the signal comes: it finds no charge yet, or the charge finds its command.
            self._charged = True
            if self._wished_to_cancel:
                self._finish(Exit.NOT_PAID)
            else:
                self._post(self._first)

    def take(self, published: Published) -> None:
        """Follows the sale."""
        if self._paper is not None:
            self._paper.take(published)
        match published:
            case ChargeOpened(request_id=request, sale_id=sale_id) if self._is_first(request):
                self._sale_id = sale_id
            case ChargeDeclined(request_id=request) if self._is_first(request):
                self._declined(published)
            case AttemptChanged(attempt=attempt) if attempt.sale_id == self._sale_id and not self._over:
                self._changed(attempt)

    def _is_first(self, request_id: str) -> bool:
        return isinstance(self._first, Charge) and request_id == self._first.request_id

    def _changed(self, attempt: Attempt) -> None:
        # Before it is said: whoever hears of it finds it there.
        if self._qr_file is not None:
            self._qr_file.see(attempt)
        self._printer.attempt(attempt)
        if self._newest is not None and attempt.number < self._newest.number:
            return
        if self._newest is not None and attempt.number > self._newest.number:
            self._deadline.cancel()
            self._deadline = Deadline(self._time_is_up)
        self._newest = attempt
        if self._customer is not None:
            self._customer.see(attempt)
        # What is in dispute ends by a manager's signature alone, at a till that this run keeps out.
        is_over = attempt.is_final or attempt.state is State.DISPUTED
        if is_over or (has_ended(attempt) and self._limit_s is None):
            self._end(attempt)
        elif attempt.gave_up_at is not None and self._limit_s is None:
            self._deadline.set(AFTER_GIVE_UP_S)
        if self._wished_to_cancel:
            self._tell_of_wish(attempt)
            self._cancel(attempt)

    def _tell_of_wish(self, attempt: Attempt) -> None:
        """Once it is durable; from now on the next start carries it out, if this one does not."""
        if attempt.cancel_wish is not None and attempt.attempt_id not in self._told:
            self._told.add(attempt.attempt_id)
            note("cancelling; a second signal leaves at once, and `open` goes on")

    def _declined(self, declined: ChargeDeclined) -> None:
        similar = declined.similar
        if declined.decline is Decline.LOOKS_OPEN and similar is not None:
            minutes = max(1, round(declined.similar_age_s / 60))
            note(
                f"{similar.currency} {similar.amount} is still open (sale {similar.sale_id}, {minutes} min, "
                f"{similar.attempt_id}): look with `open`, or say --another-customer"
            )
            self._finish(Exit.USAGE)
        else:
            why = declined.decline.value if declined.block is Block.NONE else declined.block.value
            note(f"not started, nothing was sent: {why.replace('_', ' ')}")
            refused = declined.decline in (Decline.BAD_AMOUNT, Decline.BAD_NUMBER)
            self._finish(Exit.USAGE if refused else Exit.CANNOT_CREATE)

    def _time_is_up(self) -> None:
        if self._newest is not None:
            self._end(self._newest)
        else:
            self._finish(Exit.NOT_KNOWN)

    @property
    def paid(self) -> Attempt | None:
        """The payment that was paid, as it was said last; None where none was."""
        newest = self._newest
        return newest if self._over and newest is not None and newest.state is State.PAID else None

    def _end(self, attempt: Attempt) -> None:
        if self._over:
            return
        self._printer.end(attempt)
        if self._paper is None or attempt.state is not State.PAID:
            self._finish(exit_of(attempt))
            return
        # The money is durable, and was said: what becomes of the paper changes neither (rule 15).
        self._over = self._is_printing = True
        self._deadline.cancel()
        self._paper.receipt(attempt.attempt_id, lambda: self._end_run(exit_of(attempt)))

    def _finish(self, code: Exit) -> None:
        self._over = True
        self._deadline.cancel()
        self._end_run(code)

    def interrupted(self) -> None:
        """A cancel wish, of whatever the charge becomes; before there is a charge, the end."""
        self._wished_to_cancel = True
        if self._is_printing and self._paper is not None:
            self._paper.interrupted()
        elif not self._charged:
            self._finish(Exit.NOT_PAID)
        elif self._newest is not None:
            self._cancel(self._newest)

    def _cancel(self, attempt: Attempt) -> None:
        if attempt.attempt_id not in self._cancelled and not attempt.is_final:
            self._cancelled.add(attempt.attempt_id)
            self._post(Cancel(attempt.attempt_id, TERMINAL))
