"""Secrets are stored whole or not at all, where the next start looks, and outlive a power cut."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pos_app.domain.secret import Secret
from pos_app.secrets import SecretsError, change_secrets, keystore, load_secrets, write_secrets
from pos_app.secrets.files import read_secrets
from pos_app.secrets.load import CREDENTIAL
from tests.support.owners_alone import is_owners_alone
from tests.support.unprivileged import owned_folder, somebody
from tests.unit.secrets.test_files import CANARY, secrets_file


@pytest.fixture(autouse=True)
def _no_key_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tester's own key store is neither asked nor written."""
    monkeypatch.setattr(keystore, "BY_PLATFORM", {})


def test_what_is_stored_is_read_again(tmp_path: Path) -> None:
    """A file of its own where there is no key store: private from its first byte, beside what was there."""
    own = tmp_path / "pos-app" / "secrets.toml"
    odd = Secret('quote " back \\ ÿ')
    place = write_secrets({"access_token": odd, "merchant_password": Secret("p")}, own, "live")
    assert place == str(own)
    assert is_owners_alone(own)
    assert is_owners_alone(own.parent)
    write_secrets({"access_token": Secret(""), "merchant_password": Secret("new")}, own, "live")
    found = load_secrets(None, {}, own, "live")
    assert (found.access_token, found.merchant_password) == (odd, Secret("new"))
    assert [file.name for file in own.parent.iterdir()] == ["secrets.toml"]


def test_secrets_that_cannot_be_stored_leave_nothing_behind(tmp_path: Path) -> None:
    """No half file with them in it."""
    write_secrets({}, tmp_path / "secrets.toml", "live")
    with owned_folder() as folder:
        folder.chmod(0o500)
        with somebody(), pytest.raises(PermissionError):
            write_secrets({"access_token": Secret(CANARY)}, folder / "secrets.toml", "live")
        assert list(folder.iterdir()) == []


def test_changes_go_where_the_next_start_looks(tmp_path: Path) -> None:
    """A file that was named, by option or variable, also when it is not there yet; else the own place."""
    new, own = {"access_token": Secret("new")}, tmp_path / "own.toml"
    secrets_file(own)
    for number, (named, variables) in enumerate(
        [
            (tmp_path / "0.toml", {"POS_APP_SECRETS_FILE": str(tmp_path / "other.toml")}),
            (None, {"POS_APP_SECRETS_FILE": str(tmp_path / "1.toml")}),
        ]
    ):
        assert change_secrets(new, named, variables, own, "live") == str(tmp_path / f"{number}.toml")
        assert load_secrets(named, variables, own, "live").access_token == Secret("new")
    assert read_secrets(own)["access_token"] == Secret(CANARY)
    assert change_secrets(new, None, {}, own, "live") == str(own)
    assert read_secrets(own)["access_token"] == Secret("new")


def test_what_the_service_manager_gives_is_changed_there(tmp_path: Path) -> None:
    """A change stored elsewhere would never be looked at."""
    secrets_file(tmp_path / CREDENTIAL, mode=0o400)
    with pytest.raises(SecretsError, match="change them there"):
        change_secrets({}, None, {"CREDENTIALS_DIRECTORY": str(tmp_path)}, tmp_path / "own", "live")
    place = change_secrets(
        {}, None, {"CREDENTIALS_DIRECTORY": str(tmp_path / "no")}, tmp_path / "own", "live"
    )
    assert place == str(tmp_path / "own")


def test_behind_a_link_the_file_itself_is_changed(tmp_path: Path) -> None:
    """Else the secrets that were changed would stay where the link leads."""
    file = secrets_file(tmp_path / "file.toml")
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    write_secrets({"access_token": Secret("new")}, link, "live")
    assert link.is_symlink()
    assert CANARY not in file.read_text()


def test_a_change_of_secrets_outlives_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File and folder are synced, in this order: the old ones may have been changed because they leaked."""
    synced: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_secrets({"access_token": Secret("new")}, tmp_path / "own.toml", "live")
    assert synced == ["file", "folder"]


def test_a_revoked_secret_is_stored_no_more(tmp_path: Path) -> None:
    """The others stay; one that is given and revoked at once is given."""
    file = tmp_path / "secrets.toml"
    given = {"access_token": Secret("first"), "otp_access_token": Secret("second")}
    write_secrets(given, file, "live", use_keystore=False)
    changes = {"merchant_password": Secret("third")}
    write_secrets(changes, file, "live", use_keystore=False, forget=("access_token", "merchant_password"))
    stored = {name: secret.reveal() for name, secret in read_secrets(file).items()}
    assert stored == {"otp_access_token": "second", "merchant_password": "third"}
