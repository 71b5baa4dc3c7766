"""Plays a case: a till, the fault at its step, the check of that turn, a line that is well, the end, the judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from pos_app.domain.attempt import MONEY, State
from pos_app.domain.commands import Cancel
from pos_app.domain.events import CancelAnswered, InitiateAnswered, StatusAnswered
from pos_app.domain.views import Block
from pos_app.engine.connection.calls import OtpSendAnswered, OtpSubmitAnswered, ProbeAnswered
from tests.verification.campaign.proxy import expect, matrix
from tests.verification.campaign.proxy.case import Case
from tests.verification.campaign.proxy.counter import Counter, newest, pictures_of, sign_in_in, terminal_in
from tests.verification.campaign.proxy.diary import Entry, Started, StuckError, Took
from tests.verification.campaign.proxy.judging import judged
from tests.verification.campaign.proxy.people import WHO, People
from tests.verification.campaign.proxy.shop import Shop
from tests.verification.campaign.proxy.strike import Strike, Turn
from tests.verification.campaign.proxy.wire import Request

LIMIT_S = 30.0
MOST_TRIES = 3
"""Of a case whose request ran out of its time, as a machine makes it do that stands still for a second: a till that
does so by itself does it each time."""


class Outcome(msgspec.Struct, frozen=True):
    """What is wrong, one line each, and where the sale ended."""

    findings: tuple[str, ...]
    ended: str = ""


def play(shop: Shop, folder: Path, case: Case) -> Outcome:
    """One case from the till's start to the judge; nothing of it runs on when this returns."""
    for number in range(1, MOST_TRIES):
        story = _Story(shop, folder / f"try-{number}", case)
        outcome = story.play()
        if not story.is_of_no_use:
            return outcome
    return _Story(shop, folder / f"try-{MOST_TRIES}", case).play()


class _Story:
    def __init__(self, shop: Shop, folder: Path, case: Case) -> None:
        self._shop = shop
        self._case = case
        self._acted = False
        self._findings: list[str] = []
        self._late: list[str] = []
        self._ended = ""
        self._counter = Counter(shop, folder, tls=case.tls, meanwhile=self._meanwhile)
        self._strike = Strike(case, shop, self._counter)
        self._people = People(case, shop.sandbox, self._counter)

    def play(self) -> Outcome:
        columns = {
            "S": self._initiate,
            "T": self._ask,
            "C": self._cancel,
            "G": self._query,
            "O1": self._code_sent,
            "O2": self._code_checked,
        }
        with self._counter:
            try:
                columns[self._case.column]()
                self._findings += expect.of_cost(self._case, _replies(self._counter.diary.so_far()))
            except StuckError as stuck:
                self._findings.append(f"stuck: {stuck}; {self._last()}")
        if not self._findings:
            self._findings += judged(self._shop, self._counter)
        found = [*self._findings, *self._late]
        return Outcome(tuple(f"{self._case}: {line}" for line in found), self._ended)

    @property
    def is_of_no_use(self) -> bool:
        """Whether the time was over before the fault could show itself, and nothing else was wrong."""
        return bool(self._late) and not self._findings

    def _last(self) -> str:
        """How the newest attempt stood."""
        shown = newest(self._counter.diary.so_far())
        terminal = terminal_in(self._counter.diary.so_far())
        attempt = shown.attempt if shown else None
        return f"{attempt and attempt.state} {terminal.connection} {terminal.block or 'selling'}"

    def _meanwhile(self, request: Request, when: str) -> None:
        """A customer who does not wait: pays as soon as the phone rings, or just before the next request."""
        moment = "after" if self._case.column == "S" else "before"
        fits = request.operation == matrix.COLUMNS[self._case.column]
        if self._case.customer != "first" or when != moment or not fits or self._acted:
            return
        if self._strike.struck.is_set() and request.attempt_id:
            self._acted = True
            self._people.pays(request.attempt_id)

    def _open(self) -> None:
        self._counter.start()
        self._counter.wait_until_open()

    def _turn(self, kind: type, attempt_id: str = "") -> Turn:
        return self._counter.wait(
            f"{kind.__name__} after the fault",
            lambda entries: self._strike.turn(entries, kind, attempt_id),
            LIMIT_S,
        )

    def _check(self, turn: Turn, attempt_id: str = "") -> None:
        reply = getattr(turn.fact, "reply", None)
        found: list[str] = [*expect.of_reply(self._case, reply)]
        if attempt_id:
            found += self._of_payment(turn, reply, attempt_id)
        self._note(reply, found)

    def _note(self, reply: object, found: Iterable[str]) -> None:
        (self._late if expect.ran_out(self._case, reply) else self._findings).extend(found)

    def _of_payment(self, turn: Turn, reply: object, attempt_id: str) -> Iterator[str]:
        shown = newest(turn.entries, attempt_id)
        if shown is None:
            yield "the attempt was never shown"
            return
        yield from expect.of_attempt(self._case, reply, pictures_of(turn.entries, attempt_id))
        yield from expect.of_line(reply, terminal_in(turn.entries))
        if not shown.attempt.is_final:
            yield from expect.of_pace(self._case, reply, shown.activity, turn.seconds)

    def _finish(self, sale_id: str) -> None:
        self._strike.end()
        if self._case.second is not None and self._case.second.play is not None:
            self._strike.begin_second(self._case.second.play, self._case.at)
        attempt = self._people.finish(sale_id)
        self._strike.end_second()
        self._ended = attempt.state.value
        pictures = pictures_of(self._counter.diary.so_far(), attempt.attempt_id)
        if expect.is_anothers_money(self._case, pictures):
            return
        if attempt.state not in MONEY and not attempt.is_final:
            self._findings.append(f"ended {attempt.state} ({attempt.reason})")
        paid = (State.PAID, State.PAID_LATE) if self._case.impatient else (State.PAID,)
        if self._case.column != "C" and self._case.ending == "pay" and attempt.state not in paid:
            self._findings.append(f"a payment that should succeed ended {attempt.state} ({attempt.reason})")

    def _initiate(self) -> None:
        self._open()
        self._strike.begin()
        attempt = self._people.charge()
        turn = self._turn(InitiateAnswered, attempt.attempt_id)
        self._check(turn, attempt.attempt_id)
        fault, lasting = self._case.fault, self._case.times == 1
        if lasting and (fault.line or fault.identity) and not fault.may_pass:
            self._wait_for(attempt.attempt_id, State.NOT_SENT)
        self._finish(attempt.sale_id)

    def _wait_for(self, attempt_id: str, state: State) -> None:
        def look(entries: Sequence[Entry]) -> bool | None:
            states = [each.attempt.state for each in pictures_of(entries, attempt_id)]
            return True if state in states else None

        self._counter.wait(f"{state}", look, LIMIT_S)

    def _waiting(self) -> tuple[str, str]:
        """An attempt that the service waits for: its id and its sale."""
        self._open()
        attempt = self._people.charge()
        self._wait_for(attempt.attempt_id, State.WAITING)
        return attempt.attempt_id, attempt.sale_id

    def _ask(self) -> None:
        attempt_id, sale_id = self._waiting()
        self._counter.wait("first ask answered", lambda entries: _answered(entries, attempt_id), LIMIT_S)
        if self._case.fault.name == "after it is paid":
            self._people.pays(attempt_id)
            self._wait_for(attempt_id, State.PAID)
        self._strike.begin()
        turn = self._turn(StatusAnswered, attempt_id)
        self._check(turn, attempt_id)
        self._finish(sale_id)

    def _cancel(self) -> None:
        attempt_id, sale_id = self._waiting()
        self._strike.begin()
        self._counter.post(Cancel(attempt_id, WHO))
        turn = self._turn(CancelAnswered, attempt_id)
        self._check(turn, attempt_id)
        if self._case.ending == "pay":
            self._people.pays(attempt_id)
        self._finish(sale_id)

    def _query(self) -> None:
        self._strike.begin()
        self._counter.start()
        while not self._probed_through_the_fault():
            # A busy machine let the probe run out of time on its way there.
            self._counter.stop()
            self._counter.start()
        turn = self._turn(ProbeAnswered)
        reply = getattr(turn.fact, "reply", None)
        self._check(turn)
        self._note(reply, expect.of_line(reply, terminal_in(turn.entries)))
        self._strike.end()
        if terminal_in(turn.entries).block is Block.SIGN_IN_REFUSED:
            # A manager renews the sign-in and switches the till on again.
            self._counter.stop()
            self._open()
        self._finish(self._people.charge().sale_id)

    def _probed_through_the_fault(self) -> bool:
        self._counter.wait("probe answered", _probed_since_start, LIMIT_S)
        return self._strike.struck.is_set()

    def _code_sent(self) -> None:
        self._open()
        self._strike.begin()
        self._people.asks_for_a_code()
        self._signs_in(self._turn(OtpSendAnswered), code_is_out=False)

    def _code_checked(self) -> None:
        self._open()
        self._people.asks_for_a_code()
        self._strike.begin()
        self._people.types(self._people.code())
        self._signs_in(self._turn(OtpSubmitAnswered), code_is_out=True)

    def _signs_in(self, turn: Turn, *, code_is_out: bool) -> None:
        shown = sign_in_in(turn.entries)
        if shown is None:
            raise StuckError("no dialog")
        reply = getattr(turn.fact, "reply", None)
        self._note(reply, _of_code(self._case, reply))
        self._note(reply, expect.of_sign_in(self._case, reply, shown))
        self._strike.end()
        if shown.step.value == "choose_passcode":
            self._people.chooses()
        elif shown.step.value != "signed_in":
            still_out = code_is_out and shown.step.value == "code_sent"
            self._people.signs_in(code_is_out=still_out)
        self._ended = "SIGNED_IN"


def _of_code(case: Case, reply: object) -> list[str]:
    """The code service's table names HTTP statuses: those are answers, though none that opens a session."""
    named = type(reply).__name__ == "OtpRefused"
    return [] if named else list(expect.of_reply(case, reply))


def _probed_since_start(entries: Sequence[Entry]) -> bool | None:
    for entry in reversed(entries):
        if isinstance(entry, Started):
            return None
        if isinstance(entry, Took) and isinstance(entry.event, ProbeAnswered):
            return True
    return None


def _replies(entries: Sequence[Entry]) -> list[object]:
    return [getattr(entry.event, "reply", None) for entry in entries if isinstance(entry, Took)]


def _answered(entries: Sequence[Entry], attempt_id: str) -> bool | None:
    facts = [entry.event for entry in entries if isinstance(entry, Took)]
    seen = any(isinstance(fact, StatusAnswered) and fact.attempt_id == attempt_id for fact in facts)
    return True if seen else None
