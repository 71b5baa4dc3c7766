"""The engine's leave: asked for one act after the other, and the first no ends it."""

from __future__ import annotations

from typing import Any

from pos_app.app.settings.permit import Leave, Leaves
from pos_app.domain.rights import Act
from pos_app.domain.staff import Permit
from pos_app.domain.views import StaffAnswered, StaffProblem

BOTH: list[tuple[Act, dict[str, Any]]] = [
    (Act.CHANGE_SETTINGS, {"changes": {}}),
    (Act.CHANGE_SECRETS, {"stored": ["access_token"]}),
]


class Asked:
    """A list of what was posted, and of what came of it."""

    def __init__(self) -> None:
        self.posted: list[Any] = []
        self.came: list[Leave] = []
        self.leaves = Leaves(self.posted.append)
        self.leaves.ask(BOTH, "why", self.came.append)

    def answer(self, problem: StaffProblem = StaffProblem.NONE, request_id: str = "") -> None:
        """The engine's, to what was asked last."""
        command = self.posted[-1]
        assert isinstance(command, Permit)
        self.leaves.hear(StaffAnswered(request_id=request_id or command.request_id, problem=problem))


def test_both_are_asked_for_in_turn() -> None:
    asked = Asked()
    assert (len(asked.posted), asked.leaves.busy) == (1, True)
    asked.answer()
    assert asked.came == []
    asked.answer()
    settings, secrets = asked.posted
    assert (settings.act, settings.content, settings.reason) == (*BOTH[0], "why")
    assert (secrets.act, secrets.content) == BOTH[1]
    assert asked.came == [Leave((settings.request_id, secrets.request_id))]
    assert not asked.leaves.busy


def test_a_no_ends_it_and_names_what_had_been_allowed() -> None:
    """So that the journal can say that it was not done."""
    asked = Asked()
    asked.answer()
    asked.answer(StaffProblem.NOT_ALLOWED)
    assert asked.came == [Leave((asked.posted[0].request_id,), StaffProblem.NOT_ALLOWED)]
    asked.answer()
    assert len(asked.came) == 1


def test_answers_to_others_and_to_earlier_requests_are_left_to_them() -> None:
    asked = Asked()
    asked.answer(request_id="somebody's")
    assert asked.came == []
    first = asked.posted[0].request_id
    asked.answer()
    asked.answer(request_id=first)
    assert asked.came == []
    assert len({command.request_id for command in (*asked.posted, *Asked().posted)}) == 3
