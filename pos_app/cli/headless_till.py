"""Runs a headless till for one verb: says when it sells, hands on what it publishes, ends when the verb ends."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from pos_app.bootstrap.errors import CommandError, Exit
from pos_app.bootstrap.plain_lines import note
from pos_app.bootstrap.shop import Shop
from pos_app.cli.signals import Signals
from pos_app.domain.attempt import ATTENTION, Attempt, State
from pos_app.domain.views import AttemptChanged, Block, Connection, Published, Terminal
from pos_app.engine.core.mailbox import Message, Post

if TYPE_CHECKING:
    from pos_app.engine.printing.line import Line

log = logging.getLogger(__name__)

AFTER_GIVE_UP_S = 15.0
"""How long a verb goes on asking after the till has given up."""

FIRST_WORD_S = 2.0
"""How long a charge waits for the first answer of the service, which may be that the sign-in is refused (rule 19)."""

_BLOCKS = {
    Block.SIGN_IN_REFUSED: (Exit.UNAVAILABLE, "the payment service refused this terminal's sign-in"),
    Block.NO_TOKEN: (Exit.UNAVAILABLE, "there is no token to sign in to the payment service with"),
    Block.IDENTITY_USED_TWICE: (
        Exit.CANNOT_CREATE,
        "this terminal's identity is used twice: call the manager",
    ),
    Block.JOURNAL_HALTED: (Exit.CANNOT_CREATE, "the journal cannot be written"),
    Block.LOCK_LOST: (Exit.CANNOT_CREATE, "the journal's lock was taken away; another till may be using it"),
    Block.UPDATING: (Exit.UPDATING, "the till is closing for an update"),
    Block.ENGINE_HALTED: (Exit.CANNOT_CREATE, "the till met a fault; see its log"),
}

NO_ANSWER = frozenset({Block.ENGINE_HALTED})
"""What was asked of the till may have met the fault: whoever waits for its answer alone would wait for ever."""


def exit_of(attempt: Attempt) -> Exit:
    """What a payment's state is as an exit code."""
    if attempt.state is State.PAID:
        return Exit.OK
    if attempt.state is State.PAID_LATE:
        return Exit.PAID_LATE
    if attempt.state is State.SIGNED_OFF and attempt.resolution is not None:
        return Exit.OK if attempt.resolution.action == "paid" else Exit.NOT_PAID
    return Exit.NOT_PAID if attempt.is_final else Exit.NOT_KNOWN


def has_ended(attempt: Attempt) -> bool:
    """Whether a verb has nothing more to wait for."""
    return attempt.is_final or attempt.state in ATTENTION


class Follows(Protocol):
    """A verb's own part."""

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""

    def ready(self) -> None:
        """New payments may start now; said once."""

    def take(self, published: Published) -> None:
        """Everything the till publishes, on its thread."""

    def interrupted(self) -> None:
        """The first SIGINT or SIGTERM, on a thread of its own."""


class Asks:
    """A verb's part that charges nothing: it asks for one thing as soon as the till says where it stands."""

    def __init__(self, wish: Message) -> None:
        self._wish = wish
        self._asked = False

    def began(self, post: Callable[[Message], None], end: Callable[[Exit], None]) -> None:
        """The till is about to run."""
        self._post, self._end = post, end

    def ready(self) -> None:
        """Nothing is charged here."""

    def take(self, published: Published) -> None:
        """The first picture of the terminal, then whatever comes after the wish."""
        if self._asked:
            self.heard(published)
        elif isinstance(published, Terminal):
            self._asked = True
            self._post(self._wish)

    def heard(self, published: Published) -> None:
        """What the till publishes after it was asked."""

    def interrupted(self) -> None:
        """What was not answered is not told."""
        self._end(Exit.NOT_KNOWN)


class Run:
    """One headless run of a shop whose journal is open. `printing`: as of Till.

    `needs_ready`: the verb charges, and ends where no payment may start. `ends_at`: what ends it whenever it comes, but
    for a verb that has its answer.
    """

    def __init__(
        self,
        shop: Shop,
        verb: Follows,
        *,
        needs_ready: bool = True,
        ends_at: frozenset[Block] = frozenset(),
        printing: Callable[[Post], Line] | None = None,
    ) -> None:
        self._shop = shop
        self._verb = verb
        self._printing = printing
        self._needs_ready, self._ends_at = needs_ready, ends_at
        self._is_ready = False
        self._halted = False
        self._logged: dict[str, State] = {}
        self._exit: Exit | None = None
        self._problem: CommandError | None = None
        self._ending = threading.Lock()
        self._patience = Deadline(self._sell)

    def run(self) -> Exit:
        """Until the verb ends it. Raises CommandError when no payment may start, or for what is in `ends_at`."""
        from pos_app.bootstrap.services import service_config
        from pos_app.bootstrap.shipping import shipping_of
        from pos_app.engine import headless
        from pos_app.engine.connection.worker_pool import ServiceRoute
        from pos_app.engine.till import OptionalParts, Till
        from pos_app.services.open import open_services

        shop, config = self._shop, service_config(self._shop)
        if shop.journal is None:
            raise ValueError("a run needs its journal")
        self._till = Till(
            shop.engine_config(),
            shop.journal,
            ServiceRoute(lambda: open_services(config), config.qr_amount_field),
            self._published,
            parts=OptionalParts(shop.machine_sends, self._printing, shipping_of(shop)),
        )
        self._verb.began(self._till.post, self.end)
        with Signals(self._verb.interrupted):
            headless.run(self._till)
        if self._problem is not None:
            raise self._problem
        return self._exit if self._exit is not None else Exit.NOT_KNOWN

    def end(self, code: Exit) -> None:
        """The verb has what it wanted; safe from any thread, the first one counts."""
        with self._ending:
            if self._exit is not None:
                return
            self._exit = code
        self._patience.cancel()
        # Beside the engine's own thread: stopping waits for the calls under way to be broken off.
        threading.Thread(target=self._till.stop, name="stop").start()

    def _published(self, published: Published) -> None:
        if isinstance(published, Terminal):
            self._look(published)
        elif isinstance(published, AttemptChanged):
            self._log(published.attempt)
        self._verb.take(published)

    def _log(self, attempt: Attempt) -> None:
        if self._logged.get(attempt.attempt_id) is not attempt.state:
            self._logged[attempt.attempt_id] = attempt.state
            fields = ("sale_id", "attempt_id", "kind", "state", "code", "http_status")
            log.info("payment", extra={name: getattr(attempt, name) for name in fields})

    def _look(self, terminal: Terminal) -> None:
        halted = terminal.block.unrecorded
        if halted and not self._halted:
            # docs/failure-model.md, behaviour H: what happens from now on is known to this screen alone.
            why = terminal.block_detail or _BLOCKS[terminal.block][1]
            note(f"the journal cannot be written ({why}): WRITE DOWN what follows")
        self._halted = halted
        if terminal.block in self._ends_at:
            self._fail(terminal)
        if self._is_ready:
            return
        if terminal.block is Block.NONE:
            if terminal.connection is not Connection.UNKNOWN:
                self._sell()
            else:
                self._patience.set(FIRST_WORD_S)
        elif terminal.block in _BLOCKS and self._needs_ready:
            self._fail(terminal)

    def _fail(self, terminal: Terminal) -> None:
        # What the verb was told before a fault stands: a note that is made would be made a second time.
        if self._exit is None:
            code, said = _BLOCKS[terminal.block]
            why = f": {terminal.block_detail}" if terminal.block is Block.NO_TOKEN else ""
            self._problem = CommandError(code, said + why)
            self.end(self._problem.exit_code)

    def _sell(self) -> None:
        with self._ending:
            if self._is_ready or self._exit is not None:
                return
            self._is_ready = True
        self._patience.cancel()
        self._verb.ready()


class Deadline:
    """Ends a run a fixed time after it is set; only the first setting counts."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._timer: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        """Starts the time."""
        if self._timer is None:
            self._timer = threading.Timer(seconds, self._work)
            self._timer.daemon = True
            self._timer.start()

    def cancel(self) -> None:
        """No longer needed."""
        if self._timer is not None:
            self._timer.cancel()
