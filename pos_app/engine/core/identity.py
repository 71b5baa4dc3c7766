"""Who this till is to the service: the installation id its payments are asked for under (rules 18 and 20)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.domain.attempt import Attempt
from pos_app.domain.ids import INSTALLATION_LENGTH, parts_of
from pos_app.domain.installation import ON_MACHINE, SUBJECT, TAKEN, TOLD, USED_TWICE, Why
from pos_app.domain.list_reader import FORM
from pos_app.domain.people import TERMINAL, Person
from pos_app.domain.query import QueryFilter
from pos_app.domain.record import Record
from pos_app.domain.replies import Listing, NoAnswer
from pos_app.engine.connection.calls import ListAnswered
from pos_app.engine.core.config import EngineConfig
from pos_app.engine.core.live_payments import LivePayments
from pos_app.engine.core.ports import Ports

FAR_OFF = "2099-12-31 23:59:59"
"""The service's clock may be ahead of ours."""

AGAIN_MS = 30_000
"""A list that did not come is asked for again so much later, however well all else is answered."""


LOOKED_AT = 50
"""So many of the newest payments may have been sold by a clock that was ahead."""


class Identity:
    """Owns whether this identity may sell. `news`: why it is a new one, for the manager to whom it is told."""

    def __init__(
        self,
        config: EngineConfig,
        ports: Ports,
        live_payments: LivePayments,
    ) -> None:
        self._environment = config.environment
        self._counter_id = config.counter_id
        self._clock = ports.clock
        self._list = ports.list_payments
        self._begun = ""
        self._since = ""
        """What was the newest when this was first asked: whatever is sold meanwhile hides nothing older."""
        self._looked_for: QueryFilter | None = None
        self.due_at: int | None = None
        self._has_looked = False
        self._journal = ports.journal
        self._live_payments = live_payments
        self._at_home = True
        self._elsewhere = False
        self._untold: Why | None = None
        self._told_to = ""
        self.used_twice = False

    @property
    def pending(self) -> bool:
        """Whether a new id must be durable before the first sale."""
        return self._elsewhere

    def take_up(self) -> None:
        """Reads on which machine this journal was last, and whether its identity was found to be used twice."""
        events = self._journal.events_of(SUBJECT)
        machines = [
            str(each.content.get("machine", "")) for each in events if each.kind in (ON_MACHINE, TAKEN)
        ]
        self._begun = events[0].wall if events else ""
        self._at_home = bool(machines)
        self._elsewhere = bool(machines) and machines[-1] != self._journal.machine
        self._untold = None
        for each in events:
            if each.kind == TAKEN and each.content.get("why") == Why.OTHER_MACHINE:
                self._untold = Why.OTHER_MACHINE
            elif each.kind == TOLD:
                self._untold = None
        self.used_twice = any(self._is_about_us(record) for record in self._journal.events_of(TERMINAL))

    def _is_about_us(self, record: Record) -> bool:
        """A new installation id lifts the block of the old one."""
        about = record.content.get("installation_id", self._journal.installation_id)
        return record.kind == USED_TWICE and about == self._journal.installation_id

    def settle(self) -> None:
        """On a machine that is not the journal's a new id is taken; until it is durable nothing is sold."""
        if self._elsewhere:
            if self._live_payments.commit([self.renewal(Why.OTHER_MACHINE, TERMINAL)]):
                self._elsewhere, self._untold = False, Why.OTHER_MACHINE
                self.renewed()
        elif not self._at_home:
            self._at_home = True
            about = {"machine": self._journal.machine, "installation_id": self._journal.installation_id}
            self._live_payments.write(
                [self._live_payments.record(ON_MACHINE, SUBJECT, TERMINAL, content=about)]
            )

    def renewal(self, why: Why, actor: str) -> Record:
        """The event by which a new id is taken: once it is written, `renewed`."""
        about = {
            "installation_id": self._journal.random_part(INSTALLATION_LENGTH),
            "before": self._journal.installation_id,
            "why": why.value,
            "machine": self._journal.machine,
        }
        return self._live_payments.record(TAKEN, SUBJECT, actor, content=about)

    def renewed(self) -> None:
        """No other copy sells under the new id."""
        self.used_twice = False

    def found_twice(self, attempt_id: str) -> None:
        """Another copy of this journal is or was selling: no new payments under this identity."""
        if self.used_twice:
            return
        self.used_twice = True
        about = {"attempt_id": attempt_id, "installation_id": self._journal.installation_id}
        self._live_payments.write([self._live_payments.record(USED_TWICE, TERMINAL, TERMINAL, content=about)])

    def convicted(self, before: Record) -> None:
        """The same, told by this counter's own signature; `before` says whose and over what."""
        records = [before]
        if not self.used_twice:
            about = {"attempt_id": "", "installation_id": self._journal.installation_id}
            records.append(self._live_payments.record(USED_TWICE, TERMINAL, TERMINAL, content=about))
        self.used_twice = True
        self._live_payments.write(records)

    def look(self) -> None:
        """Asks, until it was answered once, for what the service has since our newest payment.

        Whatever is ours there and not in the journal was sold by another copy of it: a folder that was put back
        sees its lost sales. One answer proves nothing to be missing, but what it shows is there. A folder from
        before its first sale asks from its own beginning.
        """
        self.due_at = None
        self._since = self._since or self._newest()
        if self._list is None or self._has_looked or not self._since or self._looked_for is not None:
            return
        self._looked_for = QueryFilter(
            from_date=self._since, to_date=FAR_OFF, counter_id=str(self._counter_id)
        )
        self._list(self._looked_for)

    def _newest(self) -> str:
        """When the newest payment was; when this journal was begun, where it holds none yet and is not new itself."""
        newest = self._live_payments.newest()
        if newest is not None:
            return self._not_to_come(newest.transaction_date_time)
        unread = (None,)
        found: Sequence[Attempt | None] = self._live_payments.read(lambda: self._journal.recent(1), unread)
        if found or not self._begun:
            return ""
        return datetime.fromisoformat(self._begun).strftime(FORM)

    def _not_to_come(self, at: str) -> str:
        """A time of a clock that was ahead hides what was sold since: then that of the newest payment which it does not
        hide, or of the journal's beginning."""
        now = self._clock.wall().strftime(FORM)
        if at <= now:
            return at
        none: Sequence[Attempt] = ()
        recent = self._live_payments.read(lambda: self._journal.recent(LOOKED_AT), none)
        times = [each.transaction_date_time for each in recent]
        times += [datetime.fromisoformat(self._begun).strftime(FORM)] if self._begun else []
        return next((each for each in times if each <= now), at)

    def tick(self, now: int) -> bool:
        """Whether it is time to `look` again."""
        if self.due_at is None or now < self.due_at:
            return False
        self.due_at = now + AGAIN_MS
        return True

    def heard(self, answer: ListAnswered) -> bool:
        """Takes the answer to `look`; False: it is to another question."""
        if answer.wanted != self._looked_for:
            return False
        self._looked_for = None
        rows = answer.reply.transactions if isinstance(answer.reply, Listing) else ()
        try:
            for row in rows:
                self._met(row.external_id)
        except self._live_payments.trouble:
            # A journal that cannot be read just now knows nothing, and that would be no stranger.
            self.due_at = self._clock.now() + AGAIN_MS
            return True
        self._has_looked = not isinstance(answer.reply, NoAnswer)
        if isinstance(answer.reply, NoAnswer):
            wait = max(AGAIN_MS, int((answer.reply.retry_after_s or 0) * 1000))
            self.due_at = self._clock.now() + wait
        return True

    def _met(self, external_id: str) -> None:
        installation, _, _ = parts_of(self._environment, external_id)
        if (
            installation != self._journal.installation_id
            or self._live_payments.in_hand(external_id) is not None
        ):
            return
        if self._journal.attempt(external_id) is None:
            self.found_twice(external_id)

    def news_for(self, person: Person | None) -> str:
        """Why there is a new installation id, "" for whoever has been told, is no manager, or has nothing to hear.

        Whoever hears it first has been told: that is written, and it is said to nobody else.
        """
        if person is None or not person.is_manager:
            self._told_to = ""
            return ""
        if self._untold is not None:
            self._untold = None
            self._told_to = person.person_id
            about = {"person": person.person_id}
            self._live_payments.write([self._live_payments.record(TOLD, SUBJECT, TERMINAL, content=about)])
        return Why.OTHER_MACHINE.value if self._told_to == person.person_id else ""
