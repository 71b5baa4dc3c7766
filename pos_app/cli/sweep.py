"""Following payments of the journal until they are final or the time is up; for `open` and `cancel`."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.bootstrap.errors import Exit
from pos_app.cli.headless_till import Deadline
from pos_app.cli.printer import Printer
from pos_app.domain.attempt import Attempt, Reason, State
from pos_app.domain.views import AttemptChanged, Block, Published, Terminal
from pos_app.engine.core.mailbox import Message
from pos_app.i18n.words.till import words


class Sweep:
    """Prints each payment's changes and its end; `command` is posted once for the payment it names.

    `some_may_come`: the record was begun anew, and what the service still tells of is followed, too.
    """

    def __init__(
        self,
        attempts: list[Attempt],
        printer: Printer,
        limit_s: float,
        command: Message | None = None,
        *,
        some_may_come: bool = False,
    ) -> None:
        self.attempts = {attempt.attempt_id: attempt for attempt in attempts}
        self._printer = printer
        self._limit_s = limit_s
        self._command = command
        self._some_may_come = some_may_come
        self._over = False

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run; a command needs no permission to sell."""
        self._end_run = end
        self._deadline = Deadline(self._end)
        self._deadline.set(self._limit_s)
        if self._command is not None:
            post(self._command)

    def ready(self) -> None:
        """Nothing is charged here."""

    def take(self, published: Published) -> None:
        """Follows the payments."""
        if self._over:
            return
        if isinstance(published, Terminal):
            self._some_may_come = self._some_may_come and not _is_all_known(published)
        elif isinstance(published, AttemptChanged) and self._is_followed(published.attempt):
            self.attempts[published.attempt.attempt_id] = published.attempt
            self._printer.attempt(published.attempt)
        else:
            return
        if not self._some_may_come and all(map(self._needs_no_waiting, self.attempts.values())):
            self._end()

    def _is_followed(self, attempt: Attempt) -> bool:
        return attempt.attempt_id in self.attempts or (self._some_may_come and attempt.recovered)

    def _needs_no_waiting(self, attempt: Attempt) -> bool:
        """It has ended; or nobody is asked about it here, and what was wished for it is written down. One in dispute
        ends by a manager's signature alone, at a till that this run keeps out; a cancel of it is still carried out.
        """
        if attempt.reason is Reason.OTHER_ORIGIN:
            return self._command is None or attempt.cancel_wish is not None
        if attempt.state is State.DISPUTED:
            return self._command is None and attempt.cancel_wish is None
        return attempt.is_final

    def _all_final(self) -> bool:
        return not self._some_may_come and all(attempt.is_final for attempt in self.attempts.values())

    def _end(self) -> None:
        """All are final, the time is up, or somebody has seen enough; the next start goes on."""
        if self._over:
            return
        self._over = True
        self._deadline.cancel()
        for attempt in self.attempts.values():
            if not attempt.is_final:
                self._printer.end(attempt)
        if self._some_may_come:
            self._printer.note(words.bar.rebuilding)
        self._end_run(Exit.OK if self._all_final() else Exit.NOT_KNOWN)

    def interrupted(self) -> None:
        """Nothing is lost by ending."""
        self._end()


def _is_all_known(terminal: Terminal) -> bool:
    if terminal.block is Block.STARTING:
        return False
    return terminal.rebuilt is None or terminal.rebuilt.ended
