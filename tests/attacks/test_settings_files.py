"""Settings that somebody else could have written: who can change them sends the shop's secrets where they like."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.settings import SettingsError, load_settings, sandbox_allowed
from pos_app.system import paths
from tests.integration.cli.till import bare
from tests.support.unprivileged import NOBODY, owned_folder, somebody
from tests.unit.settings.files import LIVE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX knows them")


@pytest.fixture
def folder() -> Iterator[Path]:
    with owned_folder() as made:
        file = made / "config.toml"
        file.write_text(LIVE)
        if os.geteuid() == 0:
            os.chown(file, NOBODY, NOBODY)
        file.chmod(0o644)
        yield made


def refusal(file: Path) -> str:
    with somebody(), pytest.raises(SettingsError) as caught:
        load_settings(file, {})
    return str(caught.value)


def accepted(file: Path) -> bool:
    with somebody():
        return load_settings(file, {}).shop.name == "Corner Shop"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o444, 0o664])
def test_a_file_that_others_may_only_read_is_taken(folder: Path, mode: int) -> None:
    """Also one that its owner's group may write: many systems give each user a group."""
    (folder / "config.toml").chmod(mode)
    assert accepted(folder / "config.toml")


@pytest.mark.parametrize("mode", [0o666, 0o646, 0o602, 0o777])
def test_a_file_that_everybody_may_change_is_refused(folder: Path, mode: int) -> None:
    """With the command that mends it."""
    file = folder / "config.toml"
    file.chmod(mode)
    assert f"can be changed by others; run: chmod o-w {file}" in refusal(file)


def test_a_file_in_a_folder_that_everybody_may_write_is_refused(folder: Path) -> None:
    """They would put another in its place."""
    folder.chmod(0o777)
    assert f"can be replaced by others; run: chmod o-w {folder}" in refusal(folder / "config.toml")


def test_a_file_in_a_folder_where_nobody_may_take_anothers_is_taken(folder: Path) -> None:
    """As in /tmp."""
    folder.chmod(0o777 | stat.S_ISVTX)
    assert accepted(folder / "config.toml")


def test_a_link_is_judged_by_what_it_leads_to(folder: Path) -> None:
    """And by the folder it lies in itself."""
    link = folder / "link.toml"
    link.symlink_to(folder / "config.toml")
    assert accepted(link)
    (folder / "config.toml").chmod(0o666)
    assert "can be changed by others" in refusal(link)


def test_a_link_that_others_may_turn_is_refused(folder: Path) -> None:
    """Its aim is in order; the link is not."""
    open_to_all = folder / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    (open_to_all / "link.toml").symlink_to(folder / "config.toml")
    assert "can be replaced by others" in refusal(open_to_all / "link.toml")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused(folder: Path) -> None:
    """Neither ours nor the administrator's."""
    file = folder / "config.toml"
    os.chown(file, NOBODY - 1, NOBODY - 1)
    assert "belongs to another user, who can change it" in refusal(file)
    with pytest.raises(SettingsError, match="belongs to another user"):
        load_settings(file, {})  # by root, whom no permission stops
    os.chown(file, 0, 0)
    assert accepted(file)


@pytest.mark.parametrize("verb", ["doctor", "transactions", "pay"])
def test_no_verb_works_on_such_settings(tmp_path: Path, verb: str) -> None:
    """One clear line with the file; exit code 78; no data folder is made."""
    file = tmp_path / "config.toml"
    file.write_text(LIVE)
    file.chmod(0o666)
    rest = ("--amount", "1.00", "--qr") if verb == "pay" else ()
    done = bare("--config", str(file), "--data-dir", str(tmp_path / "data"), verb, *rest)
    assert done.code == 78, done
    assert "config.toml: can be changed by others" in done.out + done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "data").exists()


def test_a_variable_does_not_lead_past_a_fleets_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lock keys; a cashier's XDG_CONFIG_DIRS must not make them vanish."""
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "elsewhere"))
    fleet = tmp_path / "xdg" / "config.toml"
    assert paths.site_file(fleet).is_relative_to(tmp_path / "elsewhere")
    fleet.parent.mkdir()
    fleet.write_text("")
    assert paths.site_file(fleet) == fleet


def test_a_fleets_settings_behind_a_closed_door_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Root made their folder with a umask of 077: their locks are not skipped, and it is said in words."""
    with owned_folder() as folder:
        monkeypatch.setenv("XDG_CONFIG_DIRS", str(folder / "elsewhere"))
        fleet = folder / "xdg" / "pos-app" / "config.toml"
        fleet.parent.mkdir(parents=True)
        fleet.write_text(LIVE)
        fleet.parent.chmod(0)
        try:
            with somebody():
                site = paths.site_file(fleet)
                assert site == fleet
                with pytest.raises(SettingsError, match=r"config\.toml.*cannot be read: Permission denied"):
                    load_settings(None, {}, site_file=site)
                with pytest.raises(SettingsError, match="cannot be read"):
                    sandbox_allowed(site)
        finally:
            fleet.parent.chmod(0o700)
