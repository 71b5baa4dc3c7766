"""Each way a job can go, and none besides: never twice to paper by itself, never an original after the first byte."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.print_job import (
    EXPIRES_MS,
    KIND_OF,
    KINDS,
    NEXT,
    OPEN,
    ImpossibleMove,
    JobState,
    PaperKind,
    PrintJob,
    Why,
    content_of,
    is_expired,
    job_in,
    moved,
    next_copy,
    retry_ms,
    taken_up,
)

JOB = PrintJob(number=57, paper=PaperKind.RECEIPT, about="T7K3M9QRD-0123-1", who="p1", asked_at=1_000)


@pytest.mark.parametrize(("before", "to"), list(itertools.product(JobState, JobState)))
def test_only_the_ways_of_the_table_are_gone(before: JobState, to: JobState) -> None:
    job = msgspec.structs.replace(JOB, state=before)
    if to in NEXT[before]:
        assert moved(job, to, Why.OFFLINE).state is to
    else:
        with pytest.raises(ImpossibleMove, match=f"job 57: {before} to {to}"):
            moved(job, to)


def test_from_the_first_byte_on_nothing_leads_back_to_sending() -> None:
    reached, ahead = set[JobState](), {JobState.SENDING}
    while ahead:
        state = ahead.pop()
        reached.add(state)
        ahead |= NEXT[state] - reached
    assert not reached & {JobState.QUEUED, JobState.HELD, JobState.EXPIRED}


@given(st.lists(st.sampled_from(JobState)))
def test_whoever_began_has_used_up_the_original(path: list[JobState]) -> None:
    job = JOB
    for to in path:
        if to in NEXT[job.state]:
            job = moved(job, to)
    sent = {JobState.SENDING, JobState.SENT, JobState.PRINTED, JobState.UNKNOWN}
    assert job.began or job.state not in sent
    assert next_copy([job]) == int(job.began)


def test_a_start_asks_about_what_was_being_sent() -> None:
    sending = moved(JOB, JobState.SENDING)
    found = taken_up(sending)
    assert (found.state, found.why, found.began) == (JobState.UNKNOWN, Why.TILL_STOPPED, True)
    for state in set(JobState) - {JobState.SENDING}:
        job = msgspec.structs.replace(JOB, state=state)
        assert taken_up(job) is job


def test_copies_are_counted_by_what_may_lie_on_paper() -> None:
    expired = moved(JOB, JobState.EXPIRED)
    assert next_copy([]) == next_copy([expired, JOB]) == 0
    printed = moved(moved(JOB, JobState.SENDING), JobState.PRINTED)
    assert next_copy([expired, printed]) == 1
    copy = msgspec.structs.replace(JOB, copy=1)
    assert next_copy([printed, moved(copy, JobState.HELD)]) == 1
    assert next_copy([printed, moved(copy, JobState.SENDING)]) == 2


def test_a_job_waits_longer_each_time_and_a_quarter_of_an_hour_at_most() -> None:
    assert [retry_ms(tries) // 1000 for tries in range(1, 9)] == [1, 2, 4, 8, 16, 30, 30, 30]
    assert not is_expired(JOB, 1_000 + EXPIRES_MS - 1)
    assert is_expired(JOB, 1_000 + EXPIRES_MS)
    assert not is_expired(moved(JOB, JobState.SENDING), 1_000 + EXPIRES_MS)


def test_what_is_not_over_is_on_the_list() -> None:
    over = {JobState.SENT, JobState.PRINTED, JobState.LEFT}
    assert set(JobState) - over == OPEN
    assert all(not NEXT[state] for state in over)


def test_a_job_is_read_as_it_was_written() -> None:
    job = moved(JOB, JobState.HELD, Why.PAPER_OUT)
    assert job_in(content_of(job)) == job
    assert job_in(content_of(JOB)) == JOB


def test_the_kinds_on_disk_are_these() -> None:
    """What was written once is read for ever."""
    assert sorted(KINDS) == [
        "COPY_ASKED",
        "PRINT_ASKED",
        "PRINT_DONE",
        "PRINT_EXPIRED",
        "PRINT_HELD",
        "PRINT_LEFT",
        "PRINT_QUEUED",
        "PRINT_SEEN",
        "PRINT_SENDING",
        "PRINT_SENT",
        "PRINT_UNKNOWN",
    ]
    assert {*KIND_OF} == {*JobState}


@pytest.mark.parametrize(
    ("number", "signs"), [(1, "0001"), (9_999, "9999"), (10_000, "0000"), (12_345_678, "5678")]
)
def test_a_printer_names_a_job_by_four_signs(number: int, signs: str) -> None:
    assert msgspec.structs.replace(JOB, number=number).signs == signs
