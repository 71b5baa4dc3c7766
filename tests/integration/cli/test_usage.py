"""A line that cannot be carried out: exit code 2, a usage line, what is wrong; nothing on standard output."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pos_app.cli.main import VERBS, main
from tests.integration.cli.till import Till, bare

Refusal = Callable[..., str]
CONFIG = """\
[gateway]
environment = "sandbox"
base_url = "http://127.0.0.1:1"
merchant_pg_identifier = "M-1"
counter_id = 1
[shop]
name = "Shop"
currency = "LKR"
country = "LK"
"""


def wide(text: str) -> str:
    """The same in full-width signs, which int and Decimal would take."""
    return "".join(chr(ord(sign) + 0xFEE0) for sign in text)


PAY = ["pay", "--amount", "1.00", "--qr"]


@pytest.fixture
def refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Refusal:
    """What the line is refused with; nothing listens at its service, and no journal may be left behind."""
    config, secrets = tmp_path / "config.toml", tmp_path / "secrets.toml"
    config.write_text(CONFIG)
    secrets.write_text('access_token = "a"\nmerchant_secret_code = "b"\nmerchant_password = "c"\n')
    secrets.chmod(0o600)
    common = ["--config", str(config), "--secrets-file", str(secrets), "--data-dir", str(tmp_path / "data")]

    def refused(*line: str, add_common: bool = True) -> str:
        try:
            code = main([*line, *(common if add_common else [])])
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        assert code == 2, said.err
        assert said.out == ""
        assert said.err.startswith("usage: pos-app")
        assert "Traceback" not in said.err
        assert not any((tmp_path / "data").glob("**/journal*")), "nothing is journaled"
        return said.err

    return refused


@pytest.mark.parametrize(
    "amount",
    [
        *("0", "0.00", "-1", "+5", "NaN", "Infinity", "12,345", "1.005", "1_000", "0x10", "1e3", "12.50.1"),
        *("\u0661\u0662\u0663", wide("12"), "\u00b2", "10\u00a0000", "10 000", "", " "),
        *("1000000000000", "1000000.00"),
    ],
)
def test_an_amount_that_is_none_is_told_its_limits(refusal: Refusal, amount: str) -> None:
    said = refusal("pay", f"--amount={amount}", "--qr")
    assert "--amount: enter an amount between 0.01 and 999999.99, for example 12.50" in said


@pytest.mark.parametrize("name", ["", " ", "a" * 41, "Nimali\u202e", "\u200d", "Nim\x00ali"])
def test_a_first_managers_name_that_is_none_is_told_its_limits(refusal: Refusal, name: str) -> None:
    said = refusal("first-manager", name, "+94771234567")
    assert "NAME: enter a name of 1 to 40 letters, for example Nimali Perera" in said


def test_the_limits_of_an_amount_are_its_currencys_and_can_be_typed(refusal: Refusal, tmp_path: Path) -> None:
    """The most was told with a fraction that yen have not."""
    (tmp_path / "config.toml").write_text(CONFIG.replace('"LKR"', '"JPY"'))
    said = refusal("pay", "--amount", "12.5", "--qr")
    assert "--amount: enter an amount between 1 and 999999, for example 12\n" in said
    (tmp_path / "config.toml").write_text(CONFIG.replace('"LKR"', '"LKR"\nmax_amount = 10'))
    said = refusal("pay", "--amount", "11", "--qr")
    assert "--amount: enter an amount between 0.01 and 10.00, for example 10.00\n" in said


@pytest.mark.parametrize(
    "number",
    [
        *("", "+", "++94771234567", "+94abc", "tel:+94771234567", "123456", "+1234567890123456"),
        *(wide("+94771234567"), "=cmd|' /C calc'!A0", "+94771234567 +94771234568"),
    ],
)
def test_a_number_that_is_none_is_shown_one(refusal: Refusal, number: str) -> None:
    said = refusal("pay", "--amount", "1.00", f"--push={number}")
    assert "--push: enter a mobile number, for example 071 234 5678" in said


def test_a_manager_s_name_with_joined_letters_is_one(refusal: Refusal) -> None:
    """The window takes it; of this line its owner was told to enter a name."""
    said = refusal("first-manager", "ප්\u200dරියන්ත පෙරේරා", "12")
    assert "NUMBER: enter a mobile number" in said
    assert "NAME: enter a name" in refusal("first-manager", "Ama\u200dra", "12")


@pytest.mark.parametrize("option", ["--invoice", "--reference"])
@pytest.mark.parametrize("text", ["x" * 41, "x" * 5000, "a\tb", "👩‍🍳", "<b>PAID</b>", "\x1b@", "   ", ""])
def test_a_text_with_other_signs_is_told_which_are_allowed(refusal: Refusal, option: str, text: str) -> None:
    assert "use up to 40 letters, digits, space, - / ." in refusal(*PAY, f"{option}={text}")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["pay", "--qr"], "--amount"),
        (["pay", "--amount", "1.00"], "one of the arguments --qr --push is required"),
        ([*PAY, "--push", "+94771234567"], "not allowed with argument"),
        ([*PAY, "--amount", "2.00"], "--amount is given twice"),
        ([*PAY, "--qr"], "--qr is given twice"),
        ([*PAY, "--give-up-after"], "expected one argument"),
        ([*PAY, "--give-up-after", "0"], "is no time"),
        ([*PAY, "--give-up-after", "-1"], "is no time"),
        ([*PAY, "--give-up-after", "1e9"], "is no time"),
        ([*PAY, "--give-up-after", "nan"], "is no time"),
        ([*PAY, "--give-up-after", "86401"], "is no time"),
        ([*PAY, "--customer", "approve"], "--customer needs --sandbox"),
        ([*PAY, "--sandbox", "--customer", "steal"], "invalid choice"),
        ([*PAY, "--give-up", "5"], "unrecognized arguments"),
        ([*PAY, "extra"], "unrecognized arguments"),
        (["open", "--resolve", "soon"], "is no time"),
        (["open", "--continue"], "expected one argument"),
        (["status"], "ID"),
        (["status", "two words"], "is no id"),
        (["status", "\udcff\udcfe"], "is no id"),
        (["cancel"], "ID"),
        (["transactions", "--from", "2026-02-30"], "is no date"),
        (["transactions", "--to", "tomorrow"], "is no date"),
        (["transactions", "--from", "0001-01-01"], "is no date"),
        (["transactions", "--to", "2099-01-01"], "they lie in the years 2000 to 2098"),
        (
            ["transactions", "--from", "2026-03-02", "--to", "2026-03-01"],
            "--from: 2026-03-02 00:00:00 is after 2026-03-01 23:59:59",
        ),
        (["transactions", "--local", "--from", "2026-03-02", "--to", "2026-03-01"], "is after 2026-03-01"),
        (["reconcile", "--from", "0202-03-01", "--to", "2026-03-01"], "they lie in the years 2000 to 2098"),
        (["reconcile", "--from", "2026-03-01", "--to", "9999-12-31"], "they lie in the years 2000 to 2098"),
        (["transactions", "--page-start", "x"], "is no whole number"),
        (["transactions", "--counter", "-1"], "is no whole number"),
        (["transactions", "--local", "--outlet", "1"], "leave out --local"),
        (["otp"], "send|submit"),
        (["otp", "send"], "NUMBER"),
        (["otp", "send", "12"], "NUMBER: enter a mobile number, for example 071 234 5678"),
        (["otp", "send", "071234567"], "NUMBER: 1 digit is missing: 071 234 567_"),
        (["pay", "--amount", "1.00", "--push", "071234567"], "--push: 1 digit is missing: 071 234 567_"),
        (["otp", "submit", "ref", "12345"], "CODE: "),
        (["otp", "submit", "ref", wide("123456")], "CODE: "),
        (["diagnostics", "text.txt"], "is no name of a zip file"),
        (["diagnostics", "a.zip", "b.zip"], "unrecognized arguments"),
        (["export", "csv", ""], "FILE: a file or folder is needed"),
        (["export", "csv", "-"], "FILE: it writes a file and no stream"),
        (["receipt", "0001", "--pdf", ""], "--pdf: a file or folder is needed"),
        (["receipt", "0001", "--escpos", "-"], "--escpos: it writes a file and no stream"),
        (["store", "export", "csv", "-"], "FILE: it writes a file and no stream"),
        (["open", "--language", "../x"], "is no language"),
        (["open", "--log-level", "all"], "invalid choice"),
        (["open", "--jsn"], "unrecognized arguments"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else "",
)
def test_what_cannot_be_asked_is_named(refusal: Refusal, line: list[str], said: str) -> None:
    assert said in refusal(*line)


@pytest.mark.parametrize("verb", sorted({*VERBS} - {"sandbox"}))
def test_a_common_option_twice_is_a_mistake_wherever_the_two_stand(refusal: Refusal, verb: str) -> None:
    for line in (["--json", "--json", verb], ["--json", verb, "--json"], [verb, "--json", "--json"]):
        assert "--json is given twice" in refusal(*line, add_common=False)


@pytest.mark.parametrize(
    "option",
    [
        *("--secret", "--password", "--token", "--access-token", "--secret-code", "--merchant-secret-code"),
        *("--merchant_secret_code", "--merchant-password", "--otp-access-token", "--token-client-secret"),
        *("--Secret", "-secret", "--secrets", "--passcode", "--pin", "--x-merchant-psw", "--api-key"),
    ],
)
def test_a_secret_on_the_line_is_refused_and_not_repeated(refusal: Refusal, option: str) -> None:
    for line in ([option, "canary-x7"], [f"{option}=canary-x7"]):
        for place in ([*line, *PAY], [*PAY, *line]):
            said = refusal(*place)
            assert "would be visible to others; use --secrets-file FILE" in said
            assert "canary-x7" not in said


def test_a_secret_before_any_verb_is_refused_by_a_process_too() -> None:
    for line in (["--password=canary-x7"], ["--token", "canary-x7", "open"]):
        done = bare(*line)
        assert (done.code, done.out) == (2, "")
        assert "would be visible to others; use --secrets-file" in done.err
        assert "canary-x7" not in done.err


@pytest.mark.parametrize(
    "line",
    [
        ["--data-dir", "", "open"],
        ["open", "--data-dir="],
        ["--data-dir=~no-such-user/x", "open"],
        ["sandbox", "--port", "-1"],
        ["sandbox", "--port", "70000"],
        ["sandbox", "--port", "abc"],
        ["sandbox", "--port", "0", "--port", "1"],
        ["sandbox", "--sandbox"],
        ["--sandbox", "sandbox"],
        ["sandbox", "--data-dir", ""],
    ],
    ids=" ".join,
)
def test_folders_and_ports(refusal: Refusal, line: list[str]) -> None:
    refusal(*line, add_common=False)


def test_keys_and_verbs_of_later_versions_are_not_there_yet(refusal: Refusal) -> None:
    refusal("papers", add_common=False)
    assert "papers" not in bare("--help").out.split()


def test_a_till_alone_on_its_screen_is_no_verbs(refusal: Refusal) -> None:
    refusal("--kiosk", "open", add_common=False)


def test_a_payment_nobody_knows_is_said_to_be_none(till: Till) -> None:
    for line in (["cancel", "SBX-NOBODY-0001-1"], ["open", "--continue", "SBX-NOBODY-0001-1"]):
        done = till.run(*line)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("usage: pos-app")
        assert "SBX-NOBODY-0001-1 is no" in done.err


def test_bytes_of_another_locale_end_in_words() -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for line in ((b"status", b"\xff\xfe"), (b"pay", b"--amount", b"\xe9", b"--qr", b"\xff")):
        done = bare(*line, environment=ascii_only)
        assert (done.code, done.out) == (2, "")
        assert "usage: pos-app" in done.err
        assert "Traceback" not in done.err
