"""The thread that asks a store for other counters' payments: the newest question is answered, and nobody waits."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from pos_app.domain.attempt import Environment
from pos_app.domain.commands import LookElsewhere, SignOut
from pos_app.domain.elsewhere import NotFoundOut, Proof, Unanswered
from pos_app.domain.shipping import FindRequest, Found
from pos_app.domain.views import ToldElsewhere
from pos_app.engine.connection.calls import ElsewhereRead
from pos_app.engine.core.journal_store import JournalStore
from pos_app.engine.core.mailbox import Message
from pos_app.engine.other_counters import OtherCounters
from tests.unit.domain.test_elsewhere import CHECK, ID, NUMBER, told
from tests.unit.engine.rig import Rig
from tests.unit.engine.staff_steps import NIMALI, Staffed

PAPER = f"{ID} {NUMBER} {CHECK}"
LIMIT_S = 30


class HeldFinder:
    """Answers each question when the test lets it."""

    def __init__(self) -> None:
        self.asked: queue.SimpleQueue[FindRequest] = queue.SimpleQueue()
        self.answers: queue.SimpleQueue[Found | NotFoundOut] = queue.SimpleQueue()
        self.stopped = threading.Event()

    def find(self, request: FindRequest) -> Found:
        self.asked.put(request)
        answer = self.answers.get(timeout=LIMIT_S)
        if isinstance(answer, NotFoundOut):
            raise answer
        return answer

    def own(self) -> frozenset[str]:
        return frozenset({"ABCDEFGH"})

    def stop(self) -> None:
        self.stopped.set()
        self.answers.put(NotFoundOut(Unanswered.AWAY, "broken off"))


class Asking:
    """The thread, and what it posts."""

    def __init__(self) -> None:
        self.finder = HeldFinder()
        self.posted: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.others = OtherCounters(self.finder, Environment.SANDBOX, self.posted.put)
        self.others.start()

    def ask(self, request_id: str, **sought: str) -> None:
        self.others.ask(LookElsewhere(request_id=request_id, sought=FindRequest(**sought)))

    def told(self) -> ToldElsewhere:
        news = self.posted.get(timeout=LIMIT_S)
        assert isinstance(news, ElsewhereRead)
        return news.answer

    def answer(self, answer: Found | NotFoundOut) -> ToldElsewhere:
        self.finder.answers.put(answer)
        return self.told()


@pytest.fixture
def asking() -> Iterator[Asking]:
    made = Asking()
    yield made
    made.others.stop()


@pytest.mark.parametrize("since", ["0001-01-01T00:00:00+14:00", "2026-10-23", "\u202e", "now"])
def test_a_day_that_is_none_is_not_told(asking: Asking, since: str) -> None:
    asking.ask("1")
    assert asking.answer(Found(since=since)).since == ""


def test_what_was_found_is_told_and_what_is_not_read_is_counted(asking: Asking) -> None:
    asking.ask("1", amount="1250.00")
    found = asking.answer(
        Found(payments=(told(), told(state="HALF_PAID")), since="2026-10-23T00:00:00+05:30", more=True)
    )
    assert asking.finder.asked.get(timeout=LIMIT_S) == FindRequest(amount="1250.00")
    assert [each.attempt.attempt_id for each in found.payments] == [ID]
    assert (found.request_id, found.unread, found.more, found.since) == (
        "1",
        1,
        True,
        "2026-10-23T00:00:00+05:30",
    )
    assert (found.proof, found.problem) == (None, Unanswered.NONE)


@pytest.mark.parametrize(
    ("code", "payments", "proof"),
    [
        (PAPER, [told()], Proof.UNCHANGED),
        (PAPER[:-1] + "C", [told()], Proof.CHANGED),
        (PAPER, [], Proof.MISSING),
        (PAPER, [told(check="")], Proof.UNPROVEN),
        (PAPER, [told(state="HALF_PAID")], Proof.UNPROVEN),
    ],
)
def test_a_paper_is_asked_about_by_its_number(
    asking: Asking, code: str, payments: list[object], proof: Proof
) -> None:
    asking.others.ask(LookElsewhere(request_id="p", text=code))
    answer = asking.answer(Found(payments=tuple(payments)))  # type: ignore[arg-type]
    assert asking.finder.asked.get(timeout=LIMIT_S) == FindRequest(id=NUMBER)
    assert answer.proof is proof


def test_a_text_that_is_no_receipts_is_not_asked_about(asking: Asking) -> None:
    asking.others.ask(LookElsewhere(request_id="p", text="hello"))
    assert asking.told().problem is Unanswered.NO_CODE
    assert asking.finder.asked.empty()


def test_why_nothing_was_found_out_comes_along(asking: Asking) -> None:
    asking.ask("1", digits="567")
    said = asking.answer(NotFoundOut(Unanswered.BUSY, "wait\u202e a bit", retry_s=11.6))
    assert (said.problem, said.retry_s, said.said, said.payments) == (Unanswered.BUSY, 12, "wait a bit", ())
    asking.ask("2", digits="5")
    assert asking.answer(NotFoundOut(Unanswered.FIELD, "2 to 15", field="digits")).field == "digits"


def test_of_questions_that_came_while_one_runs_the_newest_alone_is_asked(asking: Asking) -> None:
    asking.ask("1", amount="1")
    assert asking.finder.asked.get(timeout=LIMIT_S).amount == "1"
    for again in ("2", "3", "4"):
        asking.ask(again, amount=again)
    assert asking.answer(Found()).request_id == "1"
    assert asking.finder.asked.get(timeout=LIMIT_S).amount == "4"
    assert asking.answer(Found()).request_id == "4"
    assert asking.finder.asked.empty()


def test_the_end_breaks_off_what_is_under_way(asking: Asking) -> None:
    asking.ask("1", amount="1")
    asking.finder.asked.get(timeout=LIMIT_S)
    asking.others.stop()
    assert asking.finder.stopped.is_set()
    assert "other counters" not in {each.name for each in threading.enumerate()}


def test_at_a_counter_of_no_store_the_engine_says_so_itself(rig: Rig) -> None:
    rig.start().tell(LookElsewhere(request_id="1", sought=FindRequest(amount="5.00")))
    assert rig.shown[-1] == ToldElsewhere(request_id="1", problem=Unanswered.NO_STORE)


def test_what_was_read_is_published_as_it_is(rig: Rig) -> None:
    answer = ToldElsewhere(request_id="1", since="2026-10-23T00:00:00+05:30")
    rig.start().tell(ElsewhereRead(answer))
    assert rig.shown[-1] is answer


def test_only_whoever_is_signed_in_has_it_asked(journal: JournalStore) -> None:
    staffed = Staffed(journal)
    rig = staffed.rig
    asked: list[LookElsewhere] = []
    rig.restart_with(look_elsewhere=asked.append)
    question = LookElsewhere(request_id="1", sought=FindRequest(amount="5.00"))
    rig.tell(SignOut())
    rig.tell(question)
    assert rig.shown[-1] == ToldElsewhere(request_id="1", problem=Unanswered.NOT_ALLOWED)
    assert not asked
    staffed.types(NIMALI)
    rig.tell(question)
    assert [each.request_id for each in asked] == ["1"]
