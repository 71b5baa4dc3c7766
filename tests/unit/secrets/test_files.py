"""Where secrets come from, in order, who may read them, and that no error ever holds one."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.secret import Secret
from pos_app.secrets import SecretsError, SecretsMissingError, ShopSecrets, keystore, load_secrets
from pos_app.secrets.files import NAMES, read_secrets
from pos_app.secrets.load import CREDENTIAL
from pos_app.system import windows_acl
from tests.integration.cli.till import bare
from tests.support.unprivileged import IS_ROOT, NOBODY, owned_folder, somebody
from tests.unit.settings.files import LIVE

CANARY = "canary-4f1d9c"


@pytest.fixture(autouse=True)
def _no_key_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tester's own key store is neither asked nor written."""
    monkeypatch.setattr(keystore, "BY_PLATFORM", {})


def secrets_file(path: Path, token: str = CANARY, mode: int = 0o600) -> Path:
    path.write_text(f'access_token = "{token}"\nmerchant_secret_code = "c"\nmerchant_password = "p"\n')
    path.chmod(mode)
    if sys.platform == "win32" and not mode & 0o077:
        windows_acl.keep_private(path)
    return path


def _source(named: Path | None, variables: dict[str, str], own: Path) -> ShopSecrets:
    return load_secrets(named, variables, own, "live")


def test_the_first_place_that_has_them_is_taken(tmp_path: Path) -> None:
    """Named file, its variable, the service manager's credentials, the own file."""
    named, by_variable = (
        secrets_file(tmp_path / "named.toml", "1"),
        secrets_file(tmp_path / "variable.toml", "2"),
    )
    folder = tmp_path / "credentials"
    folder.mkdir()
    credential = secrets_file(folder / CREDENTIAL, "3", 0o400)
    own = secrets_file(tmp_path / "own.toml", "4")
    everything = {"POS_APP_SECRETS_FILE": str(by_variable), "CREDENTIALS_DIRECTORY": str(folder)}
    credentials = {"CREDENTIALS_DIRECTORY": str(folder)}
    empty = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    for expected, path, found in (
        ("1", named, _source(named, everything, own)),
        ("2", by_variable, _source(None, everything, own)),
        ("3", credential, _source(None, credentials, own)),
        ("4", own, _source(None, empty, own)),
        ("4", own, _source(None, {}, own)),
    ):
        assert (found.access_token.reveal(), found.source) == (expected, str(path))
        assert not found.otp_access_token


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    """Another place does not step in for one that somebody named."""
    own = secrets_file(tmp_path / "own.toml")
    with pytest.raises(SecretsMissingError):
        _source(tmp_path / "none.toml", {}, own)
    with pytest.raises(SecretsMissingError):
        _source(None, {"POS_APP_SECRETS_FILE": str(tmp_path / "none.toml")}, own)


def test_without_any_place_it_says_how(tmp_path: Path) -> None:
    """With the names a file needs."""
    with pytest.raises(SecretsMissingError, match="--secrets-file FILE with access_token"):
        _source(None, {}, tmp_path / "none.toml")


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o602, 0o660, 0o610, 0o700 | 0o077])
def test_a_file_others_can_read_or_change_is_refused(tmp_path: Path, mode: int) -> None:
    """With the command that mends it."""
    path = secrets_file(tmp_path / "secrets.toml", mode=mode)
    with pytest.raises(SecretsError, match=r"permissions too open.*chmod 600"):
        read_secrets(path)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_private_file_is_read(tmp_path: Path, mode: int) -> None:
    """Whether or not its owner may change it."""
    assert read_secrets(secrets_file(tmp_path / "secrets.toml", mode=mode))["access_token"] == Secret(CANARY)


def test_behind_a_link_the_file_counts(tmp_path: Path) -> None:
    """A link to a private file is read, one to an open file is refused."""
    link = tmp_path / "link.toml"
    link.symlink_to(secrets_file(tmp_path / "private.toml"))
    assert read_secrets(link)
    link.unlink()
    link.symlink_to(secrets_file(tmp_path / "open.toml", mode=0o644))
    with pytest.raises(SecretsError, match="permissions too open"):
        read_secrets(link)
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(SecretsError, match="cannot be read"):
        read_secrets(link)


def test_a_file_others_can_replace_is_refused(tmp_path: Path) -> None:
    """Its own permissions say nothing in a folder that everybody may write."""
    folder = tmp_path / "shared"
    folder.mkdir()
    path = secrets_file(folder / "secrets.toml")
    folder.chmod(0o777)
    with pytest.raises(SecretsError, match="others can replace it"):
        read_secrets(path)
    folder.chmod(0o1777)
    assert read_secrets(path)


@pytest.mark.skipif(not IS_ROOT, reason="only root can make a file another user's")
def test_a_file_of_another_user_is_refused() -> None:
    """Who owns it can read it whenever they like."""
    with owned_folder() as folder:
        path = secrets_file(folder / "secrets.toml")
        os.chown(path, NOBODY - 1, NOBODY - 1)
        with somebody(), pytest.raises(SecretsError, match="cannot be read"):
            read_secrets(path)


@pytest.mark.skipif(not IS_ROOT, reason="only root can make a file another user's")
def test_root_is_refused_as_everyone(tmp_path: Path) -> None:
    """It may read every file, and for that reason is no judge of whose word one is."""
    path = secrets_file(tmp_path / "secrets.toml")
    os.chown(path, NOBODY, NOBODY)
    with pytest.raises(SecretsError, match="belongs to another user"):
        read_secrets(path)
    config = tmp_path / "config.toml"
    config.write_text(LIVE)
    places = ("--config", str(config), "--secrets-file", str(path), "--data-dir", str(tmp_path / "data"))
    done = bare(*places, "transactions")
    assert done.code == 78
    assert "secrets.toml belongs to another user" in done.err
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    with pytest.raises(SecretsError, match="belongs to another user"):
        read_secrets(link)
    os.chown(path, 0, 0)
    assert read_secrets(path)


def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    """A pipe would hold up the start for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    for path in (pipe, tmp_path, Path("/dev/null")):
        with pytest.raises(SecretsError):
            read_secrets(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f'access_token = "{CANARY}\\r\\nX-Evil: 1"', "access_token has a control character"),
        (f'access_token = "{CANARY}\u0434"', "access_token has a character outside Latin-1"),
        (f'access_token = " {CANARY}"', "access_token begins or ends with a space"),
        (f'access_token = "{CANARY * 1000}"', "access_token longer than"),
        ('access_token = ""', "must be a text in quotes"),
        ("access_token = 5", "must be a text in quotes"),
        (f'access_token = ["{CANARY}"]', "must be a text in quotes"),
        (f"access_token = {CANARY}", "is not TOML"),
        (f'access_token = "{CANARY}"\naccess_token = "{CANARY}"', "each key once"),
        (f'acess_token = "{CANARY}"', "acess_token is not a secret here"),
        (f'"{CANARY}" = 1', "a key is not a secret here"),
        (f'[shop]\nname = "{CANARY}"', "shop is not a secret here"),
        (f"{CANARY}", "is not TOML"),
        (f"x = {'9' * 5000} # {CANARY}", "is not TOML"),
        (f"x = {'[' * 50_000} # {CANARY}", "is not TOML"),
        (f"# {CANARY}" * 10_000, "larger than 64 KiB"),
    ],
)
def test_what_cannot_be_used_is_told_without_what_it_was(tmp_path: Path, text: str, says: str) -> None:
    """Neither the text nor what led to it, in the error or its trace."""
    path = tmp_path / "secrets.toml"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(SecretsError) as caught:
        read_secrets(path)
    assert says in str(caught.value)
    told = "".join(traceback.format_exception(caught.value))
    own_lines = told.replace(f'File "{__file__}"', "")
    assert CANARY not in own_lines


@pytest.mark.parametrize("data", [CANARY.encode("utf-16"), b'access_token = "\xff"'])
def test_a_file_that_is_no_utf8_is_told(tmp_path: Path, data: bytes) -> None:
    """With what to do about it."""
    path = tmp_path / "secrets.toml"
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(SecretsError, match=r"UTF-8|not TOML"):
        read_secrets(path)


@given(st.binary(max_size=100))
def test_no_bytes_end_in_anything_but_secrets_or_their_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Whatever is in the file."""
    path = tmp_path_factory.getbasetemp() / "fuzzed-secrets.toml"
    path.touch(0o600)
    path.write_bytes(data)
    try:
        found = read_secrets(path)
    except SecretsError:
        return
    assert set(found) <= set(NAMES)


def test_values_show_themselves_nowhere(tmp_path: Path) -> None:
    """Not in a repr of what holds them all."""
    found = _source(secrets_file(tmp_path / "secrets.toml"), {}, tmp_path / "none")
    assert CANARY not in repr(found)
    assert CANARY not in f"{found}"
