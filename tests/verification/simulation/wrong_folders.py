"""Wrong tills, part five: a folder that comes twice, wakes elsewhere, is lost, or is told another address."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pos_app.domain import ids, list_reader
from pos_app.domain.attempt import State
from pos_app.domain.ids import INSTALLATION_LENGTH
from pos_app.domain.list_reader import SECOND, Ask, Span, Window
from pos_app.engine.core import live_payments, rebuild, startup
from pos_app.engine.core.identity import Identity
from pos_app.engine.core.rebuilding import Rebuilding
from tests.verification.simulation import till
from tests.verification.simulation.journal import SimJournal
from tests.verification.simulation.planting import Planter, flow


def ids_without_random_part(planter: Planter) -> None:
    """An id is installation, sale and number: after a roll-back it comes again."""

    def wrong(environment: Any, installation: str, sale_id: str, number: int, _: str) -> str:
        return str(right(environment, installation, sale_id, number, "222222"))

    right = planter.put(ids, "attempt_id", wrong)


def random_part_from_the_folder(planter: Planter) -> None:
    """The dice lie in the folder: whoever puts it back throws the same again."""

    def wrong(self: SimJournal, length: int) -> str:
        seed = len(self.written)
        return "".join(ids.ALPHABET[(seed + place) % len(ids.ALPHABET)] for place in range(length))

    planter.put(SimJournal, "random_part", wrong)


def machine_ignored(planter: Planter) -> None:
    """Wherever the folder wakes, it sells on as whom it was."""

    def wrong(self: Identity) -> None:
        right(self)
        self._elsewhere = False

    right = planter.put(Identity, "take_up", wrong)


def new_id_is_not_written(planter: Planter) -> None:
    """On another machine it sells under a new id, which it has in mind."""

    def wrong(self: Identity) -> None:
        if self._elsewhere:
            self._journal.installation_id = self._journal.random_part(INSTALLATION_LENGTH)  # type: ignore[misc]
            self._elsewhere = False
        else:
            right(self)

    right = planter.put(Identity, "settle", wrong)


def unseen_code_is_paid(planter: Planter) -> None:
    """The service says paid: whether anybody can have scanned the code is not looked at."""
    planter.put(flow("proof"), "never_showable", lambda _: False)
    planter.put(flow("status"), "never_showable", lambda _: False)


def unknown_id_ignored(planter: Planter) -> None:
    """An id of our installation that the journal does not know: some old test, perhaps."""
    planter.put(Identity, "found_twice", lambda *_: None)


def looks_for_no_copy(planter: Planter) -> None:
    """Nobody asks what the service has since the newest payment."""
    planter.put(Identity, "look", lambda _: None)


def asks_where_the_settings_say(planter: Planter) -> None:
    """A payment is asked about at the address of today."""
    planter.put(flow("step"), "is_elsewhere", lambda *_: False)
    planter.put(live_payments, "is_elsewhere", lambda *_: False)


def takes_the_settings_for_the_intents(planter: Planter) -> None:
    """What was opened elsewhere is entered at start as of the service that is named now."""

    def wrong(self: Any, attempt: Any) -> Any:
        return replace(attempt, origin=self._origin)

    planter.put(live_payments.LivePayments, "_named", wrong)


def gone_is_a_first_start(planter: Planter) -> None:
    """The journal is gone: begin with sale 1, and ask nobody."""
    planter.put(till, "records_of", lambda *_: [])


def hint_is_believed(planter: Planter) -> None:
    """What a table of the damaged journal says of a payment is what became of it."""
    planter.put(rebuild, "in_doubt", lambda attempt, _: attempt)


def first_page_is_the_list(planter: Planter) -> None:
    """One answer, one list."""
    planter.put(list_reader.Reading, "_is_whole", lambda _, answer: isinstance(answer, tuple))


def empty_half_is_proof(planter: Planter) -> None:
    """Two halves that add up to their whole prove all three, where one of them is empty as well."""

    def wrong(self: Any, span: Span) -> Any:
        yield Ask(Span(span.first - list_reader.WIDER, span.last), optional=True)
        to_read = [span]
        while to_read:
            each = to_read.pop()
            whole = yield Ask(each)
            rows = len(whole) if isinstance(whole, tuple) else 0
            if rows == 0 or each.length <= SECOND:
                self._finish(Window(each, rows), whole)
                continue
            older, newer = each.halves()
            counts = []
            for half in (newer, older):
                answer = yield Ask(half)
                counts.append(len(answer) if isinstance(answer, tuple) else 0)
            if sum(counts) == rows:
                self._finish(Window(each, rows), whole)
            else:
                to_read += [older, newer]

    planter.put(list_reader.Reading, "_read", wrong)


def adopts_anothers_id(planter: Planter) -> None:
    """Whatever the list shows is ours: another installation's payments are entered here too."""

    def wrong(self: Any, listed: Any) -> Any:
        installation, _, _ = ids.parts_of(self._config.environment, listed.external_id)
        self._installations |= {installation} - {self._journal.installation_id}
        return right(self, listed)

    right = planter.put(Rebuilding, "_met", wrong)


def listed_is_paid(planter: Planter) -> None:
    """A row of the list that says Payment Success is money."""

    def wrong(self: Any, listed: Any, *place: Any) -> Any:
        found = right(self, listed, *place)
        paid = listed.status == "Payment Success"
        return replace(found, state=State.PAID_LATE, ended_at=found.tapped_at) if paid else found

    right = planter.put(Rebuilding, "_recovered", wrong)


def sells_before_the_list(planter: Planter) -> None:
    """The list of a lost journal can be read behind the sales."""
    planter.put(Rebuilding, "blocks", property(lambda _: False))


def start_waits_for_all(planter: Planter) -> None:
    """Before the first sale everything that is open is asked about, one after the other, however long it takes."""
    planter.put(startup, "AT_ONCE", 1)
    planter.put(startup, "LIMIT_MS", 10**9)
