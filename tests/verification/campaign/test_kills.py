"""A few kills of the real till, a wrong till that must be caught by them, and what the campaign makes of a career."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from pos_app.domain.attempt import Environment, Resolution, State
from pos_app.journal import open_journal
from pos_app.secrets import journal_key
from tests.support.builders import attempt, record, sale
from tests.support.sandbox import Sandbox
from tests.support.sandbox_client import ServiceClient
from tests.verification.campaign.kills import judging, points
from tests.verification.campaign.kills.career import Career, Outcome, prepared
from tests.verification.campaign.kills.evidence import folder_of
from tests.verification.campaign.kills.points import Death
from tests.verification.campaign.kills.tally import Tally


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Sandbox, Path]]:
    config = tmp_path_factory.mktemp("sandbox")
    with Sandbox(config_dir=config, switches={"otp_sends": 10_000}) as sandbox:
        yield sandbox, config


def career(
    served: tuple[Sandbox, Path], folder: Path, *deaths: Death, wrong: str = "", seed: int = 7
) -> Outcome:
    """These deaths one after the other, then the quiet life."""
    sandbox, config = served
    sandbox.reset()
    own = prepared(config, folder, give_up_s=20)
    return Career(seed, sandbox, own, folder, lambda: True, wrong, troubled=False).run(deaths)


def test_a_till_that_is_killed_where_it_matters_most_loses_nothing(
    served: tuple[Sandbox, Path], tmp_path: Path
) -> None:
    deaths = (Death("commit INTENT:after"), Death("start:taken up"), Death("get_status:sent"))
    outcome = career(served, tmp_path, *deaths)
    assert outcome.findings == ()
    assert outcome.deaths == Counter(death.point for death in deaths)
    assert outcome.payments >= 1


def test_a_till_that_writes_after_it_sends_is_caught(served: tuple[Sandbox, Path], tmp_path: Path) -> None:
    outcome = career(served, tmp_path, Death("initiate_push:head"), wrong="journal_after_send")
    assert any(" I4 " in finding for finding in outcome.findings), outcome


def test_a_till_that_counts_its_codes_after_it_sends_them_is_caught(
    served: tuple[Sandbox, Path], tmp_path: Path
) -> None:
    deaths = [Death("validate_code:sent")] * 4
    outcome = career(served, tmp_path, *deaths, wrong="code_counted_after_send")
    assert any(" I10 " in finding for finding in outcome.findings), outcome


def test_who_pays_behind_a_managers_answer_is_asked_about_before_a_career_is_judged(
    served: tuple[Sandbox, Path], tmp_path: Path
) -> None:
    """Signed off as not paid in the moment in which the customer paid: that the till asks again is still to come."""
    sandbox, config = served
    sandbox.reset()
    folder = folder_of(tmp_path / "data")
    folder.mkdir(parents=True)
    key = journal_key(folder, Environment.SANDBOX, use_keystore=False)
    journal = open_journal(folder / "journal.sqlite", key, Environment.SANDBOX)
    begun = attempt()
    client = ServiceClient(sandbox)
    client.initiate_push(begun.attempt_id)
    client.close()
    answer = Resolution(action="not_paid", name="Nimali", reason="seen in the list", at=0)
    signed = replace(begun, state=State.SIGNED_OFF, resolution=answer)
    late = replace(begun, state=State.PAID_LATE)
    still = Career(7, sandbox, config, tmp_path, lambda: True)
    journal.append([record(begun, "INTENT", path=(State.INTENT,), sale=sale())])
    journal.append([record(signed, "ANSWER", path=(State.INTENT, State.UNRESOLVED, State.SIGNED_OFF))])
    assert still.is_quiet()
    sandbox.act(begun.attempt_id, "pay")
    assert not still.is_quiet()
    paid = replace(late, resolution=replace(answer, action="complete"))
    journal.append([record(paid, "STATUS_ANSWERED", path=(State.SIGNED_OFF, State.PAID_LATE))])
    journal.close()
    assert still.is_quiet()


def test_a_secret_in_a_file_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("token tok-12345678")
    assert list(judging.leaks(tmp_path, ["tok-12345678", "other-secret"])) == ["I8 note.txt holds tok…"]


def test_an_error_in_the_log_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "pos-app.log").write_text('{"level": "INFO"}\n{"level": "ERROR", "message": "x"}\n')
    assert len(list(judging.accidents(tmp_path, []))) == 1
    assert next(judging.accidents(tmp_path, ["Boom"])) == "I12 standard error: Boom"


def test_a_late_start_is_a_finding() -> None:
    assert list(judging.slow(5.2, 0.1, 1.0)) == [
        "back after 5.2 s, of which it waited 0.1 s for a core or the machine, "
        "on a machine 1.0 times slower than meant"
    ]
    assert list(judging.slow(0.7, 0.1, 1.0)) == list(judging.slow(6.2, 2.0, 1.0)) == []
    assert list(judging.slow(9.0, 0.1, 2.0)) == []
    assert judging.slowness() >= 1.0


def test_deaths_are_drawn_at_every_point_and_again_alike() -> None:
    def draw() -> list[Death]:
        chance = Random(3)
        return [points.drawn(chance, None if n % 20 == 0 else "initiate_qr:sent") for n in range(6_000)]

    drawn = draw()
    assert drawn == draw()
    assert {death.point for death in drawn} == {"", *points.ALL}


def test_half_of_the_starts_were_back_within_the_middle_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tally = Tally(deaths={}, back={})
    tally.add(Counter({"start:window": 2}), [0.5, 0.6, 0.7, 3.0])
    tally.add(Counter({"start:window": 1}), [0.6])
    assert (tally.back_s(0.5), tally.back_s(0.95)) == (0.6, 3.0)
    assert tally.table(["start:window", "start:process"]).splitlines() == [
        "     3  start:window",
        "     0  start:process",
    ]
