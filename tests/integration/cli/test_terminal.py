"""At the command line: codes as blocks and in a file, our words, headings, what to do next, what completes a line."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from signal import SIGTERM

import pytest
import zxingcpp
from PIL import Image

from pos_app.cli.grammar import Command, described
from pos_app.cli.main import VERBS, parser
from pos_app.cli.table import cells_of
from pos_app.journal.schema import MIGRATIONS
from pos_app.settings.model import KEYS
from tests.integration.cli.test_output import picture
from tests.integration.cli.till import Till, bare
from tests.support.forked import REPOSITORY
from tests.support.sandbox import Sandbox

ROW = re.compile(r"\x1b\[30;107m([█▀▄ ]+)\x1b\[0m")
NUMBER = "+94771237788"


def own(folder: Path, **variables: str) -> Till:
    """A till on a sandbox of its own."""
    return Till(["--sandbox", "--data-dir", str(folder)], variables)


class TestCodes:
    """`pay --qr`."""

    def test_a_code_is_drawn_into_a_pipe_too(self, till: Till, sandbox: Sandbox) -> None:
        """At the other end of tee or ssh stands a terminal: it saw a code as one word, "Waiting"."""
        running = till.start_saying("pay", "--amount", "7.25", "--qr")
        running.says("\x1b[30;107m")
        rows = running.until_lines(lambda lines: _whole(ROW.findall("".join(lines))))
        (code,) = zxingcpp.read_barcodes(picture(rows))
        sandbox.scan(code.text, then="reject")
        assert running.end().code == 1

    def test_without_colours_where_nobody_wants_them(self, till: Till) -> None:
        till.environment["NO_COLOR"] = "1"
        done = till.say("pay", "--amount", "7.30", "--qr", "--give-up-after", "1")
        assert done.code in (1, 4)
        assert "▀" in done.out
        assert "\x1b" not in done.out

    def test_a_file_has_the_code_while_it_can_be_scanned(
        self, till: Till, sandbox: Sandbox, tmp_path: Path
    ) -> None:
        shown = tmp_path / "code.png"
        shown.write_bytes(b"of an earlier run")
        running = till.start("pay", "--amount", "7.40", "--qr", "--qr-file", str(shown))
        waiting = running.state("WAITING")
        with Image.open(shown) as image:
            (code,) = zxingcpp.read_barcodes(image)
        assert code.text == waiting["qr_text"]
        sandbox.scan(code.text, then="reject")
        assert running.end().code == 1
        assert not shown.exists(), "a code that nobody can pay any more is shown to nobody"

    @pytest.mark.parametrize(
        ("line", "code", "said"),
        [
            (["--qr", "--qr-file", "/nowhere/code.png"], 73, "/nowhere is no folder that can be written"),
            (["--qr", "--qr-file", "code.jpg"], 2, "is no name of a picture"),
            (["--push", NUMBER, "--qr-file", "code.png"], 2, "--qr-file needs --qr"),
        ],
    )
    def test_a_file_that_cannot_be_is_said_before_anything_is_sent(
        self, till: Till, sandbox: Sandbox, line: list[str], code: int, said: str
    ) -> None:
        before = sandbox.transactions()
        done = till.run("pay", "--amount", "7.50", *line)
        assert (done.code, done.out) == (code, "")
        assert said in done.err
        assert sandbox.transactions() == before


def _whole(rows: list[str]) -> list[str]:
    return rows if rows and len(rows) * 2 >= len(rows[0]) else []


class TestWords:
    """Lists and lines for people."""

    def test_no_word_of_the_services_and_each_amount_with_its_currency(self, till: Till) -> None:
        attempt_id = till.run("pay", "--amount", "1250", "--push", NUMBER, "--give-up-after", "1").last[
            "attempt_id"
        ]
        listed = till.say("transactions", "--id", attempt_id).out.splitlines()
        assert listed[0].split("  ")[0] == "Time"
        assert "The service says" in listed[0]
        (row,) = listed[1:]
        assert "LKR 1,250.00  Cancelled " in row
        assert NUMBER not in row
        assert row.index(attempt_id) == listed[0].index("Payment id")
        local = till.say("transactions", "--local", "--id", attempt_id).out.splitlines()
        assert [each.split("  ")[0] for each in local[:1]] == ["Time"]
        assert "LKR 1,250.00" in local[1]
        asked = till.say("status", attempt_id).out
        assert asked == f"{attempt_id}: the service says: Cancelled. This till: Cancelled.\n"
        names = ("Merchant Cancel", "Merchant Initiated", "Payment Success")
        assert not any(name in "".join([*listed, *local, asked]) for name in names)

    def test_a_running_payment_says_how_far_it_is_in_our_words(self, till: Till, sandbox: Sandbox) -> None:
        running = till.start_saying("pay", "--amount", "8", "--push", NUMBER)
        running.says("Waiting")
        sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "verify")
        running.says("Waiting · Scanned or opened")
        sandbox.act(sandbox.transactions()[0]["externalMerchantTransactionId"], "reject")
        assert "Merchant" not in running.end().out

    def test_lists_are_in_the_language_that_was_asked_for(self, till: Till) -> None:
        assert till.run("pay", "--amount", "9", "--push", NUMBER, "--give-up-after", "1").code == 1
        heading = till.say("--language", "ta", "transactions", "--local").out.splitlines()[0]
        assert heading.startswith("நேரம்")

    def test_an_empty_list_says_so_to_people_alone(self, tmp_path: Path) -> None:
        fresh = own(tmp_path / "fresh")
        for verb in (("open",), ("open", "--resolve", "1")):
            assert fresh.say(*verb).out == "Nothing is open, and nothing needs an answer.\n"
        for asked in (["transactions"], ["transactions", "--local"]):
            assert fresh.say(*asked).out == "No payments in this list.\n"
            assert fresh.run(*asked).out == ""

    def test_a_vowel_sign_takes_no_cell_of_its_own(self) -> None:
        assert [cells_of(text) for text in ("Paid", "කි", "日本", "")] == [4, 1, 4, 0]


class TestWhatToDo:
    """Set-up, verbs, version."""

    def test_before_the_set_up_it_is_said_what_to_do(self, tmp_path: Path) -> None:
        home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "POS_APP_WINDOW_THEME": "dark"}
        done = Till(["--data-dir", str(tmp_path / "data")], home).say("open")
        assert (done.code, done.out) == (78, "")
        assert "this till is not set up yet: start pos-app" in done.err
        assert "--config FILE" in done.err
        assert "--sandbox" in done.err

    @pytest.mark.parametrize(
        ("typed", "meant"),
        [
            ("opne", "did you mean open?"),
            ("transaction", "did you mean transactions?"),
            ("x", "--help lists them"),
        ],
    )
    def test_a_mistyped_verb_is_told_what_was_meant(self, typed: str, meant: str) -> None:
        done = bare(typed)
        assert (done.code, done.out) == (2, "")
        assert done.err.splitlines()[-1].endswith(f"invalid choice: '{typed}'; {meant}")

    def test_it_says_its_version(self) -> None:
        done = bare("--version")
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"pos-app {importlib.metadata.version('pos-app')} (")
        assert done.out.endswith(f"journal {len(MIGRATIONS)})\n")
        qt = importlib.metadata.version("PySide6-Essentials")
        assert f"CPython {platform.python_version()}, Qt {qt}" in done.out


class TestSandboxSettings:
    """A file of the window's alone, and variables, hold with --sandbox."""

    def test_a_file_without_a_counter_is_enough(self, tmp_path: Path) -> None:
        config = tmp_path / "window.toml"
        config.write_text('[window]\ntheme = "dark"\n')
        till = own(tmp_path / "data", POS_APP_WINDOW_TEXT_PERCENT="150", POS_APP_GATEWAY_COUNTER_ID="9")
        found = {each["about"]: each["text"] for each in till.run("doctor", "--config", str(config)).objects}
        assert found["window.theme"] == f"'dark' from {config} line 2"
        assert found["window.text_percent"] == "150 from POS_APP_WINDOW_TEXT_PERCENT"
        assert found["gateway.counter_id"] == "1 from sandbox"
        assert found["shop.currency"] == "'LKR' from sandbox"

    def test_a_live_tills_own_file_lends_its_shop_and_nothing_of_its_service(self, tmp_path: Path) -> None:
        config = tmp_path / "live.toml"
        config.write_text(
            '[gateway]\nbase_url = "https://gateway.example"\notp_base_url = "https://otp.example"\n'
            'token_provider = "file"\n[shop]\nname = "Real Shop"\ncurrency = "BDT"\ncountry = "BD"\n'
        )
        till = own(tmp_path / "data")
        found = {each["about"]: each["text"] for each in till.run("doctor", "--config", str(config)).objects}
        assert found["shop.currency"].startswith("'BDT' from ")
        assert found["shop.name"] == "'Corner Shop' from sandbox"
        assert found["gateway.otp_base_url"] == "'' from default"
        assert found["gateway.token_provider"] == "'static' from default"

    def test_what_is_wrong_with_it_is_said(self, tmp_path: Path) -> None:
        done = own(tmp_path / "data", POS_APP_WINDOW_THEME="purple").say("open", "--resolve", "1")
        assert (done.code, done.out) == (78, "")
        assert "POS_APP_WINDOW_THEME: window.theme must be one of system, light, dark" in done.err


class TestSandbox:
    """`pos-app sandbox` for a person."""

    def test_it_shows_the_codes_that_it_sends_to_nobody_and_no_secret(self, tmp_path: Path) -> None:
        config = tmp_path / "till"
        running = Till([]).start_saying("sandbox", "--write-config", str(config))
        running.says("listen on http://127.0.0.1:")
        till = Till(
            [
                *("--config", str(config / "config.toml"), "--secrets-file", str(config / "secrets.toml")),
                *("--data-dir", str(tmp_path / "data")),
            ]
        )
        sent = till.run("otp", "send", NUMBER)
        running.says("SMS to ...788: ")
        code = re.search(r"SMS to \.\.\.788: ([0-9]{6})\n", "".join(running.lines))
        assert code is not None
        assert till.run("otp", "submit", sent.last["server_ref"], code[1]).code == 0
        done = running.send(SIGTERM).end()
        assert "sbx_s3cr3t_" not in done.out
        assert NUMBER.lstrip("+") not in done.out

    def test_as_json_its_secrets_stand_there_when_they_are_asked_for_alone(self) -> None:
        shut = Till([]).start("sandbox")
        first = shut.until(lambda said: "base_url" in said)
        shut.send(SIGTERM).end()
        assert "control_token" not in first
        assert "sbx_s3cr3t_" not in json.dumps(first)
        told = Till([]).start("sandbox", "--reveal")
        assert "control_token" in told.until(lambda said: "base_url" in said)
        told.send(SIGTERM).end()

    def test_a_till_on_its_own_sandbox_is_told_its_code(self, tmp_path: Path) -> None:
        done = own(tmp_path).say("otp", "send", NUMBER)
        assert done.code == 0
        assert re.search(r"SMS to \.\.\.788: [0-9]{6}\n", done.err)


def test_a_code_that_is_not_sent_has_not_expired(sandbox: Sandbox, till: Till) -> None:
    """At an address without an SMS service "code expired" was said of a code that nobody had sent."""
    sandbox.fault(
        "status", "validate_code", status=404, text="<h1>404 Not Found</h1>", content_type="text/html"
    )
    done = till.say("otp", "send", NUMBER)
    assert (done.code, done.out) == (1, "")
    assert "did not understand this till" in done.err
    sandbox.fault("status", "submit_code", status=503)
    done = till.say("otp", "submit", "0" * 32, "123456")
    assert done.code == 69
    assert "could not be checked" in done.err


def test_the_doctor_says_first_what_is_wrong_and_settings_when_asked(till: Till, sandbox: Sandbox) -> None:
    sandbox.fault("token_expired", "query", count=1)
    done = till.say("doctor")
    marks = [line.split()[0] for line in done.out.splitlines()[:-1]]
    assert marks == sorted(marks, key=["PROBLEM", "note", "ok"].index)
    assert (done.code, marks[0]) == (69, "PROBLEM")
    assert not any(key.name + ":" in done.out for key in KEYS)
    assert re.fullmatch(
        rf"1 to put right, [0-9]+ to know of. --all shows {len(KEYS)} settings, too\.",
        done.out.splitlines()[-1],
    )
    everything = till.say("doctor", "--all").out
    assert all(f"{key.name}: " in everything for key in KEYS)


def _all(command: Command) -> list[Command]:
    return [command, *(each for verb in command.verbs for each in _all(verb))]


@pytest.fixture(scope="module")
def everything() -> list[Command]:
    """The line without a verb, and every verb."""
    return _all(described(parser()))


def test_every_option_says_what_it_is_for(everything: list[Command]) -> None:
    """It stands in the manual page with these words."""
    mute = [
        (command.path, option.names)
        for command in everything
        for option in (*command.options, *command.common)
        if not option.says
    ]
    assert mute == []


def test_the_manual_page_has_every_verb_option_and_setting(everything: list[Command], tmp_path: Path) -> None:
    done = bare("man")
    assert (done.code, done.err) == (0, "")
    page = done.out.replace("\\-", "-")
    for command in everything:
        assert not command.path or command.verbs or f".SS {command.path}" in page
        for option in command.options:
            assert all(name in page for name in option.names if name not in ("-h", "--help"))
    assert all(f"\\fB{key.name}\\fR" in page for key in KEYS)
    file = tmp_path / "pos-app.1"
    file.write_text(done.out)
    # The typesetter itself finds nothing to complain of.
    set_ = subprocess.run(
        ["groff", "-ww", "-man", "-Tutf8", str(file)], capture_output=True, text=True, check=True, timeout=60
    )
    assert set_.stderr == ""
    assert "takes a payment without a window" in " ".join(set_.stdout.split())


COMPLETED = [
    (["op"], "open"),
    (["pay", "--cust"], "--customer"),
    (["pay", "--customer", ""], "approve reject ignore late"),
    (["--data-dir", "pay", "doc"], "doctor"),
    (["--log-level", "d"], "debug"),
    (["otp", "s"], "send submit"),
    (["status", "SBX-1", "--js"], "--json"),
    (["pay", "--amount", ""], ""),
]


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What bash reads."""
    done = bare("completion")
    assert (done.code, done.err) == (0, "")
    file = tmp_path_factory.mktemp("completion") / "pos-app"
    file.write_text(done.out)
    return file


def completed(script: Path, *words: str) -> list[str]:
    """What bash would offer for the last of these words."""
    asked = f'source "$0"; COMP_WORDS=(pos-app "$@"); COMP_CWORD={len(words)}; _pos_app'
    tells = asked + '; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", tells, str(script), *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=REPOSITORY,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"), COMPLETED, ids=lambda part: " ".join(part) if isinstance(part, list) else ""
)
def test_a_shell_completes(script: Path, words: list[str], offered: str) -> None:
    assert completed(script, *words) == offered.split()


def test_a_shell_completes_every_verb_and_every_option_of_each(
    script: Path, everything: list[Command]
) -> None:
    assert set(VERBS) <= set(completed(script, ""))
    for command in everything:
        wanted = {name for option in (*command.options, *command.common) for name in option.names}
        offered = set(completed(script, *command.path.split(), "-"))
        assert offered == wanted, command.path
    assert "docs/" not in completed(script, "--config", "doc")
    assert "docs" in completed(script, "--data-dir", "doc")


def completed_by_zsh(script: Path, *words: str) -> list[str]:
    """What zsh would offer: its own functions say what they were given instead of drawing it."""
    tells = """
        compdef() { : }
        compadd() { shift; print -l -- "$@" }
        _message() { : }
        _files() { if [[ $1 == -/ ]]; then print -l -- *(N/); else print -l -- *(N); fi }
        _describe() { [[ $1 == -o ]] && shift; print -l -- ${${(P)2}%%:*} }
        source "$0"; words=(pos-app "$@"); CURRENT=$#words; _pos_app
    """
    done = subprocess.run(
        ["zsh", "-f", "-c", tells, str(script), *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=REPOSITORY,
    )
    assert done.stderr == ""
    return [each for each in done.stdout.split() if each.startswith(words[-1])]


def completed_by_fish(script: Path, *words: str) -> list[str]:
    """What fish offers for the last of these words; beside them fish 4 offers what has the letters further inside."""
    asked = f"source {script}; complete -C {shlex.quote(' '.join(['pos-app', *words]))}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", asked],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=REPOSITORY,
    )
    assert done.stderr == ""
    offered = [line.partition("\t")[0] for line in done.stdout.splitlines()]
    return [each for each in offered if each.startswith(words[-1])]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_complete_as_bash_does(shell: str, everything: list[Command], tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: its completion is made here, and not tried")
    done = bare("completion", shell)
    assert (done.code, done.err) == (0, "")
    script = tmp_path / shell
    script.write_text(done.out)
    asks = completed_by_zsh if shell == "zsh" else completed_by_fish
    for words, offered in COMPLETED:
        found = asks(script, *words)
        # fish orders by itself.
        assert sorted(found) == sorted(offered.split()), words
    assert set(VERBS) <= set(asks(script, ""))
    for command in everything:
        wanted = {name for option in (*command.options, *command.common) for name in option.names}
        offered_options = {
            *asks(script, *command.path.split(), "-"),
            *asks(script, *command.path.split(), "--"),
        }
        assert offered_options == wanted, command.path
    assert {each.rstrip("/") for each in asks(script, "--config", "REA")} == {"README.md"}
    assert {each.rstrip("/") for each in asks(script, "--data-dir", "doc")} == {"docs"}
