"""`transactions`, `status`, `otp` and `doctor`: what they ask, what they say, and what they never show."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.cli.test_closing import left_waiting
from tests.integration.cli.till import KEYS, Till
from tests.support.forked import REPOSITORY
from tests.support.patient_verbs import PATIENT
from tests.support.sandbox import Sandbox
from tests.unit.journal.tampering import tamper

NUMBER = "+94771239988"
LISTED = [
    "attempt_id",
    "wallet_transaction_id",
    "amount",
    "service_status",
    "status_description",
    "transaction_date_time",
    "wallet_number",
]


def paid(till: Till, sandbox: Sandbox, *line: str) -> str:
    """One payment, to its end; its attempt's id."""
    paying = till.start("pay", *line)
    attempt_id: str = paying.state("WAITING")["attempt_id"]
    sandbox.act(attempt_id, "pay")
    assert paying.end().code == 0
    return attempt_id


def test_the_services_list_and_the_journals_agree(sandbox: Sandbox, till: Till) -> None:
    attempt_id = paid(till, sandbox, "--amount", "41.50", "--push", NUMBER)
    (listed,) = till.run("transactions", "--id", attempt_id).objects
    assert list(listed) == LISTED
    assert (listed["attempt_id"], listed["service_status"]) == (attempt_id, "Payment Success")
    assert listed["amount"] == "41.50"
    assert NUMBER.lstrip("+") not in str(listed)
    (local,) = till.run("transactions", "--local").objects
    assert (list(local), local["attempt_id"], local["state"]) == (KEYS, attempt_id, "PAID")

    day = listed["transaction_date_time"][:10]
    asking = [
        (till.start("transactions", *filters, *where), found)
        for filters, found in (
            (["--from", day, "--to", day], True),
            (["--from", f"{day} 00:00:00", "--counter", "1"], True),
            (["--wallet-id", listed["wallet_transaction_id"]], True),
            (["--counter", "9"], False),
            (["--to", "2026-01-01"], False),
            (["--id", "SBX-NOBODY-0001-1"], False),
        )
        for where in ([], ["--local"])
    ]
    for running, found in asking:
        done = running.end()
        assert done.code == 0
        assert any(said["attempt_id"] == attempt_id for said in done.objects) is found
    assert len(till.run("transactions", "--local", "--counter", "01").objects) == 1
    for paging in (["--outlet", "1"], ["--page-start", "1", "--page-end", "1"]):
        assert till.run("transactions", *paging).objects[0]["attempt_id"] == attempt_id

    asked = till.run("status", attempt_id)
    assert (asked.code, list(asked.last)) == (0, KEYS)
    assert (asked.last["state"], asked.last["service_status"]) == ("PAID", "Payment Success")


def test_a_status_the_service_refuses_says_its_code(sandbox: Sandbox, till: Till) -> None:
    sandbox.fault("reply", "get_status", code="5012")
    for code in ("5012", "5009"):
        done = till.run("status", "SBX-NOBODY-0001-1")
        assert (done.code, done.last["code"], done.last["state"]) == (1, code, "")


@pytest.mark.parametrize(
    ("changed", "code", "told"),
    [
        ({"externalMerchantTransactionId": "SBX-NOBODY-0001-1"}, 69, "is not of"),
        ({"externalMerchantTransactionId": None}, 69, "is not of"),
        ({"walletTransactionId": "1"}, 69, "is not of"),
        ({"merchantPgIdentifier": "M-2"}, 69, "is not of"),
        ({"transactionAmount": None}, 69, "is not of"),
        ({"transactionAmount": 0.01}, 4, "with another amount, 0.01 for 12.50"),
    ],
)
def test_a_status_of_another_payment_is_none_of_this_one(
    sandbox: Sandbox, till: Till, changed: dict[str, object], code: int, told: str
) -> None:
    """It was told as this one's: "the service says: Paid", with the amount of the till's own record."""
    attempt_id = till.run("pay", "--amount", "12.50", "--qr", "--give-up-after", "1").last["attempt_id"]
    said = {"merchantTxnStatusName": "Payment Success", **changed}
    for asking in (till.run, till.say):
        sandbox.fault("edit", "get_status", set=said)
        done = asking("status", attempt_id)
        assert (done.code, done.out) == (code, "")
        assert told in done.err


def test_a_status_of_another_payment_is_none_of_one_that_the_till_does_not_know(
    sandbox: Sandbox, till: Till
) -> None:
    other = {"status": "success", "merchantTxnStatusName": "Payment Success", "transactionAmount": 1}
    body = {"response": {**other, "externalMerchantTransactionId": "SBX-OTHER-0001-1"}}
    sandbox.fault("reply", "get_status", body=body, count=2)
    for some_id, code in (("SBX-NOBODY-0001-1", 69), ("SBX-OTHER-0001-1", 0)):
        assert till.run("status", some_id).code == code


def test_a_list_the_service_refuses_says_its_code(sandbox: Sandbox, till: Till) -> None:
    sandbox.fault("reply", "query", code="5012")
    done = till.run("transactions")
    assert (done.code, done.out) == (1, "")
    assert "5012" in done.err


def test_a_code_is_sent_and_checked(sandbox: Sandbox, till: Till) -> None:
    sent = till.run("otp", "send", NUMBER)
    assert (sent.code, sent.last["status"]) == (0, "PENDING_AUTH")
    (sms, *_) = sandbox.sms(NUMBER.lstrip("+"))
    wrong = "000000" if sms["code"] != "000000" else "111111"
    refused = till.run("otp", "submit", sent.last["server_ref"], wrong)
    assert (refused.code, refused.out) == (1, "")
    assert "WRONG_PIN" in refused.err
    right = till.run("otp", "submit", sent.last["server_ref"], sms["code"])
    assert (right.code, right.last["status"]) == (0, "SUCCESS")
    assert right.last["server_ref"] == sent.last["server_ref"]
    for done in (sent, refused, right):
        assert sms["code"] not in done.out + done.err
        assert NUMBER.lstrip("+") not in done.out + done.err


def test_numbers_and_codes_can_be_kept_off_the_command_line(sandbox: Sandbox, till: Till) -> None:
    """A dash reads them from standard input; others see every command line of the machine."""
    from_input = "+94771239966"
    line = [sys.executable, "-m", "pos_app", *till.common, "--json"]

    def told(*verb: str, typed: str) -> dict[str, str]:
        done = subprocess.run(
            [*line, *verb], input=f"{typed}\n", capture_output=True, text=True, cwd=REPOSITORY, check=True
        )
        said: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
        return said

    sent = told("otp", "send", "-", typed=from_input)
    (sms, *_) = sandbox.sms(from_input.lstrip("+"))
    assert told("otp", "submit", sent["server_ref"], "-", typed=sms["code"])["status"] == "SUCCESS"
    push = ["pay", "--amount", "1.25", "--push", "-", "--give-up-after", "20"]
    with subprocess.Popen(
        [*line, *push], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY
    ) as paying:
        assert paying.stdin is not None
        assert paying.stdout is not None
        paying.stdin.write(f"{from_input}\n")
        paying.stdin.close()
        waiting = next(said for said in map(json.loads, paying.stdout) if said["state"] == "WAITING")
        assert sandbox.pushes(from_input), "the request went to this number"
        sandbox.act(waiting["attempt_id"], "pay")
        paying.stdout.read()
    assert paying.returncode == 0


def test_sends_are_counted_over_processes(sandbox: Sandbox, till: Till) -> None:
    number = "+94771239977"
    assert till.run("otp", "send", number).code == 0
    again = till.run("otp", "send", number)
    assert (again.code, again.out) == (1, "")
    assert len(sandbox.sms(number.lstrip("+"))) == 1


def findings(till: Till) -> dict[str, tuple[str, str]]:
    done = till.run("doctor")
    assert done.err == ""
    assert all(list(said) == ["about", "verdict", "text"] for said in done.objects)
    return {said["about"]: (said["verdict"], said["text"]) for said in done.objects}


def test_the_doctor_names_each_settings_source_and_shows_no_secret(sandbox: Sandbox, till: Till) -> None:
    changed = Till(till.common, {"POS_APP_PAYMENT_GIVE_UP_S": "90"})
    done = changed.run("doctor")
    assert done.code == 0
    for secret in (sandbox.access_token, sandbox.merchant_secret_code, sandbox.merchant_password):
        assert secret not in done.out
    found = findings(changed)
    config = till.common[till.common.index("--config") + 1]
    assert found["gateway.base_url"] == ("ok", f"'{sandbox.base_url}' from {config} line 3")
    assert found["payment.give_up_s"] == ("ok", "90 from POS_APP_PAYMENT_GIVE_UP_S")
    assert found["payment.extension_s"] == ("ok", "120 from default")
    assert found["secrets"][1].endswith("secrets.toml")
    for about in ("clock", "connection", "token", "disk", "key store", "journal"):
        assert found[about][0] in ("ok", "warning"), about


def test_the_doctor_tells_a_dead_token_from_a_dead_line(sandbox: Sandbox, till: Till) -> None:
    sandbox.fault("token_expired", "query", count=1)
    done = till.run("doctor")
    verdicts = {said["about"]: said["verdict"] for said in done.objects}
    assert (done.code, verdicts["connection"], verdicts["token"]) == (69, "ok", "problem")


def test_a_refused_sign_in_starts_no_payment(sandbox: Sandbox, till: Till) -> None:
    sandbox.fault("status", "query", status=401, text="")
    done = Till(till.common, PATIENT).run("pay", "--amount", "1.00", "--qr")
    assert (done.code, done.out) == (69, "")
    assert "refused this terminal's sign-in" in done.err


def test_a_token_that_is_missing_is_no_refusal_of_the_service(till: Till, tmp_path: Path) -> None:
    """Whoever reads it looks at the file, and not for somebody to call at the service."""
    source = {"POS_APP_GATEWAY_TOKEN_PROVIDER": "file", "POS_APP_GATEWAY_TOKEN_FILE": str(tmp_path / "token")}
    till = Till(till.common, source | PATIENT)
    done = till.run("pay", "--amount", "1.00", "--qr")
    assert (done.code, done.out) == (69, "")
    assert "the token file cannot be read: No such file or directory" in done.err
    assert "refused" not in done.err


def test_settings_of_a_sandbox_of_its_own_come_from_it(till: Till) -> None:
    own = Till(["--sandbox", *till.common])
    found = findings(own)
    assert found["gateway.base_url"][1].endswith("from sandbox")
    assert found["gateway.environment"] == ("ok", "'sandbox' from sandbox")
    assert found["shop.name"][1].startswith("'Corner Shop' from ")
    assert found["secrets"] == ("ok", "from sandbox")


def test_a_damaged_record_is_told_and_no_fault_of_the_program(
    sandbox: Sandbox, till: Till, tmp_path: Path
) -> None:
    """Whatever looks into it, as an export tells it; nothing is asked of the service about what cannot be read."""
    attempt_id = paid(till, sandbox, "--amount", "41.50", "--qr")
    left_waiting(till)
    assert till.say("close").code in (0, 4)
    journal = tmp_path / "counter" / "sandbox" / "journal.sqlite"
    tamper(
        journal,
        "UPDATE attempt SET snapshot = 'x'",
        "UPDATE event SET content = 'x' WHERE kind = 'Z_CLOSED'",
    )
    for line in (
        ("report", "z"),
        ("transactions", "--local"),
        ("transactions", "--id", attempt_id),
        ("status", attempt_id),
        ("open",),
        ("receipt", "--last"),
        ("receipt", attempt_id, "--json"),
        ("receipt", "--number", "1"),
    ):
        told = till.say(*line)
        assert (told.code, told.err) == (73, "pos-app: the journal cannot be read\n"), (line, told)
        assert not told.out
