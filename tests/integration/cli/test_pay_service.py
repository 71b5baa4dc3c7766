"""`pay` against a service that refuses, stays silent, loses replies or contradicts itself."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.cli.till import Running, Till, till_of
from tests.support.sandbox import Sandbox

Pay = Callable[..., Running]


@pytest.fixture(scope="module")
def nobody_listens(
    tmp_path_factory: pytest.TempPathFactory, config_dir: Path, shared_sandbox: Sandbox
) -> Till:
    """A counter whose service is at a port that nobody listens at."""
    text = (config_dir / "config.toml").read_text()
    folder = tmp_path_factory.mktemp("nobody")
    (folder / "config.toml").write_text(text.replace(shared_sandbox.base_url, "http://127.0.0.1:1"))
    return till_of(folder / "config.toml", config_dir / "secrets.toml", folder / "data")


@pytest.fixture(scope="module", autouse=True)
def slow(tmp_path_factory: pytest.TempPathFactory, nobody_listens: Till) -> Iterator[dict[str, Running]]:
    """The payments that take their time, begun before the others, at a sandbox that is asked in vain."""
    folder = tmp_path_factory.mktemp("slow")
    with Sandbox(config_dir=folder) as deaf:
        deaf.fault("drop_before", "initiate_push", count=None)
        deaf.fault("status", "initiate_qr", status=404, text="gone", containing="GONE")

        def pay(name: str, *line: str) -> Running:
            till = till_of(folder / "config.toml", folder / "secrets.toml", folder / name)
            return till.start("pay", "--amount", "5.00", *line)

        started = {
            "silent": pay("silent", "--push", "+94771234567", "--give-up-after", "1"),
            "gone": pay("gone", "--qr", "--invoice", "GONE"),
            "blamed": pay("blamed", "--qr"),
            "nobody": nobody_listens.start("pay", "--amount", "5.00", "--qr"),
        }
        deaf.fault("reply", "get_status", code="5015", count=None, containing=_id(started["blamed"]))
        deaf.fault("status", "get_status", status=404, text="gone", count=None)
        yield started
        for each in started.values():
            each.kill()


@pytest.fixture
def pay(till: Till) -> Pay:
    def start(*line: str, amount: str = "12.50") -> Running:
        return till.start("pay", "--amount", amount, *line)

    return start


@pytest.mark.parametrize("code", ["5003", "5004", "5005", "5010", "5013"])
def test_a_refusal_ends_refused_with_the_services_code(make_till: Callable[[str], Till], code: str) -> None:
    done = make_till(code).run("pay", "--amount", "1.00", "--push", f"+9477100{code}")
    assert (done.code, done.last["state"], done.last["code"]) == (1, "REFUSED", code)
    assert (done.last["reason"], done.last["service_status"], done.last["qr_text"]) == ("", "", "")


def test_a_lost_reply_to_a_push_is_found_again_and_paid(sandbox: Sandbox, pay: Pay) -> None:
    sandbox.fault("drop_after", "initiate_push")
    paying = pay("--push", "+94771234567")
    doubted = paying.state("IN_DOUBT")
    paying.state("WAITING")
    sandbox.act(doubted["attempt_id"], "pay")
    done = paying.end()
    assert (done.code, done.last["state"]) == (0, "PAID")
    assert len(sandbox.transactions()) >= 1
    assert {said["attempt_id"] for said in done.objects} == {doubted["attempt_id"]}


def test_a_lost_qr_text_is_replaced_by_a_new_attempt_of_the_same_sale(sandbox: Sandbox, pay: Pay) -> None:
    sandbox.fault("drop_after", "initiate_qr")
    paying = pay("--qr")
    shown = paying.until(lambda said: bool(said["qr_text"]))
    assert "-0001-2-" in shown["attempt_id"]
    sandbox.scan(shown["qr_text"], then="approve")
    done = paying.end()
    assert (done.code, done.last["state"], done.last["attempt_id"]) == (0, "PAID", shown["attempt_id"])
    first = [said for said in done.objects if "-0001-1-" in said["attempt_id"]]
    assert first[-1]["state"] == "CANCELLED"
    assert first[0]["sale_id"] == shown["sale_id"]
    assert sandbox.transaction(first[0]["attempt_id"])["status"] == "Merchant Cancel"


def test_another_amount_ends_disputed(sandbox: Sandbox, pay: Pay) -> None:
    paying = pay("--qr", amount="77.70")
    sandbox.fault("edit", "get_status", set={"transactionAmount": 7.77}, containing=_id(paying))
    done = paying.end()
    assert (done.code, done.last["state"], done.last["reason"]) == (4, "DISPUTED", "other_amount")


def test_answers_that_blame_the_set_up_end_unresolved(slow: dict[str, Running]) -> None:
    done = slow["blamed"].end()
    assert (done.code, done.last["state"], done.last["reason"]) == (4, "UNRESOLVED", "misconfigured")


def _id(paying: Running) -> str:
    attempt_id: str = paying.state("INTENT")["attempt_id"]
    return attempt_id


def test_a_refusal_by_http_status_ends_refused_with_that_status(slow: dict[str, Running]) -> None:
    done = slow["gone"].end()
    assert (done.code, done.last["state"]) == (1, "REFUSED")
    assert (done.last["reason"], done.last["code"]) == ("http_refused", "404")


def test_where_nobody_listens_nothing_was_sent(slow: dict[str, Running]) -> None:
    done = slow["nobody"].end()
    assert (done.code, done.last["state"], done.last["reason"]) == (1, "NOT_SENT", "no_connection")


def test_what_is_not_known_15_s_after_giving_up_ends_so(slow: dict[str, Running]) -> None:
    """The last line is the state as it then is, said again because nothing else marks the end."""
    done = slow["silent"].end()
    assert (done.code, done.last["state"]) == (4, "IN_DOUBT")
    assert done.objects[-1] == done.objects[-2]


def test_a_question_nobody_answers_ends_with_69(nobody_listens: Till) -> None:
    for line in (["status", "SBX-X"], ["transactions"], ["otp", "submit", "ref", "123456"]):
        done = nobody_listens.run(*line)
        assert (done.code, done.out) == (69, "")
        assert done.err.startswith("pos-app: no answer from the service: no connection: ")
