"""Whose paper it is: the owner's while the day is open, of a copy a quarter of an hour, then a manager's alone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pos_app.domain.commands import AnswerPrint, CloseDay, LeavePrint, PrintPaper
from pos_app.domain.print_job import JobState, PaperKind
from pos_app.domain.rights import Act
from pos_app.domain.views import PrintAnswered, PrintProblem, Published, StaffAnswered, StaffProblem
from pos_app.engine.printing.news import PrintEnded, PrinterReady
from tests.unit.engine.gate_standings import AT_THE_TILL, Stand, Standing, signed_in, stand


def told(on: Stand, command: Any) -> StaffProblem | PrintProblem:
    """What it came to."""
    before = len(on.rig.shown)
    on.rig.tell(command)
    answers: list[Published] = [
        each for each in on.rig.shown[before:] if isinstance(each, StaffAnswered | PrintAnswered)
    ]
    answer = answers[-1]
    assert isinstance(answer, StaffAnswered | PrintAnswered)
    return answer.problem


def wish(
    on: Stand, *, again: bool = False, paper: PaperKind = PaperKind.RECEIPT, about: str | None = None
) -> Any:
    """Of whoever stands there."""
    wanted = on.about if about is None else about
    return told(on, PrintPaper(request_id="q", paper=paper, about=wanted, again=again, who=on.who))


def printed(on: Stand, state: JobState = JobState.SENT) -> int:
    """The newest job, taken by the printer."""
    number = on.journal.last_print_job()
    on.rig.tell(PrinterReady(number, "sha"))
    on.rig.tell(PrintEnded(number, state))
    return number


def test_a_copy_is_the_owners_for_a_quarter_of_an_hour() -> None:
    on = stand(Act.REPRINT, Standing.OWNER)
    assert wish(on) is PrintProblem.NONE
    printed(on)
    assert wish(on) is PrintProblem.ORIGINAL_USED
    assert wish(on, again=True) is PrintProblem.NONE
    printed(on)
    on.rig.wait(15 * 60)
    assert wish(on, again=True) is StaffProblem.NOT_ALLOWED


def without_sign_in(on: Stand, *commands: Any) -> None:
    """What is done meanwhile at a till that asks nobody; then the same person stands there again."""
    config = on.rig.config
    on.rig.config = replace(config, sign_in_required=False)
    on.rig.restart()
    for command in commands:
        on.rig.tell(command)
    on.rig.config = config
    on.rig.restart()
    on.rig.wait(90)  # between two codes by SMS
    signed_in(on.rig, on.who)


def test_an_original_is_the_owners_while_the_day_is_open() -> None:
    on = stand(Act.PRINT, Standing.OWNER)
    on.rig.wait(3600)
    assert wish(on) is PrintProblem.NONE
    on = stand(Act.PRINT, Standing.OWNER)
    on.rig.wait(1)
    without_sign_in(on, CloseDay(request_id="c", wait_s=0))
    assert on.journal.last_z() is not None
    assert wish(on) is StaffProblem.NOT_ALLOWED


@pytest.mark.parametrize("standing", [Standing.OWNER, Standing.NOT_OWNER])
def test_a_z_and_the_whole_tills_x_are_no_cashiers(standing: Standing) -> None:
    on = stand(Act.PRINT, standing)
    assert wish(on, paper=PaperKind.Z, about="1") is StaffProblem.NOT_ALLOWED
    assert wish(on, paper=PaperKind.X, about="") is StaffProblem.NOT_ALLOWED
    assert wish(on, paper=PaperKind.X, about=AT_THE_TILL[standing]) is PrintProblem.NONE


def test_a_manager_prints_whatever_there_is() -> None:
    on = stand(Act.REPRINT, Standing.MANAGER)
    on.rig.wait(3600)
    assert wish(on, again=True) is PrintProblem.NONE


@pytest.mark.parametrize("standing", [Standing.OWNER, Standing.NOT_OWNER])
def test_what_may_be_on_paper_is_answered_by_whose_it_is(standing: Standing) -> None:
    on = stand(Act.PRINT, standing)
    wanted = PrintPaper(request_id="q", paper=PaperKind.RECEIPT, about=on.about)
    without_sign_in(on, wanted, PrinterReady(1, "sha"), PrintEnded(1, JobState.UNKNOWN))
    job = on.journal.print_job(1)
    assert job is not None
    assert job.state is JobState.UNKNOWN
    seen, again = (AnswerPrint(request_id="q", number=1, seen=each, who=on.who) for each in (True, False))
    left = LeavePrint(request_id="q", number=1, who=on.who)
    assert told(on, replace(seen, number=99)) is StaffProblem.UNKNOWN_PAYMENT
    if standing is Standing.NOT_OWNER:
        assert [told(on, each) for each in (seen, again, left)] == [StaffProblem.NOT_ALLOWED] * 3
        assert on.journal.print_job(1) == job
    else:
        assert told(on, again) is PrintProblem.NONE
        copy = on.journal.print_job(2)
        assert copy is not None
        assert (copy.copy, copy.who) == (1, on.who)
