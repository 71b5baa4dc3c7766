"""Where settings come from: defaults < site file < user file < POS_APP_* < command line, each with its source."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from pos_app.domain.attempt import Environment
from pos_app.settings import SettingsError, load_settings
from pos_app.settings.model import KEYS
from tests.unit.settings.files import LIVE, changed, loaded


def test_the_example_of_the_design_is_read(tmp_path: Path) -> None:
    """Six needed keys; all else has a default."""
    settings = loaded(tmp_path)
    assert settings.gateway.environment is Environment.LIVE
    assert settings.gateway.base_url == "https://gateway.example"
    assert settings.shop.max_amount == Decimal("999999.99")
    assert settings.shop.confirm_above == 50_000
    assert (settings.payment.give_up_s, settings.payment.extension_s) == (300, 120)
    assert settings.gateway.qr_amount_field == "chargeTotal"
    assert not settings.gateway.verification_fail_is_final


def test_each_place_wins_over_the_one_before(tmp_path: Path) -> None:
    """One key set everywhere, taken away from the top."""
    site, user = tmp_path / "site.toml", tmp_path / "user.toml"
    site.write_text(LIVE + "[payment]\ngive_up_s = 100\n")
    user.write_text("[payment]\ngive_up_s = 200\n")
    variables = {"POS_APP_PAYMENT_GIVE_UP_S": "250", "HOME": "/x"}
    key = "payment.give_up_s"

    def give_up_s(*, line: bool = False, env: bool = False, own: bool = False) -> tuple[int, str]:
        settings = load_settings(
            None,
            variables if env else {},
            {key: 280} if line else None,
            site_file=site,
            user_file=user if own else None,
        )
        return settings.payment.give_up_s, settings.source_of(key)

    assert give_up_s(line=True, env=True, own=True) == (280, "command line")
    assert give_up_s(env=True, own=True) == (250, "POS_APP_PAYMENT_GIVE_UP_S")
    assert give_up_s(own=True) == (200, f"{user} line 2")
    assert give_up_s() == (100, f"{site} line 13")


def test_a_named_file_takes_the_place_of_the_users(tmp_path: Path) -> None:
    """The fleet's file still stands below it."""
    site, user, named = tmp_path / "site.toml", tmp_path / "user.toml", tmp_path / "named.toml"
    site.write_text('[window]\ntheme = "dark"\n')
    user.write_text("[payment]\ngive_up_s = 200\n")
    named.write_text(LIVE)
    settings = load_settings(named, {}, site_file=site, user_file=user)
    assert settings.payment.give_up_s == 300
    assert settings.window.theme == "dark"
    assert settings.source_of("payment.give_up_s") == "default"


def test_a_till_can_live_from_its_environment_alone() -> None:
    """Each type as text."""
    settings = load_settings(
        None,
        {
            "POS_APP_GATEWAY_ENVIRONMENT": "sandbox",
            "POS_APP_GATEWAY_BASE_URL": "http://127.0.0.1:8000",
            "POS_APP_GATEWAY_MERCHANT_PG_IDENTIFIER": "M-1",
            "POS_APP_GATEWAY_COUNTER_ID": "7",
            "POS_APP_GATEWAY_VERIFICATION_FAIL_IS_FINAL": "true",
            "POS_APP_SHOP_NAME": "Café",
            "POS_APP_SHOP_CURRENCY": "LKR",
            "POS_APP_SHOP_COUNTRY": "LK",
            "POS_APP_SHOP_MAX_AMOUNT": "100.50",
            "POS_APP_RECEIPT_HEADER": '["12 Galle Road", "Tel. 011 234 5678"]',
            "POS_APP_RECEIPT_FOOTER": "Thank you!",
            "POS_APP_CONFIG": "read elsewhere",
            "POS_APP_SECRETS_FILE": "read elsewhere",
            "POS_APP_DATA_DIR": "read elsewhere",
        },
    )
    assert (settings.gateway.counter_id, settings.shop.max_amount) == (7, Decimal("100.50"))
    assert settings.gateway.verification_fail_is_final
    assert settings.shop.name == "Café"
    assert settings.receipt.header == ("12 Galle Road", "Tel. 011 234 5678")
    assert settings.receipt.footer == ("Thank you!",)


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        (
            "POS_APP_GATEWAY_COUNTER_ID",
            "one",
            "POS_APP_GATEWAY_COUNTER_ID: gateway.counter_id must be a whole",
        ),
        ("POS_APP_GATEWAY_COUNTER_ID", "\u0661", "must be a whole number"),
        ("POS_APP_GATEWAY_COUNTER_ID", "", "must be a whole number"),
        ("POS_APP_GATEWAY_COUNTER_ID", "1_0", "must be a whole number"),
        ("POS_APP_SHOP_MAX_AMOUNT", "1e5", "must be a number"),
        ("POS_APP_SHOP_MAX_AMOUNT", "NaN", "must be a number"),
        ("POS_APP_GATEWAY_VERIFICATION_FAIL_IS_FINAL", "1", "must be true or false"),
        ("POS_APP_RECEIPT_HEADER", '["12 Galle Road", canary]', "must be a list of texts"),
        ("POS_APP_RECEIPT_HEADER", '["12 Galle Road", 5]', "must be a list of texts"),
        ("POS_APP_GATEWAY_BASE_URL", "http://gateway.example", "must be https"),
        ("POS_APP_ACCESS_TOKEN", "canary", "POS_APP_ACCESS_TOKEN: is not a setting"),
    ],
)
def test_a_variable_that_is_wrong_is_named(tmp_path: Path, variable: str, value: str, says: str) -> None:
    """By its own name, without its value: it may have been a secret."""
    file = tmp_path / "config.toml"
    file.write_text(LIVE)
    with pytest.raises(SettingsError) as caught:
        load_settings(file, {variable: value})
    assert says in str(caught.value)
    assert "canary" not in str(caught.value)


def test_lines_are_found_in_every_way_of_writing(tmp_path: Path) -> None:
    """Dotted keys, quoted ones and a table on one line."""
    text = (
        'gateway.base_url = "https://gateway.example"\n'
        'gateway . "counter_id" = 1\n'
        'gateway.merchant_pg_identifier = "M-1"\n'
        'shop = { name = "A", currency = "LKR", country = "LK" }\n'
        "[ window ]\n"
        "# theme = 'light'\n"
        "  'theme' = 'dark'\n"
    )
    settings = loaded(tmp_path, text)
    where = {key: int(settings.source_of(key).rpartition(" ")[2]) for key in settings.sources}
    assert where == {
        "gateway.base_url": 1,
        "gateway.counter_id": 2,
        "gateway.merchant_pg_identifier": 3,
        "shop.name": 4,
        "shop.currency": 4,
        "shop.country": 4,
        "window.theme": 7,
    }


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://localhost:8000", "https://[::1]:8443"])
def test_the_sandbox_is_this_machine_with_or_without_tls(tmp_path: Path, address: str) -> None:
    """`environment = "sandbox"` needs no further switch."""
    text = changed('"live"', '"sandbox"').replace("https://gateway.example", address)
    assert loaded(tmp_path, text).gateway.base_url == address


@pytest.mark.parametrize(
    "address", ["https://gateway.example:8443/pay/v1", "https://a-b.example/", "https://8.8.8.8"]
)
def test_ordinary_addresses_are_taken(tmp_path: Path, address: str) -> None:
    """A port, a plain path, a number of the internet."""
    text = changed("https://gateway.example", address)
    assert loaded(tmp_path, text).gateway.base_url == address


@pytest.mark.parametrize("host", ["2001:db8::5", "[2001:db8::5]", "2001:DB8:0:0::5"])
def test_an_ipv6_printer_is_written_with_brackets_or_without(tmp_path: Path, host: str) -> None:
    """With them it was looked up as a name, which nobody has; without them it was refused."""
    text = f'{LIVE}\n[printer]\nkind = "network"\nhost = "{host}"\n'
    assert loaded(tmp_path, text).printer.reached_at == "2001:db8::5"


def test_every_setting_is_a_value_and_has_an_example(tmp_path: Path) -> None:
    """The table of keys and the model are the same, and what a message proposes is accepted."""
    settings = msgspec.to_builtins(loaded(tmp_path))
    said = ("sources", "locked", "sandbox_allowed")
    named = {f"{section}.{key}" for section, keys in settings.items() if section not in said for key in keys}
    assert {key.name for key in KEYS} == named
    text = "".join(
        f"[{section}]\n"
        + "".join(
            f"{key.name.partition('.')[2]} = {key.example}\n"
            for key in KEYS
            if key.name.startswith(section + ".")
        )
        for section in dict.fromkeys(key.name.partition(".")[0] for key in KEYS)
    )
    assert loaded(tmp_path, text).sources.keys() == named


ADDRESSES = {
    "gateway.base_url": "https://another.example",
    "gateway.otp_base_url": "https://otp.example",
    "gateway.token_url": "https://login.example/token",
    "gateway.ca_file": "/etc/ssl/another.pem",
    "store.address": "https://store.example",
    "store.ca_file": "/etc/ssl/another.pem",
    "store.pin": "cd" * 32,
}


def variable_of(name: str) -> str:
    return f"POS_APP_{name.replace('.', '_').upper()}"


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("emptied", [True, False])
def test_no_variable_says_where_a_live_till_s_secrets_go(tmp_path: Path, name: str, emptied: bool) -> None:
    """Nor whom it believes there. The variable is named, its value is not."""
    file, variable = tmp_path / "config.toml", variable_of(name)
    file.write_text(LIVE)
    with pytest.raises(SettingsError) as caught:
        load_settings(file, {variable: "" if emptied else ADDRESSES[name]})
    (problem,) = (each for each in caught.value.problems if "variable" in each.text)
    assert (problem.source, problem.key) == (variable, name)
    assert "unset it, and write the value into a settings file" in str(problem)
    assert ADDRESSES[name] not in str(problem)


@pytest.mark.parametrize("said", ["live", "nonsense"])
def test_the_environment_itself_may_come_from_a_variable_and_opens_no_way(tmp_path: Path, said: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(LIVE.replace('environment = "live"', 'environment = "sandbox"'))
    variables = {"POS_APP_GATEWAY_ENVIRONMENT": said, "POS_APP_GATEWAY_BASE_URL": "https://another.example"}
    with pytest.raises(SettingsError, match="cannot come from a variable in live use"):
        load_settings(file, variables)


def test_the_sandbox_keeps_its_variables(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(LIVE.replace('environment = "live"', 'environment = "sandbox"'))
    given = {
        "POS_APP_GATEWAY_BASE_URL": "http://127.0.0.1:8000",
        "POS_APP_GATEWAY_CA_FILE": "/etc/ssl/another.pem",
    }
    settings = load_settings(file, given)
    assert settings.gateway.base_url == "http://127.0.0.1:8000"
    assert settings.gateway.ca_file == "/etc/ssl/another.pem"


def test_where_there_is_a_site_file_it_alone_says_which_root_a_live_till_believes(tmp_path: Path) -> None:
    """Also where it says nothing: then it is the system's."""
    site, user = tmp_path / "site.toml", tmp_path / "user.toml"
    user.write_text('[gateway]\nca_file = "/home/user/root.pem"\n')
    site.write_text(LIVE)
    settings = load_settings(None, {variable_of("gateway.ca_file"): "/x"}, site_file=site, user_file=user)
    assert settings.gateway.ca_file == ""
    assert "gateway.ca_file" in settings.locked
    site.write_text(LIVE.replace("counter_id = 1", 'counter_id = 1\nca_file = "/etc/ssl/shop.pem"'))
    assert load_settings(user, {}, site_file=site).gateway.ca_file == "/etc/ssl/shop.pem"
    sandbox = LIVE.replace('environment = "live"', 'environment = "sandbox"').replace(
        "https://gateway.example", "http://127.0.0.1:1"
    )
    site.write_text(sandbox)
    assert load_settings(user, {}, site_file=site).gateway.ca_file == "/home/user/root.pem"
