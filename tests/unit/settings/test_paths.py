"""The till's folders: its owner's alone, one for each environment, and refused when they are somebody else's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pos_app.bootstrap.errors import Exit
from pos_app.cli.main import main
from pos_app.system import paths
from pos_app.system.resources import resources
from tests.support.owners_alone import is_owners_alone
from tests.support.unprivileged import IS_ROOT, NOBODY, owned_folder, somebody


def test_missing_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    """However deep, whatever the umask."""
    before = os.umask(0)
    try:
        folder = paths.data_dir(tmp_path / "deep" / "data", "live")
    finally:
        os.umask(before)
    assert folder == tmp_path / "deep" / "data" / "live"
    assert is_owners_alone(folder)
    assert is_owners_alone(folder.parent)


def test_live_and_sandbox_have_folders_of_their_own(tmp_path: Path) -> None:
    """And a second start finds the same."""
    live, sandbox = paths.data_dir(tmp_path, "live"), paths.data_dir(tmp_path, "sandbox")
    assert live != sandbox
    assert paths.data_dir(tmp_path, "live") == live


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_a_folder_others_can_change_is_refused(tmp_path: Path, mode: int) -> None:
    """With the command that mends it."""
    folder = paths.data_dir(tmp_path, "live")
    folder.chmod(mode)
    with pytest.raises(paths.FolderError, match=f"run: chmod 700 {folder}"):
        paths.data_dir(tmp_path, "live")


def test_a_root_others_can_rename_in_is_refused(tmp_path: Path) -> None:
    """A folder like /tmp is good enough, because nobody can take the till's own away there."""
    root = tmp_path / "root"
    root.mkdir()
    root.chmod(0o777)
    with pytest.raises(paths.FolderError, match="can be changed by others"):
        paths.data_dir(root, "live")
    root.chmod(0o1777)
    assert paths.data_dir(root, "live").is_dir()


def test_a_readable_root_of_ones_own_will_do(tmp_path: Path) -> None:
    """A home folder is often open for reading."""
    tmp_path.chmod(0o755)
    assert paths.data_dir(tmp_path, "live").is_dir()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file in its place, no permission, a name that is none."""
    (tmp_path / "live").touch()
    with pytest.raises(paths.FolderError, match="cannot be made: File exists"):
        paths.data_dir(tmp_path, "live")
    with pytest.raises(paths.FolderError, match="cannot be made"):
        paths.data_dir(tmp_path / "nul\0", "live")
    with owned_folder() as folder:
        folder.chmod(0o500)
        with somebody(), pytest.raises(paths.FolderError, match="cannot be made: Permission denied"):
            paths.data_dir(folder, "live")


@pytest.mark.skipif(not IS_ROOT, reason="only root can make a folder another user's")
def test_another_users_folder_is_refused() -> None:
    """Whoever owns it can change it whenever they like; so too when the till runs as root."""
    with owned_folder() as folder:
        made = folder / "live"
        made.mkdir(0o755)
        os.chown(made, NOBODY - 1, NOBODY - 1)
        with somebody(), pytest.raises(paths.FolderError, match="belongs to another user"):
            paths.data_dir(folder, "live")
        with pytest.raises(paths.FolderError, match="belongs to another user"):
            paths.data_dir(folder, "live")


def test_an_account_without_a_home_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a container: it was a bare traceback, and 1, which means "not paid" to whoever asked for a payment."""
    pwd = pytest.importorskip("pwd")

    def unknown(number: int) -> None:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for place in (paths.user_file, paths.user_secrets_file, paths.data_root, paths.state_dir):
        with pytest.raises(paths.FolderError, match="no home folder"):
            place()
    assert main(["pay", "--amount", "1.00", "--qr"]) == Exit.CANNOT_CREATE
    said = capsys.readouterr()
    assert (said.out, said.err.startswith("pos-app: this account has no home folder: set HOME")) == ("", True)


def test_the_places_are_the_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Settings and secrets under the user's configuration, data under the user's data, the fleet's for all."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert paths.user_file() == tmp_path / "config" / "pos-app" / "config.toml"
        assert paths.user_secrets_file() == tmp_path / "config" / "pos-app" / "secrets.toml"
        assert paths.data_root() == tmp_path / "data" / "pos-app"
        assert paths.site_file() == Path("/etc/xdg/pos-app/config.toml")
    assert resources().is_dir()
