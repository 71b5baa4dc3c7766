"""docs/failure-model.md, bad input, group E, item by item: one clear line with file, line, key, example."""

from __future__ import annotations

import contextlib
import os
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.settings import SettingsError, SettingsMissingError, load_settings
from tests.unit.settings.files import LIVE, changed, loaded, refused, with_line

URL = '"https://gateway.example"'

ITEMS = {
    "http in production": (changed(URL, '"http://gateway.example"'), 4, "base_url must be https"),
    "user in the address": (changed(URL, '"https://user:pass@gateway.example"'), 4, "user name or password"),
    "user alone": (changed(URL, '"https://@gateway.example"'), 4, "user name or password"),
    "path with dots": (changed(URL, '"https://gateway.example/a/../b"'), 4, "dots in its path"),
    "path with hidden dots": (changed(URL, '"https://gateway.example/%2e%2e/b"'), 4, "dots in its path"),
    "query": (changed(URL, '"https://gateway.example/?a=1"'), 4, "without query"),
    "empty query": (changed(URL, '"https://gateway.example/?"'), 4, "without query"),
    "fragment": (changed(URL, '"https://gateway.example/#a"'), 4, "without query"),
    "space behind the address": (changed(URL, '"https://gateway.example "'), 4, "without spaces"),
    "space before the address": (changed(URL, '" https://gateway.example"'), 4, "without spaces"),
    "line break in the address": (changed(URL, '"https://gateway.example\\n"'), 4, "without spaces"),
    "look-alike host": (changed(URL, '"https://gat\u0435way.example"'), 4, "plain ASCII"),
    "full-width dot": (changed(URL, '"https://gateway\uff0eexample"'), 4, "plain ASCII"),
    "no host": (changed(URL, '"https://"'), 4, "no web address"),
    "no address": (changed(URL, '"gateway.example"'), 4, "must be https"),
    "backslash": (changed(URL, '"https://gateway.example\\\\evil.example"'), 4, "no web address"),
    "port 0": (changed(URL, '"https://gateway.example:0"'), 4, "no web address"),
    "port too large": (changed(URL, '"https://gateway.example:70000"'), 4, "no web address"),
    "port missing": (changed(URL, '"https://gateway.example:"'), 4, "no web address"),
    "this machine in production": (changed(URL, '"https://127.0.0.1"'), 4, "in live use"),
    "this machine by name": (changed(URL, '"https://localhost"'), 4, "in live use"),
    "this machine in six": (changed(URL, '"https://[::1]"'), 4, "in live use"),
    "this machine as a number": (changed(URL, '"https://2130706433"'), 4, "no web address"),
    "this machine in short": (changed(URL, '"https://127.1"'), 4, "no web address"),
    "this machine in hex": (changed(URL, '"https://0x7f.0.0.1"'), 4, "no web address"),
    "private network": (changed(URL, '"https://192.168.1.5"'), 4, "private network"),
    "sandbox with a real host": (changed('"live"', '"sandbox"'), 4, "must be this machine (127.0.0.1) in sandbox"),
    "unknown environment": (changed('"live"', '"test"'), 3, "environment must be one of live, sandbox"),
    "merchant id empty": (changed('"M-0001"', '""'), 5, "merchant_pg_identifier must be 1 to 64"),
    "merchant id with a line break": (changed('"M-0001"', '"M\\r\\nX: y"'), 5, "must be 1 to 64"),
    "merchant id a number": (changed('"M-0001"', "1"), 5, "must be a text in quotes"),
    "counter a text": (changed("counter_id = 1", 'counter_id = "1"'), 6, "must be a whole number"),
    "counter a boolean": (changed("counter_id = 1", "counter_id = true"), 6, "must be a whole number"),
    "counter 0": (changed("counter_id = 1", "counter_id = 0"), 6, "from 1 to"),
    "counter negative": (changed("counter_id = 1", "counter_id = -1"), 6, "from 1 to"),
    "counter too large": (changed("counter_id = 1", "counter_id = 2147483648"), 6, "from 1 to"),
    "currency unknown": (changed('"LKR"', '"XXX"'), 10, "currency must be a currency's code"),
    "country in words": (changed('"LK"', '"Lanka"'), 11, "country must be two capital letters"),
    "name empty": (changed('"Corner Shop"', '""'), 9, "name must not be empty"),
    "name of spaces": (changed('"Corner Shop"', '"  "'), 9, "name must not be empty"),
    "name with a code's place": (changed('"Corner Shop"', '"A {{code}}"'), 9, "must not contain {{code}}"),
    "header a text": (with_line("receipt", 'header = "12 Galle Road"'), 13, "receipt.header must be a list of texts"),
    "header of five lines": (
        with_line("receipt", 'header = ["a", "b", "c", "d", "e"]'), 13, "receipt.header must be at most 4 lines"
    ),
    "header with an empty line": (with_line("receipt", 'header = ["a", ""]'), 13, "must be a list of texts"),
    "header with a number": (with_line("receipt", 'header = ["a", 1]'), 13, "must be a list of texts"),
    "header too long": (
        with_line("receipt", f'header = ["{"x" * 61}"]'), 13, "receipt.header must be at most 60 characters a line"
    ),
    "header with a bar": (with_line("receipt", 'header = ["a | b"]'), 13, "must not contain |"),
    "header with a control": (with_line("receipt", 'header = ["a\\u0007b"]'), 13, "plain text on one line"),
    "header with an escape": (with_line("receipt", 'header = ["a\\u001b@"]'), 13, "plain text on one line"),
    "header with a line break": (with_line("receipt", 'header = ["a\\nb"]'), 13, "plain text on one line"),
    "footer that turns letters": (with_line("receipt", 'footer = ["a\\u202eb"]'), 13, "plain text on one line"),
    "footer with what nobody sees": (with_line("receipt", 'footer = ["a\\u200bb"]'), 13, "plain text on one line"),
    "footer of spaces": (with_line("receipt", 'footer = ["  "]'), 13, "must not be empty"),
    "tax number too long": (
        with_line("receipt", f'tax_id = "{"1" * 61}"'), 13, "receipt.tax_id must be at most 60 characters a line"
    ),
    "tax number with an escape": (with_line("receipt", 'tax_id = "1\\u001bi"'), 13, "plain text on one line"),
    "cashier in other words": (
        with_line("receipt", 'cashier = "both"'), 13, "receipt.cashier must be one of name, number, none"
    ),
    "letters of another size": (with_line("receipt", "size = 30"), 13, "receipt.size must be 24 or 36"),
    "letters of a size in words": (with_line("receipt", 'size = "large"'), 13, "must be a whole number"),
    "name with a control": (changed('"Corner Shop"', '"A\\u001b[2J"'), 9, "plain text"),
    "time-out 0": (with_line("payment", "give_up_s = 0"), 13, "from 5 to 3600"),
    "time-out -1": (with_line("payment", "give_up_s = -1"), 13, "from 5 to 3600"),
    "time-out 1e9": (with_line("payment", "give_up_s = 1e9"), 13, "give_up_s must be a whole number"),
    "time-out in words": (with_line("payment", 'give_up_s = "5 min"'), 13, "must be a whole number"),
    "time-out a billion": (with_line("payment", "give_up_s = 1000000000"), 13, "from 5 to 3600"),
    "extension -1": (with_line("payment", "extension_s = -1"), 13, "from 0 to 3600"),
    "limit nan": (with_line("shop", "max_amount = nan"), 9, "max_amount must be an amount"),
    "limit inf": (with_line("shop", "max_amount = inf"), 9, "must be an amount"),
    "limit 1e400": (with_line("shop", "max_amount = 1e400"), 9, "above 0 and below"),
    "limit 0": (with_line("shop", "max_amount = 0"), 9, "above 0"),
    "limit below the smallest coin": (
        with_line("shop", "max_amount = 0.009"), 9, "max_amount must not be below the smallest amount, 0.01"
    ),
    "limit below the smallest coin of another currency": (
        with_line("shop", "max_amount = 0.99").replace('"LKR"', '"JPY"'), 9, "smallest amount, 1, for example"
    ),
    "limit a text": (with_line("shop", 'max_amount = "9"'), 9, "must be a number"),
    "message without a place": (with_line("otp", 'message = "Hello"'), 13, "{{code}} exactly once"),
    "message with two": (with_line("otp", 'message = "{{code}} {{code}}"'), 13, "{{code}} exactly once"),
    "message too long": (with_line("otp", 'message = "{{code}}' + "x" * 607 + '"'), 13, "at most 4 SMS (this is 5)"),
    "wide message too long": (with_line("otp", 'message = "{{code}}' + "\u0d9a" * 263 + '"'), 13, "at most 4 SMS"),
    "hidden message": (with_line("otp", 'message = "{{code}}\u202e"'), 13, "plain text"),
    "message by language without a code": (with_line("otp", 'message_si = "x"'), 13, "{{code}} exactly once"),
    "printer of no kind": (with_line("printer", 'kind = "usb"'), 13, "kind must be one of none, network"),
    "printer without its host": (
        with_line("printer", 'kind = "network"'), 13, "host is missing for printer kind network",
    ),
    "printer without its device": (
        with_line("printer", 'kind = "device"'), 13, "path is missing for printer kind device",
    ),
    "printer without its folder": (
        with_line("printer", 'kind = "file"'), 13, "path is missing for printer kind file",
    ),
    "printer without its name": (with_line("printer", 'kind = "windows"'), 13, "name is missing for printer kind"),
    "printer with a port in its host": (
        with_line("printer", 'host = "10.0.0.5:9100"'), 13, "without port, path or user",
    ),
    "printer with a port at its IPv6 address": (
        with_line("printer", 'host = "[2001:db8::5]:9100"'), 13, "without port, path or user",
    ),
    "printer with a user in its host": (
        with_line("printer", 'host = "me@10.0.0.5"'), 13, "without port, path or user",
    ),
    "printer with a path in its host": (
        with_line("printer", 'host = "10.0.0.5/raw"'), 13, "without port, path or user",
    ),
    "printer with a scheme in its host": (
        with_line("printer", 'host = "http://10.0.0.5"'), 13, "a name or an address",
    ),
    "printer with a space in its host": (
        with_line("printer", 'host = "10.0.0.5 "'), 13, "a name or an address alone",
    ),
    "printer in other letters": (with_line("printer", 'host = "pr\u0456nter"'), 13, "a name or an address alone"),
    "printer at port 0": (with_line("printer", "port = 0"), 13, "port must be a whole number from 1 to 65535"),
    "printer beyond the ports": (with_line("printer", "port = 65536"), 13, "from 1 to 65535"),
    "printer's port in words": (with_line("printer", 'port = "9100"'), 13, "must be a whole number"),
    "printer at the service's address": (
        with_line("printer", 'kind = "network"\nhost = "gateway.example"'), 14, "must not be the service's address"),
    "printer at the service's address in capitals": (
        with_line("printer", 'kind = "network"\nhost = "GATEWAY.example"'), 14, "must not be the service's address"),
    "a folder as a printer": (with_line("printer", 'kind = "device"\npath = "/tmp"'), 14, "device, not a folder"),
    "printer's path from here": (
        with_line("printer", 'path = "usb/lp0"'), 13, "path must be a whole path, from / on",
    ),
    "printer's name an option": (with_line("printer", 'name = "-o"'), 13, "name must not begin with -"),
    "printer's name too long": (with_line("printer", f'name = "{"x" * 128}"'), 13, "at most 127 characters"),
    "paper of another width": (with_line("printer", "width = 76"), 13, "width must be 58 or 80"),
    "receipts at times": (with_line("printer", 'auto = "sometimes"'), 13, "auto must be one of all, ask, off"),
    "a pretended printer in live use": (
        with_line("printer", 'kind = "virtual"'), 13, "must not be virtual in live use",
    ),
    "volume 0": (with_line("sound", "volume = 0"), 13, "from 1 to 100"),
    "volume 101": (with_line("sound", "volume = 101"), 13, "from 1 to 100"),
    "sound in words": (with_line("sound", 'on = "yes"'), 13, "must be true or false"),
    "texts of another size": (with_line("window", "text_percent = 110"), 13, "100, 125, 150 or 200"),
    "endless display": (with_line("customer_display", f'name = "{"H" * 65}"'), 13, "at most 64 characters"),
    "display on two lines": (with_line("customer_display", 'name = "a\\nb"'), 13, "on one line"),
    "customer's language": (with_line("customer_display", 'language = "English"'), 13, "two small letters"),
    "day ends in the afternoon": (with_line("day", 'cutoff = "13:00"'), 13, "from 00:00 to 12:00"),
    "day ends at no time": (with_line("day", 'cutoff = "4"'), 13, "from 00:00 to 12:00"),
    "day ends at a number": (with_line("day", "cutoff = 4"), 13, "cutoff"),
    "cashiers may perhaps": (with_line("day", 'cashier_may_close = "yes"'), 13, "cashier_may_close"),
    "closes at will": (with_line("day", 'auto_close = "on"'), 13, "auto_close must be true or false"),
    "lock at once": (with_line("sign_in", "lock_after_min = 0"), 13, "from 1 to 60"),
    "endless session": (with_line("sign_in", "session_hours = 25"), 13, "from 1 to 24"),
    "unknown key": (
        with_line("gateway", 'base_ur = "x"'), 3, "base_ur is not a setting, for example gateway.base_url",
    ),
    "secret among the settings": (with_line("gateway", 'access_token = "x"'), 3, "is not a setting"),
    "unknown section": (LIVE + '[gatewya]\nx = 1\n', 12, "gatewya is not a section"),
    "section twice as a list": (LIVE + "[[otp]]\n", 12, "otp is not a section"),
    "key twice": (with_line("shop", 'name = "A"'), 10, "stands twice"),
    "section twice": (LIVE + "[shop]\n", 12, "stands twice"),
    "token file not named": (with_line("gateway", 'token_provider = "file"'), 3, "token_file is missing"),
    "provider a list": (with_line("gateway", "token_provider = []"), 3, "must be a text"),
    "provider unknown": (with_line("gateway", 'token_provider = "magic"'), 3, "must be one of static"),
    "command a text": (with_line("gateway", 'token_command = "ls"'), 3, "must be a list of texts"),
    "command with a character 0": (
        with_line("gateway", 'token_command = ["/bin/token", "a\\u0000b"]'), 3, "token_command must be plain text"
    ),
    "command of numbers": (with_line("gateway", "token_command = [1]"), 3, "must be a list of texts"),
    "inline table": (changed("counter_id = 1", "counter_id = 1\nx = {y = 1}"), 7, "x is not a setting"),
    "not TOML": (LIVE + "what is this\n", 12, "is not TOML"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "says"), ITEMS.values(), ids=ITEMS.keys())
def test_each_mistake_is_told_with_its_place(tmp_path: Path, text: str, line: int, says: str) -> None:
    """File, line, key and what to do; one mistake is one line."""
    told = refused(tmp_path, text)
    assert says in told
    assert told.count("\n") == 0
    assert f"config.toml line {line}:" in told


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (LIVE.encode("utf-16"), "is not UTF-8"),
        (LIVE.encode("utf-16-le"), "is not UTF-8"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'[shop]\nname = "\xe9"\n', "is not UTF-8"),
        (b"x = " + b"[" * 50_000, "not TOML"),
        (b"x = " + b"9" * 5_000, "not TOML"),
        (b"#" * 300_000, "is larger than 256 KiB"),
        (b'"\\u001b[2J" = 1', "is not a section"),
    ],
)
def test_what_is_no_settings_file_is_told(tmp_path: Path, data: bytes, says: str) -> None:
    """And nothing of it reaches the terminal as it stands."""
    told = refused(tmp_path, data)
    assert says in told
    assert "\x1b" not in told


def test_an_empty_file_tells_all_that_is_missing(tmp_path: Path) -> None:
    """Each needed key with an example, not only the first."""
    told = refused(tmp_path, "")
    for key in (
        "gateway.base_url", "gateway.merchant_pg_identifier", "gateway.counter_id",
        "shop.name", "shop.currency", "shop.country",
    ):  # fmt: skip
        assert f"{key} is missing, for example" in told


def test_no_file_at_all_is_a_first_start(tmp_path: Path) -> None:
    """Told apart, because then the wizard comes."""
    with pytest.raises(SettingsMissingError):
        load_settings(None, {}, user_file=tmp_path / "none.toml", site_file=tmp_path / "no.toml")


@pytest.mark.parametrize("name", ["none.toml", "", "none/config.toml", "nul\0.toml"])
def test_a_named_file_that_cannot_be_read_is_told(tmp_path: Path, name: str) -> None:
    """Missing, a folder, or no name at all."""
    with pytest.raises(SettingsError, match="cannot be read") as caught:
        load_settings(tmp_path / name, {})
    assert not isinstance(caught.value, SettingsMissingError)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    """One that nobody writes held up each verb, and the window, for ever and without a word."""
    pipe = tmp_path / "config.toml"
    os.mkfifo(pipe)
    with pytest.raises(SettingsError, match="is not a plain file"):
        load_settings(None, {}, site_file=pipe)
    with pytest.raises(SettingsError, match="is not a plain file"):
        load_settings(None, {}, user_file=pipe)
    with pytest.raises(SettingsError, match="is not a plain file"):
        load_settings(pipe, {})


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    """Some editors leave one."""
    assert loaded(tmp_path, b"\xef\xbb\xbf" + LIVE.encode()).shop.name == "Corner Shop"


def test_several_mistakes_are_told_together(tmp_path: Path) -> None:
    """Nobody likes to be told one at a time."""
    told = refused(tmp_path, changed('"LKR"', '"XXX"').replace("counter_id = 1", "counter_id = 0"))
    assert told.count("\n") == 1


_scalars = st.one_of(
    st.text(), st.integers(), st.booleans(), st.floats(), st.lists(st.text(), max_size=2), st.dates(),
    st.sampled_from(["live", "sandbox", "file", "https://a.example", "http://127.0.0.1:1"]),
)  # fmt: skip
_names = st.sampled_from(["base_url", "environment", "token_provider", "counter_id", "max_amount", "message"])


@given(st.dictionaries(st.sampled_from(["gateway", "shop", "otp", "x"]), st.dictionaries(_names, _scalars)))
def test_no_value_ends_in_anything_but_settings_or_their_error(
    tmp_path_factory: pytest.TempPathFactory, content: dict[str, dict[str, object]]
) -> None:
    """Any type in any place."""
    import tomlkit

    _load(tmp_path_factory, tomlkit.dumps(content).encode("utf-8", "replace"))


@given(
    st.one_of(
        st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace"))
    )
)
def test_no_bytes_end_in_anything_but_settings_or_their_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Whatever is in the file, alone or behind a good beginning."""
    _load(tmp_path_factory, data)
    _load(tmp_path_factory, LIVE.encode() + data)


def _load(factory: pytest.TempPathFactory, data: bytes) -> None:
    file = factory.getbasetemp() / "fuzzed.toml"
    file.write_bytes(data)
    with contextlib.suppress(SettingsError):
        load_settings(file, {})


@given(
    st.dictionaries(st.sampled_from(["GATEWAY_COUNTER_ID", "SHOP_MAX_AMOUNT", "SHOP_NAME", "X"]), st.text())
)
def test_no_variable_ends_in_anything_but_settings_or_their_error(variables: dict[str, str]) -> None:
    """Bytes that are no text arrive as lone surrogates."""
    named = {f"POS_APP_{name}": text + "\udcff" for name, text in variables.items()}
    with pytest.raises(SettingsError):
        load_settings(None, named, {"shop.max_amount": Decimal(5)})


def test_a_token_s_command_in_bytes_that_are_no_text_is_refused(tmp_path: Path) -> None:
    """They arrive as lone surrogates, which no system can begin a program with."""
    file = tmp_path / "config.toml"
    file.write_text(LIVE)
    variables = {
        "POS_APP_GATEWAY_TOKEN_PROVIDER": "command",
        "POS_APP_GATEWAY_TOKEN_COMMAND": '["/bin/token", "\udce9"]',
    }
    with pytest.raises(SettingsError) as caught:
        load_settings(file, variables)
    assert "POS_APP_GATEWAY_TOKEN_COMMAND: gateway.token_command must be plain text" in str(caught.value)
