"""Results by the learner's name: counted, kept, found again; what was never ours is refused."""

from __future__ import annotations

import pytest

from pos_app.training.course.progress import MOST_LEARNERS, Learner, Register, read, written
from pos_app.training.course.run import Outcome

AT = "2026-01-31T14:05:00+05:30"


def test_tries_and_slips_are_counted_and_the_last_outcome_stands() -> None:
    register = Register()
    for outcome in (Outcome.SLIPPED, Outcome.SLIPPED, Outcome.RIGHT):
        register = register.marked("Asha", "late", outcome, AT)
    mark = register.of("Asha").marks["late"]
    assert (mark.outcome, mark.tries, mark.slips, mark.at) == (Outcome.RIGHT, 3, 2, AT)
    assert register.of("Asha").right() == 1


def test_a_name_is_one_person_however_it_is_written() -> None:
    register = Register().marked("Asha", "late", Outcome.RIGHT, AT).marked("ASHA", "lock", Outcome.RIGHT, AT)
    assert [each.name for each in register.learners] == ["Asha"]
    assert register.of("asha").right() == 2


def test_whoever_learnt_last_stands_first() -> None:
    register = Register()
    for name in ("Asha", "Bimal", "Asha"):
        register = register.marked(name, "late", Outcome.RIGHT, AT)
    assert [each.name for each in register.learners] == ["Asha", "Bimal"]


def test_the_register_does_not_grow_for_ever() -> None:
    register = Register()
    for number in range(MOST_LEARNERS + 5):
        register = register.first(Learner(f"Learner {number}"))
    assert len(register.learners) == MOST_LEARNERS


def test_it_is_read_as_it_was_written() -> None:
    register = Register().marked("Aśha", "late", Outcome.SLIPPED, AT)
    assert read(written(register)) == register


@pytest.mark.parametrize("text", [b"", b"[]", b'{"learners": 3}', b"\xff", b'{"learners":[{"marks":{}}]}'])
def test_what_was_never_written_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(text)


def test_a_file_from_before_there_were_more_exercises_is_read() -> None:
    """What was done stays done, and the new ones are not tried yet."""
    before = Register().marked("Asha", "first_qr", Outcome.RIGHT, AT)
    learner = read(written(before)).of("Asha")
    assert (learner.right(), "paper_out" in learner.marks) == (1, False)
    assert (
        written(read(written(before)).marked("Asha", "paper_out", Outcome.RIGHT, AT)).count(b"first_qr") == 1
    )
