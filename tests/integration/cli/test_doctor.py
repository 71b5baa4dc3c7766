"""`doctor`: each thing it looks at, broken once, is a problem with its exit code and what to do about it."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, time, timedelta
from pathlib import Path

import pytest

from pos_app.devices.printers.virtual import VirtualPrinter
from pos_app.devices.printers.virtual_server import PrinterServer
from pos_app.doctor import machine
from pos_app.doctor.records import day_finding
from pos_app.doctor.service import apart_finding
from pos_app.domain.takings import hour_of
from pos_app.journal.schema import MIGRATIONS
from pos_app.secrets import keystore
from pos_app.system import paths
from tests.integration.cli.till import Done, Till
from tests.support.patient_verbs import PATIENT
from tests.support.sandbox import Sandbox
from tests.unit.services.certificates import DAY, NOW, make, server_context
from tests.unit.services.raw_server import RawServer, http_reply
from tests.unit.services.raw_server import says as answers


def said(done: Done) -> dict[str, tuple[str, str]]:
    assert "Traceback" not in done.err
    return {each["about"]: (each["verdict"], each["text"]) for each in done.objects}


def data_of(till: Till) -> Path:
    return Path(till.common[till.common.index("--data-dir") + 1]) / "sandbox"


@pytest.fixture
def own(till: Till, tmp_path: Path) -> Till:
    """The same counter with files of its own, to be spoilt."""
    copied = {}
    for name in ("config", "secrets-file"):
        path = Path(till.common[till.common.index(f"--{name}") + 1])
        copied[name] = tmp_path / path.name
        copied[name].touch(0o600)
        copied[name].write_bytes(path.read_bytes())
    data = till.common[till.common.index("--data-dir") + 1]
    common = ["--config", str(copied["config"]), "--secrets-file", str(copied["secrets-file"])]
    return Till([*common, "--data-dir", data])


def change(till: Till, option: str, old: str, new: str) -> None:
    file = Path(till.common[till.common.index(option) + 1])
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_service_that_lists_by_id_alone_has_nothing_against_the_merchant(
    sandbox: Sandbox, own: Till
) -> None:
    """Whether a list may be asked for without an id is not said: the right merchant and secrets were to be checked."""
    sandbox.switch("query_needs_id", True)
    found = said(own.run("doctor"))
    assert (found["connection"][0], found["token"][0]) == ("ok", "ok")
    assert "merchant" not in found
    change(own, "--config", "SBX-M-0001", "SBX-M-0009")
    assert "refused with 5002" in said(own.run("doctor"))["merchant"][1]


def test_two_letters_that_stand_for_nothing_are_a_note(own: Till) -> None:
    """UK for GB: no number was taken as people there write it. sn for si: the till spoke English. All was well."""
    assert not {"country", "language"} & set(said(own.run("doctor")))
    change(own, "--config", 'country = "LK"', 'country = "UK"')
    file = Path(own.common[own.common.index("--config") + 1])
    file.write_text(f'{file.read_text()}\n[window]\nlanguage = "sn"\n[customer_display]\nlanguage = "ta"\n')
    done = own.run("doctor")
    found = said(done)
    assert done.code == 0
    assert found["country"][0] == found["language"][0] == "warning"
    assert "'UK' is none" in found["country"][1]
    assert "'sn'" in found["language"][1]


def test_all_is_well_and_said_so(sandbox: Sandbox, own: Till) -> None:
    assert sandbox.details
    assert own.run("pay", "--amount", "2.00", "--qr", "--give-up-after", "1").code in (1, 4)
    found = said(own.run("doctor"))
    assert found["journal"][0] == "ok"
    assert found["journal"][1].startswith("all ")
    assert found["clock and service"] == ("ok", "they agree")
    assert found["sign-in SMS"][0] == "ok"
    assert found["SMS service"][0] == "ok"
    assert found["secret access_token"] == ("ok", "present")
    assert found["secret otp_access_token"] == ("ok", "not given, not needed")
    assert found["permissions"][0] == "ok"
    assert found["version"][1].startswith("pos-app ")


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (7200, "7200 s ahead of the service's"),
        (-61, "61 s behind the service's"),
        (59, "agree"),
        (-60, "agree"),
    ],
)
def test_a_clock_that_is_not_the_service_s_is_a_problem(seconds: float, says: str) -> None:
    found = apart_finding(seconds)
    assert says in found.text
    assert found.verdict == ("ok" if says == "agree" else "problem")


@pytest.mark.skipif(sys.platform != "linux", reason="no other system is asked")
@pytest.mark.parametrize("opened", [False, True])
def test_a_memory_that_is_open_to_debuggers_all_the_same_is_told(opened: bool) -> None:
    """Dumps into a pipe, too: no limit stops those, and the limit alone was looked at."""
    script = [
        "import ctypes",
        "from pos_app.doctor.machine import machine_findings",
        "from pos_app.system.memory import keep_to_ourselves",
        "keep_to_ourselves()",
        *(["ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)"] if opened else []),
        "print([each.verdict for each in machine_findings() if each.about == 'memory'])",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(script)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ("['warning']" if opened else "['ok']")


def test_one_that_is_broken_off_tells_what_it_has_found(own: Till) -> None:
    """Where something does not answer, whoever waited knows at least what does."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        file = Path(own.common[own.common.index("--config") + 1])
        host, port = silent.getsockname()
        text = re.sub(r'base_url = "[^"]*"', f'base_url = "http://{host}:{port}"', file.read_text(), count=1)
        file.write_text(text)
        doctor = own.start_saying("doctor")
        connection, _ = silent.accept()
        with connection:
            done = doctor.send(signal.SIGINT).end()
    assert done.code == 130
    assert "version: pos-app" in done.out
    assert "All is well" not in done.out


def test_a_secret_that_is_missing_is_named(own: Till) -> None:
    change(own, "--secrets-file", "merchant_password", "otp_access_token")
    done = own.run("doctor")
    assert done.code == 78
    assert said(done)["secret merchant_password"] == ("problem", "missing: no payment can be asked for")


def test_a_token_with_bearer_before_it_is_named_and_not_shown(own: Till) -> None:
    """The service refused it, and doctor said to renew a token that was good."""
    change(own, "--secrets-file", 'access_token = "', 'access_token = "Bearer ')
    done = own.run("doctor")
    verdict, text = said(done)["secret access_token"]
    assert (done.code, verdict) == (78, "problem")
    assert text == "has a space inside: it must be the token alone, without Bearer"


def test_what_others_can_change_is_named_with_its_file(own: Till) -> None:
    data_of(own).mkdir(parents=True, mode=0o700)
    (data_of(own) / "journal.key").touch(0o600)
    os.chmod(data_of(own) / "journal.key", 0o644)  # noqa: PTH101 - as somebody would
    done = own.run("doctor")
    assert said(done)["permissions"][0] == "problem"
    assert "journal.key" in said(done)["permissions"][1]


def test_a_journal_that_was_changed_is_a_problem(own: Till) -> None:
    import sqlite3

    assert own.run("pay", "--amount", "2.00", "--qr", "--give-up-after", "1").code in (1, 4)
    with sqlite3.connect(data_of(own) / "journal.sqlite") as journal:
        journal.execute("DROP TRIGGER event_is_never_changed")
        journal.execute("UPDATE event SET content = replace(content, '2.00', '9.00') WHERE seq = 1")
    journal.close()
    done = own.run("doctor")
    assert done.code == 73
    assert "not as they were written" in said(done)["journal"][1]


def test_a_data_folder_that_may_not_even_be_looked_at_is_a_finding(own: Till, tmp_path: Path) -> None:
    """As a kiosk's is to whoever looks after it: the verb was ended by a fault, and told nothing that it had found.

    Root may look everywhere; a name that is too long answers root in the same way.
    """
    there = tmp_path / ("x" * 300)
    cannot = Till([*own.common[: own.common.index("--data-dir")], "--data-dir", str(there)])
    done = cannot.run("doctor")
    assert (done.code, said(done)["set-up"][0]) == (73, "problem")
    assert f"{there} cannot be made: File name too long" in said(done)["set-up"][1]
    assert "version" in said(done)
    for verb in (["open"], ["pay", "--amount", "2.00", "--qr"]):
        assert cannot.run(*verb).code == 73
    packed = cannot.run("diagnostics", str(tmp_path / "d.zip"))
    assert packed.code == 1
    assert "no till of this account has left anything" in packed.err
    assert (tmp_path / "d.zip").exists()


def test_a_journal_of_another_version_is_told(own: Till) -> None:
    """A newer till's is a problem and left as it is; an older one's next start is told."""
    assert own.run("pay", "--amount", "2.00", "--qr", "--give-up-after", "1").code in (1, 4)
    journal = data_of(own) / "journal.sqlite"
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 92}")
    before = journal.read_bytes()
    done = own.run("doctor")
    verdict, text = said(done)["journal"]
    assert (done.code, verdict) == (73, "problem")
    assert (
        f"written by a newer till (journal {len(MIGRATIONS) + 92}; this one reads up to {len(MIGRATIONS)})"
        in text
    )
    assert "open payments" not in said(done), "whether any is open nobody knows"
    pays = own.run("pay", "--amount", "2.00", "--qr")
    assert (pays.code, "Nothing was changed" in pays.err) == (73, True)
    assert journal.read_bytes() == before
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA user_version = 3")
    assert said(own.run("doctor"))["journal"] == (
        "warning",
        "written by an older till (journal 3); the next start keeps a copy and goes on in it",
    )


def test_a_long_sms_is_a_note_and_a_command_s_arguments_are_not_shown(own: Till) -> None:
    change(
        own, "--config", "counter_id = 1\n", 'counter_id = 1\ntoken_command = ["/bin/x", "--key=canary-9"]\n'
    )
    with Path(own.common[1]).open("a") as file:
        file.write('[otp]\nmessage = "{{code}} ' + "long " * 40 + '"\n')
    done = own.run("doctor")
    assert said(done)["sign-in SMS"][0] == "warning"
    assert said(done)["gateway.token_command"][1].startswith("['/bin/x', '…']")
    assert "canary-9" not in done.out + done.err


def test_secrets_left_in_a_file_beside_a_key_store_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keystore, "available", lambda: "Wallet")
    own = str(paths.user_secrets_file())
    assert machine.key_store_finding(own).verdict == "warning"
    assert machine.key_store_finding("key store").verdict == "ok"


def test_a_printer_that_is_there_and_one_that_is_not_are_told(sandbox: Sandbox, own: Till) -> None:
    assert sandbox.details
    own.environment |= PATIENT
    assert said(own.run("doctor"))["printer"] == ("ok", "none: receipts are not printed")
    virtual = VirtualPrinter()
    server = PrinterServer(virtual)
    server.start()
    try:
        printer = f'[printer]\nkind = "network"\nhost = "127.0.0.1"\nport = {server.port}\n'
        change(own, "--config", "[shop]", f"{printer}\n[shop]")
        assert said(own.run("doctor"))["printer"] == (
            "ok",
            "network: ready, as far as it tells; paper of 80 mm",
        )
        virtual.switches.rows_left = 0
        assert said(own.run("doctor"))["printer"] == ("warning", "network: it has no paper")
    finally:
        server.stop()
    verdict, text = said(own.run("doctor"))["printer"]
    assert (verdict, "cannot be reached" in text) == ("warning", True)
    assert virtual.sheets == (), "looking prints nothing"


def test_a_machine_without_letters_for_a_script_is_told(own: Till, tmp_path: Path) -> None:
    """As fontconfig knows it: a folder with one font, which has the letters of one script."""
    assert said(own.run("doctor"))["fonts"] == ("ok", "there are letters for en, si, ta, ar")
    sinhala = next(Path("/usr/share/fonts").rglob("NotoSansSinhala-Regular.*"))
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    (fonts / sinhala.name).write_bytes(sinhala.read_bytes())
    settings = tmp_path / "fonts.conf"
    settings.write_text(
        f"<fontconfig><dir>{fonts}</dir><cachedir>{tmp_path / 'cache'}</cachedir></fontconfig>"
    )
    poor = Till(own.common, own.environment | {"FONTCONFIG_FILE": str(settings)})
    verdict, text = said(poor.run("doctor"))["fonts"]
    assert verdict == "warning"
    assert "letters of en, the language of the receipts; ta; ar:" in text
    in_tamil = Till(poor.common, poor.environment | {"POS_APP_CUSTOMER_DISPLAY_LANGUAGE": "ta"})
    assert "letters of en; ta, the language of the receipts; ar:" in said(in_tamil.run("doctor"))["fonts"][1]


@pytest.mark.parametrize(("hours", "verdict"), [(1, "ok"), (30, "warning")])
def test_a_day_that_nobody_closed_is_told(hours: int, verdict: str) -> None:
    """By the hour of its money, as the window's banner."""
    sold = hour_of((datetime.now().astimezone() - timedelta(hours=hours)).isoformat(timespec="milliseconds"))
    day = {"last_z": 0, "business_date": "", "interrupted": False, "open_since": sold, "sold_last": sold}
    cutoff = (datetime.now() - timedelta(hours=2)).time() if hours == 1 else time(4)
    found = day_finding(day, cutoff)
    assert (found.verdict, sold in found.text) == (verdict, True)


LOG_IN = http_reply(b"<html>Please log in</html>", headers=b"Content-Type: text/html\r\n")


@pytest.mark.parametrize(
    ("play", "says"),
    [
        (LOG_IN, "unreadable (HTTP 200): not JSON but text/html: <html>Please log in</html>"),
        (
            http_reply(b"<html>Bad gateway</html>", "502 X"),
            "http status (HTTP 502): <html>Bad gateway</html>",
        ),
        (
            http_reply(b"", "302 X", b"Location: http://log.in/\r\n"),
            "redirect (HTTP 302): a redirect (302) is",
        ),
    ],
    ids=["log-in page", "page of a gateway", "redirect"],
)
def test_whatever_answers_in_the_service_s_place_is_told_by_what_it_said(
    play: bytes, says: str, sandbox: Sandbox, own: Till
) -> None:
    with RawServer() as server:
        server.play = answers(play)
        change(own, "--config", sandbox.base_url, server.url)
        done = own.run("doctor")
    assert done.code == 69
    verdict, text = said(done)["connection"]
    assert verdict == "problem"
    assert f"{server.url}: {says}" in text


@pytest.mark.parametrize(
    ("play", "says"),
    [
        (http_reply(b"", "401 X"), "UNAUTHENTICATED (HTTP 401): renew its access token"),
        (http_reply(b"", "503 X"), "UNAVAILABLE (HTTP 503): try again later"),
        (
            http_reply(b"<h1>nginx</h1>", "404 X", b"Content-Type: text/html\r\n"),
            "what answered is no SMS service (HTTP 404)",
        ),
        (LOG_IN, "unreadable (HTTP 200): not JSON but text/html"),
    ],
    ids=["its token has run out", "out of order", "another web server", "log-in page"],
)
def test_an_sms_service_that_lets_nobody_sign_in_is_told_and_no_sms_is_sent(
    play: bytes, says: str, own: Till
) -> None:
    """Payments go on: of all the rest there was nothing to say."""
    with RawServer() as server:
        server.play = answers(play)
        change(own, "--config", "counter_id = 1\n", f'counter_id = 1\notp_base_url = "{server.url}"\n')
        done = own.run("doctor")
        assert [b"/submit-code " in each for each in server.requests] == [True]
    found = said(done)
    assert done.code == 69
    assert found["connection"][0] == found["token"][0] == "ok"
    verdict, text = found["SMS service"]
    assert verdict == "problem"
    assert f"{server.url}: {says}" in text


def test_a_certificate_that_is_not_believed_is_told_with_what_is_wrong_with_it(
    sandbox: Sandbox, own: Till, tmp_path: Path
) -> None:
    old = make("old", hosts=("127.0.0.1",), begins=NOW - 3 * DAY, ends=NOW - DAY)
    (tmp_path / "ca.pem").write_bytes(old.pem())
    with RawServer(server_context(tmp_path, old)) as server:
        change(own, "--config", sandbox.base_url, server.url)
        change(own, "--config", 'ca_file = ""', f'ca_file = "{tmp_path}/ca.pem"')
        done = own.run("doctor")
    verdict, text = said(done)["connection"]
    assert verdict == "problem"
    assert "certificate has expired" in text
    assert "is the clock right?" in text
    assert server.heard == b""


def test_a_token_that_the_till_cannot_have_is_no_answer_of_the_service(own: Till, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("one")
    file.chmod(0o604)
    change(
        own,
        "--config",
        "counter_id = 1\n",
        f'counter_id = 1\ntoken_provider = "file"\ntoken_file = "{file}"\n',
    )
    done = own.run("doctor")
    found = said(done)
    assert "connection" not in found, "nobody was asked"
    assert found["token"][0] == "problem"
    assert found["token"][1].startswith("the token file is open to other users of this machine")


def test_a_token_server_that_is_away_is_named(own: Till) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/token"
        change(
            own,
            "--config",
            "counter_id = 1\n",
            f'counter_id = 1\ntoken_provider = "oauth2"\ntoken_url = "{url}"\ntoken_client_id = "till"\n',
        )
        done = own.run("doctor")
    verdict, text = said(done)["connection"]
    assert verdict == "problem"
    assert "no connection: the token server: " in text


def test_a_proxy_that_the_machine_is_set_to_use_is_named_as_one_that_the_till_does_not(
    sandbox: Sandbox, own: Till
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        change(own, "--config", sandbox.base_url, f"http://127.0.0.1:{taken.getsockname()[1]}")
        done = Till(own.common, {"HTTPS_PROXY": "http://user:hidden@127.0.0.1:9"}).run("doctor")
    assert "this machine is set to use a proxy, and the till goes by none" in said(done)["connection"][1]
    assert "hidden" not in done.out + done.err
