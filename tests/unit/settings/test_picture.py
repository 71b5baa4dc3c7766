"""Where each setting comes from and why one cannot be changed here, in the words of the screen."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from pos_app.app.settings.picture import picture_of
from pos_app.bootstrap.options import Options
from pos_app.bootstrap.shop import DataFolder, Shop, in_language
from pos_app.domain.secret import Secret
from pos_app.i18n.words.settings import words
from pos_app.secrets import ShopSecrets
from pos_app.secrets.load import CREDENTIAL
from pos_app.settings import load_settings
from pos_app.ui.dialogs.settings.values import SettingsPicture
from tests.unit.settings.files import LIVE

SECRETS = ShopSecrets(
    access_token=Secret("a"),
    merchant_secret_code=Secret("b"),
    merchant_password=Secret("c"),
    otp_access_token=Secret(""),
    token_client_secret=Secret(""),
    source="key store",
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A till whose settings come from everywhere."""
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "xdg"))
    site, user = tmp_path / "xdg" / "pos-app" / "config.toml", tmp_path / "user.toml"
    site.parent.mkdir(parents=True)
    site.write_text(f'{LIVE}[window]\ntheme = "dark"\n[site]\nlocked = ["gateway"]\n')
    user.write_text('[shop]\nname = "Mine"\n')
    variables = {"POS_APP_SHOP_COUNTRY": "US"}
    settings = load_settings(None, variables, site_file=site, user_file=user)
    return Shop(in_language(settings, Options(language="en")), SECRETS, DataFolder(tmp_path))


def shown(shop: Shop, name: str) -> tuple[str, str]:
    picture = picture_of(shop, {})
    return picture.sources[name], picture.locked.get(name, "")


def test_each_place_has_its_words(shop: Shop) -> None:
    assert shown(shop, "payment.give_up_s") == (words.FROM_DEFAULT, "")
    assert shown(shop, "window.theme") == (words.FROM_SITE, "")
    assert shown(shop, "shop.name") == (words.FROM_FILE, "")
    assert shown(shop, "gateway.base_url") == (words.FROM_SITE, words.LOCKED_BY_SITE)
    # Locked as it is by default: the site file says nothing else of it.
    assert shown(shop, "gateway.ca_file") == (words.FROM_DEFAULT, words.LOCKED_BY_SITE)
    variable = words.LOCKED_BY_VARIABLE.format(variable="POS_APP_SHOP_COUNTRY")
    assert shown(shop, "shop.country") == (words.FROM_ENVIRONMENT, variable)
    assert shown(shop, "window.language") == (words.FROM_COMMAND_LINE, words.LOCKED_BY_COMMAND_LINE)


def test_secrets_show_when_they_were_stored_and_nothing_else(shop: Shop) -> None:
    picture: SettingsPicture = picture_of(shop, {"access_token": date(2026, 11, 12)})
    assert picture.stored == {
        "access_token": "stored 12 Nov",
        "merchant_secret_code": "stored",
        "merchant_password": "stored",
        "otp_access_token": "",
        "token_client_secret": "",
    }
    assert picture.secrets_locked == ""


def test_secrets_of_the_service_manager_are_changed_there(shop: Shop) -> None:
    shop.secrets = replace(SECRETS, source=f"/run/credentials/till/{CREDENTIAL}")
    assert picture_of(shop, {}).secrets_locked == words.SECRETS_GIVEN
