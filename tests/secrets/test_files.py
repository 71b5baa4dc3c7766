"""Where secrets come from, in order, who may read them, and that no error ever holds one."""

from __future__ import annotations

import os
import stat
import struct
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.secret import Secret
from pos_app.secrets import (
    SecretsError,
    SecretsMissingError,
    ShopSecrets,
    change_secrets,
    load_secrets,
    write_secrets,
)
from pos_app.secrets.files import NAMES, read_secrets
from pos_app.secrets.load import CREDENTIAL
from tests.support.unprivileged import NOBODY, owned_folder, somebody

CANARY = "canary-4f1d9c"


@pytest.fixture(autouse=True)
def _no_key_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tester's own key store is neither asked nor written."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


def _file(path: Path, token: str = CANARY, mode: int = 0o600) -> Path:
    path.write_text(f'access_token = "{token}"\nmerchant_secret_code = "c"\nmerchant_password = "p"\n')
    path.chmod(mode)
    return path


def _source(named: Path | None, variables: dict[str, str], own: Path) -> ShopSecrets:
    return load_secrets(named, variables, own, "live")


def test_the_first_place_that_has_them_is_taken(tmp_path: Path) -> None:
    """Named file, its variable, the service manager's credentials, the own file."""
    named, by_variable = _file(tmp_path / "named.toml", "1"), _file(tmp_path / "variable.toml", "2")
    folder = tmp_path / "credentials"
    folder.mkdir()
    credential = _file(folder / CREDENTIAL, "3", 0o400)
    own = _file(tmp_path / "own.toml", "4")
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
    own = _file(tmp_path / "own.toml")
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
    path = _file(tmp_path / "secrets.toml", mode=mode)
    with pytest.raises(SecretsError, match=r"permissions too open.*chmod 600"):
        read_secrets(path)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_private_file_is_read(tmp_path: Path, mode: int) -> None:
    """Whether or not its owner may change it."""
    assert read_secrets(_file(tmp_path / "secrets.toml", mode=mode))["access_token"] == Secret(CANARY)


def test_behind_a_link_the_file_counts(tmp_path: Path) -> None:
    """A link to a private file is read, one to an open file is refused."""
    link = tmp_path / "link.toml"
    link.symlink_to(_file(tmp_path / "private.toml"))
    assert read_secrets(link)
    link.unlink()
    link.symlink_to(_file(tmp_path / "open.toml", mode=0o644))
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
    path = _file(folder / "secrets.toml")
    folder.chmod(0o777)
    with pytest.raises(SecretsError, match="others can replace it"):
        read_secrets(path)
    folder.chmod(0o1777)
    assert read_secrets(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file another user's")
def test_a_file_of_another_user_is_refused() -> None:
    """Who owns it can read it whenever they like."""
    with owned_folder() as folder:
        path = _file(folder / "secrets.toml")
        os.chown(path, NOBODY - 1, NOBODY - 1)
        with somebody(), pytest.raises(SecretsError, match="cannot be read"):
            read_secrets(path)


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
    found = _source(_file(tmp_path / "secrets.toml"), {}, tmp_path / "none")
    assert CANARY not in repr(found)
    assert CANARY not in f"{found}"


def test_what_is_stored_is_read_again(tmp_path: Path) -> None:
    """A file of its own where there is no key store: private from its first byte, beside what was there."""
    own = tmp_path / "pos-app" / "secrets.toml"
    odd = Secret('quote " back \\ ÿ')
    place = write_secrets({"access_token": odd, "merchant_password": Secret("p")}, own, "live")
    assert place == str(own)
    assert (own.stat().st_mode & 0o777, own.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    write_secrets({"access_token": Secret(""), "merchant_password": Secret("new")}, own, "live")
    found = _source(None, {}, own)
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


def _lent(path: Path, user: int = 0, group: int = 0, others: int = 0) -> Path:
    """With an access list as a service manager makes it; the mode's group bits are then the list's mask."""
    everybody = 0xFFFFFFFF
    entries = [
        (0x01, 4, everybody),
        (0x02, 4, user),
        (0x04, group, everybody),
        (0x10, 4, everybody),
        (0x20, others, everybody),
    ]
    packed = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    os.setxattr(path, "system.posix_acl_access", packed)
    return path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend another user a file of its own")
def test_a_credential_lent_by_an_access_list_is_read() -> None:
    """As newer service managers give them: root's, with a list for this user alone; it looks group-readable."""
    with owned_folder() as folder:
        path = _file(folder / CREDENTIAL, mode=0o400)
        os.chown(path, 0, 0)
        _lent(path, NOBODY)
        assert path.stat().st_mode & 0o777 == 0o440
        with somebody():
            found = _source(None, {"CREDENTIALS_DIRECTORY": str(folder)}, folder / "none")
            assert found.access_token == Secret(CANARY)


@pytest.mark.parametrize(
    "more",
    [{"user": NOBODY - 1}, {"user": NOBODY, "group": 4}, {"user": NOBODY, "others": 4}],
    ids=["another user", "a group", "everybody"],
)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lend another user a file of its own")
def test_a_credential_lent_to_more_than_us_is_refused(more: dict[str, int]) -> None:
    """Whoever else is on the list can read it."""
    with owned_folder() as folder:
        path = _file(folder / CREDENTIAL, mode=0o400)
        os.chown(path, 0, 0)
        _lent(path, **more)
        with somebody(), pytest.raises(SecretsError, match=r"permissions too open|cannot be read"):
            read_secrets(path)


def test_changes_go_where_the_next_start_looks(tmp_path: Path) -> None:
    """A file that was named, by option or variable, also when it is not there yet; else the own place."""
    new, own = {"access_token": Secret("new")}, tmp_path / "own.toml"
    _file(own)
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
    _file(tmp_path / CREDENTIAL, mode=0o400)
    with pytest.raises(SecretsError, match="change them there"):
        change_secrets({}, None, {"CREDENTIALS_DIRECTORY": str(tmp_path)}, tmp_path / "own", "live")
    place = change_secrets(
        {}, None, {"CREDENTIALS_DIRECTORY": str(tmp_path / "no")}, tmp_path / "own", "live"
    )
    assert place == str(tmp_path / "own")


def test_behind_a_link_the_file_itself_is_changed(tmp_path: Path) -> None:
    """Else the secrets that were changed would stay where the link leads."""
    file = _file(tmp_path / "file.toml")
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
