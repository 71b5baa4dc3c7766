"""Settings and secrets are stored together or not at all, and can be put back where the disk is full."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from pos_app.app.settings.store import SettingsStore, StoreBusyError, StoreError
from pos_app.bootstrap.options import Options
from pos_app.domain.secret import Secret
from tests.unit.settings.files import LIVE

SECRETS = 'access_token = "a"\nmerchant_secret_code = "b"\nmerchant_password = "c"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A counter's two files, the settings behind a link."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "till.toml").write_text(LIVE)
    (tmp_path / "config.toml").symlink_to(tmp_path / "kept" / "till.toml")
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(SECRETS)
    secrets.chmod(0o600)
    return tmp_path


@pytest.fixture
def store(folder: Path) -> SettingsStore:
    return SettingsStore(Options(config=folder / "config.toml", secrets_file=folder / "secrets.toml"))


def files(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_both_are_stored_and_read_back(store: SettingsStore, folder: Path) -> None:
    settings, secrets, undo = store.change(
        {"shop.name": "Harbour"}, {"access_token": Secret("new")}, ("merchant_password",), "live"
    )
    assert (settings.shop.name, secrets.access_token.reveal()) == ("Harbour", "new")
    assert not secrets.merchant_password
    undo.let_go()
    assert set(files(folder)) == {"config.toml", "kept/till.toml", "secrets.toml"}
    text = (folder / "kept" / "till.toml").read_text()
    assert text == LIVE.replace('"Corner Shop"', '"Harbour"')
    assert (folder / "config.toml").is_symlink()


def test_what_is_put_back_is_as_it_was(store: SettingsStore, folder: Path) -> None:
    before = files(folder)
    _, _, undo = store.change(
        {"shop.name": "Harbour"},
        {"access_token": Secret("new"), "otp_access_token": Secret("first")},
        ("merchant_password",),
        "live",
    )
    assert files(folder) != before
    undo.put_back()
    assert set(files(folder)) == set(before)
    assert files(folder)["kept/till.toml"] == before["kept/till.toml"]
    _, secrets = store.read()
    kept = (secrets.access_token, secrets.merchant_password, secrets.otp_access_token)
    assert [each.reveal() for each in kept] == ["a", "c", ""]


def test_secrets_that_cannot_be_stored_take_the_settings_back(
    store: SettingsStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, sync = files(folder), os.fsync

    def full(descriptor: int) -> None:
        if "secrets" in os.readlink(f"/proc/self/fd/{descriptor}"):  # noqa: PTH115
            raise OSError(28, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        store.change({"shop.name": "Harbour"}, {"access_token": Secret("new")}, (), "live")
    assert files(folder) == before


def test_a_file_that_is_no_settings_is_left_alone(store: SettingsStore, folder: Path) -> None:
    (folder / "kept" / "till.toml").write_text("= broken")
    before = files(folder)
    with pytest.raises(StoreError, match="is not TOML"):
        store.change({"shop.name": "Harbour"}, {}, (), "live")
    assert files(folder) == before


def test_a_till_without_a_file_of_its_own_gets_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All it had came from the site file; only what was changed is written."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "site"))
    site = tmp_path / "site" / "pos-app" / "config.toml"
    site.parent.mkdir(parents=True)
    site.write_text(LIVE)
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(SECRETS)
    secrets.chmod(0o600)
    store = SettingsStore(Options(secrets_file=secrets))
    settings, _, undo = store.change({"shop.name": "Harbour"}, {}, (), "live")
    assert settings.shop.name == "Harbour"
    with pytest.raises(StoreBusyError):
        # It would go with the file that is put back.
        SettingsStore(Options(secrets_file=secrets)).change({"payment.give_up_s": 90}, {}, (), "live")
    assert store.config_file.read_text().split() == ["[shop]", "name", "=", '"Harbour"']
    undo.put_back()
    assert not store.config_file.exists()
    assert store.read()[0].shop.name == "Corner Shop"


def test_a_change_that_may_be_put_back_is_no_other_windows_to_lose(
    store: SettingsStore, folder: Path
) -> None:
    """Two tills on one file: what the second stored meanwhile went with what the first put back."""
    other = SettingsStore(Options(config=folder / "config.toml", secrets_file=folder / "secrets.toml"))
    _, _, first = store.change({"shop.name": "Harbour"}, {}, (), "live")
    with pytest.raises(StoreBusyError):
        other.change({"payment.give_up_s": 90}, {}, (), "live")
    first.put_back()
    _, _, second = other.change({"payment.give_up_s": 90}, {}, (), "live")
    second.let_go()
    settings, _, third = store.change({"shop.name": "Harbour"}, {}, (), "live")
    third.let_go()
    assert (settings.shop.name, settings.payment.give_up_s) == ("Harbour", 90)


def test_a_change_that_met_a_fault_shuts_no_other_window_out(store: SettingsStore, folder: Path) -> None:
    """The folder was held until the first window ended, and all that the second one was told was to try again."""
    before = files(folder)
    with pytest.raises(KeyError):
        store.change({"payment.no_such_key": 1}, {}, (), "live")
    assert files(folder) == before
    _, _, undecided = store.change({"shop.name": "Harbour"}, {}, (), "live")
    del undecided
    gc.collect()
    settings, _, undo = store.change({"payment.give_up_s": 90}, {}, (), "live")
    undo.let_go()
    assert settings.payment.give_up_s == 90
