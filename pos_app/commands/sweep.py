"""Following payments of the journal until they are final or the time is up; for `open` and `cancel`."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.commands.errors import Exit
from pos_app.commands.following import Deadline, has_ended
from pos_app.commands.printing import Printer
from pos_app.domain.attempt import Attempt
from pos_app.domain.views import AttemptChanged, Published
from pos_app.engine.mailbox import Event


class Sweep:
    """Prints each payment's changes and its end; `wish` is posted once for the payment it names."""

    def __init__(
        self, attempts: list[Attempt], printer: Printer, limit_s: float, wish: Event | None = None
    ) -> None:
        self.attempts = {attempt.attempt_id: attempt for attempt in attempts}
        self._printer = printer
        self._limit_s = limit_s
        self._wish = wish

    def began(self, post: Callable[[Event], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run; a wish needs no permission to sell."""
        self._end = end
        self._deadline = Deadline(self._time_is_up)
        self._deadline.set(self._limit_s)
        if self._wish is not None:
            post(self._wish)

    def ready(self) -> None:
        """Nothing is charged here."""

    def take(self, published: Published) -> None:
        """Follows the payments."""
        if isinstance(published, AttemptChanged) and published.attempt.attempt_id in self.attempts:
            attempt = published.attempt
            self.attempts[attempt.attempt_id] = attempt
            self._printer.attempt(attempt)
            if all(each.is_final for each in self.attempts.values()):
                self._deadline.cancel()
                self._end(Exit.OK)

    def _time_is_up(self) -> None:
        done = all(has_ended(each) and each.is_final for each in self.attempts.values())
        self._end(Exit.OK if done else Exit.NOT_KNOWN)

    def interrupted(self) -> None:
        """Nothing is lost by ending: the next start goes on."""
        self._end(Exit.NOT_KNOWN)
