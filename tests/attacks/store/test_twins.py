"""Two processes on copies of one folder, side by side: one history is held, the other is kept apart and shown."""

from __future__ import annotations

import threading
from random import Random

import msgspec

from pos_app.domain import shipping
from pos_app.domain.shipping import Answer, Refusal, Verdict
from pos_app.store.database import Database
from tests.support.store import PretendCounter, code_for, rows, serving

ROUNDS = 12


def _race(one: PretendCounter, two: PretendCounter) -> list[Answer]:
    """Both send their newest three events in the same moment."""
    answers: list[Answer] = []
    gate = threading.Barrier(2)

    def send(counter: PretendCounter) -> None:
        body = counter.batch(len(counter.events) - 2, len(counter.events))
        gate.wait(20)
        answers.append(msgspec.json.decode(counter.send(body).content, type=Answer))

    threads = [threading.Thread(target=send, args=(each,)) for each in (one, two)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return answers


def test_of_two_twins_one_is_first_and_the_other_is_shown_what_it_signed(
    database: Database, shop: int
) -> None:
    """Each time anew: twelve folders, copied, both selling on, racing for the head."""
    for number in range(ROUNDS):
        counter = PretendCounter(f"ROUND{number}", number + 1)
        counter.pay(f"{counter.installation}-1-1")
        with serving(database) as url, counter.at(url, code_for(database, shop)):
            counter.ship()
            twin = counter.twin()
            counter.pay(f"{counter.installation}-2-1", "10.00")
            twin.pay(f"{counter.installation}-3-1", "99.00")
            with twin.at(url):
                answers = _race(counter, twin)
                assert sorted(each.verdict.value for each in answers) == ["fork", "taken"]
                (fork,) = [each for each in answers if each.verdict is Verdict.FORK]
                assert fork.held is not None
                counter.key.public_key().verify(fork.held.signature, shipping.BATCH_LABEL + fork.held.header)
                header = shipping.read_header(fork.held.header)
                assert (header.last, header.mac) == (6, fork.head.mac)
                # Whoever was second stays second, however often it asks.
                assert {each.verdict for each in _race(counter, twin)} == {Verdict.HAVE, Verdict.FORK}
    assert rows(database, "SELECT count(*), sum(last - first) FROM fork") == [(ROUNDS, 2 * ROUNDS)]
    assert rows(database, "SELECT count(*) FROM incident WHERE kind = 'fork'") == [(ROUNDS,)]
    assert rows(database, "SELECT sum(n) FROM takings") == [(2 * ROUNDS,)]


def test_the_same_batch_by_ten_lines_at_once_is_held_once(database: Database, shop: int) -> None:
    """As after replies that were lost: sent by all, taken from one."""
    counter = PretendCounter()
    for number in range(1, 11):
        counter.pay(f"K7Q2MX-{number}-1")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        body, verdicts, gate = counter.batch(1, 30), [], threading.Barrier(10)

        def send() -> None:
            gate.wait(20)
            while (said := counter.send(body)).status_code == 503:
                # Fewer than ten of one counter wait: it comes again.
                assert msgspec.json.decode(said.content, type=Refusal).code == "busy"
            verdicts.append(msgspec.json.decode(said.content, type=Answer).verdict)

        threads = [threading.Thread(target=send) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert sorted(verdicts) == [Verdict.HAVE] * 9 + [Verdict.TAKEN]
    assert rows(database, "SELECT count(*) FROM batch") == [(1,)]
    assert rows(database, "SELECT sum(n), sum(minor) FROM takings") == [(10, 100_000)]


def test_the_line_that_is_taken_may_end_where_it_likes(database: Database, shop: int) -> None:
    """Overlaps, gaps and old ones by dice, from two lines: what is held is the journal's beginning, each event once."""
    dice = Random(16)
    counter = PretendCounter()
    for number in range(1, 41):
        counter.pay(f"K7Q2MX-{number}-1", f"{number}.00")
    with serving(database) as url, counter.at(url, code_for(database, shop)):
        for _ in range(150):
            first = dice.randrange(1, 121)
            answer = counter.ship(first, min(120, first + dice.randrange(20)))
            assert answer.verdict is not Verdict.FORK
            assert answer.head.mac == (counter.events[answer.head.seq - 1].mac if answer.head.seq else b"")
        while (head := counter.head().seq) < 120:
            counter.ship(head + 1, 120)
    held = rows(database, "SELECT first, last FROM batch ORDER BY first")
    assert [first for first, _ in held] == [1, *(last + 1 for _, last in held[:-1])]
    assert rows(database, "SELECT sum(n), sum(minor) FROM takings") == [(40, 100 * sum(range(1, 41)))]
