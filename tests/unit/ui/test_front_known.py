"""What a window that takes another's place is told: as it would be published now, and nothing that is over."""

from __future__ import annotations

from pos_app.app.last_published import LastPublished
from pos_app.domain.attempt import State
from pos_app.domain.views import Activity, AttemptChanged, Published, Terminal
from tests.support.published import attempt, change


class Hands:
    """A clock moved by hand."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def told(known: LastPublished) -> list[Published]:
    heard: list[Published] = []
    known.tell(heard.append)
    return heard


def test_it_is_told_the_terminal_and_each_payment_with_the_time_that_has_passed() -> None:
    clock = Hands()
    known, waiting = LastPublished(clock), attempt(state=State.WAITING)
    terminal = Terminal(open=(waiting,), recent=(waiting,))
    known.take(terminal)
    known.take(change(waiting, activity=Activity(elapsed_s=4, next_ask_in_s=2, gives_up_in_s=296)))
    clock.now_s += 1.5
    first, second = told(known)
    assert first == terminal
    assert isinstance(second, AttemptChanged)
    assert second.attempt == waiting
    assert (second.activity.elapsed_s, second.activity.next_ask_in_s) == (5.5, 0.5)
    assert second.activity.gives_up_in_s == 294.5, "the customer has no longer than before"
    clock.now_s += 60
    aged = told(known)[1]
    assert isinstance(aged, AttemptChanged)
    assert aged.activity.next_ask_in_s == 0
    known.take(change(waiting, activity=Activity()))
    nothing_due = told(known)[1]
    assert isinstance(nothing_due, AttemptChanged)
    assert (nothing_due.activity.next_ask_in_s, nothing_due.activity.gives_up_in_s) == (None, None)


def test_what_the_terminal_no_longer_lists_is_forgotten() -> None:
    known, over = LastPublished(), attempt(state=State.PAID)
    known.take(Terminal(recent=(over,)))
    known.take(change(over))
    assert len(told(known)) == 2
    known.take(Terminal())
    assert told(known) == [Terminal()]
    assert known.terminal == Terminal()
