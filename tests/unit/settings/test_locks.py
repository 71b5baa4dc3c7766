"""What a site file locks holds at every till of the fleet, whatever the other places say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.settings import Settings, SettingsError, load_settings, sandbox_allowed
from tests.unit.settings.files import LIVE


def fleet(folder: Path, locked: str, **more: str) -> Settings:
    """A till whose user file, environment and command line all say otherwise."""
    site, user = folder / "site.toml", folder / "user.toml"
    site.write_text(f"{LIVE}[site]\nlocked = {locked}\n")
    user.write_text('[shop]\nname = "Mine"\ncurrency = "USD"\n[payment]\ngive_up_s = 10\n')
    variables = {"POS_APP_SHOP_COUNTRY": "US", **more}
    overrides = {"gateway.counter_id": 9}
    return load_settings(None, variables, overrides, site_file=site, user_file=user)


def test_a_locked_key_is_as_the_site_file_says(tmp_path: Path) -> None:
    settings = fleet(tmp_path, '["shop.currency", "shop.country", "gateway.counter_id"]')
    assert (settings.shop.currency, settings.shop.country) == ("LKR", "LK")
    assert settings.gateway.counter_id == 1
    assert settings.source_of("shop.currency") == f"{tmp_path / 'site.toml'} line 10"
    assert settings.shop.name == "Mine"
    assert settings.locked == {"shop.currency", "shop.country", "gateway.counter_id", "gateway.ca_file"}


def test_a_section_locks_all_of_its_keys_and_what_is_not_said_is_the_default(tmp_path: Path) -> None:
    settings = fleet(tmp_path, '["payment"]')
    assert settings.payment.give_up_s == 300
    assert settings.source_of("payment.give_up_s") == "default"
    assert settings.locked == {"payment.give_up_s", "payment.extension_s", "gateway.ca_file"}
    assert settings.shop.currency == "USD"


@pytest.mark.parametrize(
    ("locked", "says"),
    [
        ('["shop.nmae"]', "names no setting: 'shop.nmae'"),
        ("[7]", "names no setting: 7"),
        ('"shop"', "must be a list of keys"),
    ],
)
def test_a_lock_that_locks_nothing_is_told_with_its_place(tmp_path: Path, locked: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says) as caught:
        fleet(tmp_path, locked)
    (problem,) = caught.value.problems
    assert (problem.source, problem.key, problem.line) == (str(tmp_path / "site.toml"), "site.locked", 13)


def test_only_the_site_file_locks(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text(f'{LIVE}[site]\nlocked = ["shop"]\n')
    with pytest.raises(SettingsError, match="site is not a section here"):
        load_settings(None, {}, user_file=user)


def test_a_broken_value_of_a_locked_key_does_not_stop_the_till(tmp_path: Path) -> None:
    assert fleet(tmp_path, '["shop.country"]', POS_APP_SHOP_COUNTRY="nowhere").shop.country == "LK"


def counter(folder: Path, user: str = "", **variables: str) -> Settings:
    """A till that the site file keeps from playing."""
    site, own = folder / "site.toml", folder / "user.toml"
    site.write_text(f"{LIVE}[site]\nsandbox = false\n")
    own.write_text(user)
    return load_settings(None, variables, site_file=site, user_file=own)


def test_a_site_file_that_forbids_the_sandbox_locks_the_environment(tmp_path: Path) -> None:
    settings = counter(tmp_path)
    assert not settings.sandbox_allowed
    # A live till takes its root certificate from the site file alone.
    assert settings.locked == {"gateway.environment", "gateway.ca_file"}
    assert settings.gateway.environment == "live"
    assert not sandbox_allowed(tmp_path / "site.toml")


def test_without_a_word_of_the_site_file_the_sandbox_may_run(tmp_path: Path) -> None:
    assert fleet(tmp_path, "[]").sandbox_allowed
    assert sandbox_allowed(tmp_path / "site.toml")
    assert sandbox_allowed(tmp_path / "none.toml")


def test_settings_of_a_sandbox_are_refused_there_and_never_read_as_live_ones(tmp_path: Path) -> None:
    """Whoever wrote them believes that no money moves."""
    said = "environment must not be sandbox: the site file forbids it"
    local = '[gateway]\nenvironment = "sandbox"\nbase_url = "http://127.0.0.1:1"\n'
    with pytest.raises(SettingsError, match=said) as caught:
        counter(tmp_path, local)
    assert (caught.value.problems[0].source, caught.value.problems[0].line) == (
        str(tmp_path / "user.toml"),
        2,
    )
    with pytest.raises(SettingsError, match=said):
        counter(tmp_path, POS_APP_GATEWAY_ENVIRONMENT="sandbox")
    site = tmp_path / "site.toml"
    site.write_text("[site]\nsandbox = false\n" + LIVE.replace('"live"', '"sandbox"'))
    with pytest.raises(SettingsError, match=said):
        load_settings(None, {}, site_file=site)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('[site]\nsandbox = "no"\n', "must be true or false"),
        ("[site]\nsandboxes = false\n", "is not known here"),
        ("site = false\n", "is not known here"),
        ("[site\nsandbox = false\n", "is not TOML"),
    ],
)
def test_a_site_file_that_may_forbid_it_and_cannot_be_read_allows_nothing(
    tmp_path: Path, said: str, why: str
) -> None:
    site = tmp_path / "site.toml"
    site.write_text(said)
    with pytest.raises(SettingsError, match=why):
        sandbox_allowed(site)
