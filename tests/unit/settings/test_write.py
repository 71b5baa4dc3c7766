"""Writing settings: comments stay, the file is whole or unchanged, and what would be refused is not written."""

from __future__ import annotations

import stat
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.settings import SettingsError, load_settings, write_settings
from tests.support.unprivileged import owned_folder, somebody
from tests.unit.settings.files import LIVE

CHANGES = {
    "gateway.base_url": "https://other.example",
    "gateway.counter_id": 7,
    "gateway.token_command": ("/usr/bin/token", "--json"),
    "gateway.verification_fail_is_final": True,
    "shop.name": 'Café "Zoë" \\ 5',
    "shop.max_amount": Decimal("1E+5"),
    "window.theme": "dark",
}


def test_only_what_changed_changes(tmp_path: Path) -> None:
    """Comments, order and blank lines are the owner's."""
    file = tmp_path / "config.toml"
    file.write_text(LIVE)
    write_settings(file, {"shop.name": "Other Shop"})
    assert file.read_text() == LIVE.replace("Corner Shop", "Other Shop")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """Every type, in old sections and new ones."""
    file = tmp_path / "config.toml"
    file.write_text(LIVE)
    write_settings(file, CHANGES)
    settings = load_settings(file, {})
    for name, value in CHANGES.items():
        section, _, key = name.partition(".")
        assert getattr(getattr(settings, section), key) == value
    assert "# never mixed" in file.read_text()


def test_a_first_file_is_made_with_its_folder(tmp_path: Path) -> None:
    """Settings may be read by everyone; the folder beside the secrets may not be entered."""
    file = tmp_path / "pos-app" / "config.toml"
    write_settings(file, {"shop.name": "Corner Shop"})
    assert file.read_text() == '[shop]\nname = "Corner Shop"\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    """Somebody keeps the file elsewhere, for one group alone."""
    kept, link = tmp_path / "kept.toml", tmp_path / "config.toml"
    kept.write_text(LIVE)
    kept.chmod(0o640)
    link.symlink_to(kept)
    write_settings(link, {"shop.name": "Other Shop"})
    assert link.is_symlink()
    assert "Other Shop" in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_dotted_and_inline_files_are_written_in_their_own_way(tmp_path: Path) -> None:
    """Whatever TOML allows."""
    file = tmp_path / "config.toml"
    file.write_text('\ufeffgateway.counter_id = 1\nshop = { name = "A" } # one line\n')
    write_settings(file, {"gateway.counter_id": 2, "shop.name": "B"})
    assert file.read_text() == 'gateway.counter_id = 2\nshop = { name = "B" } # one line\n'


@pytest.mark.parametrize(
    ("name", "value"),
    [("gateway.counter_id", 0), ("gateway.counter_id", "1"), ("shop.currency", "XXX"), ("shop.name", "")],
)
def test_what_would_be_refused_is_not_written(tmp_path: Path, name: str, value: object) -> None:
    """A file that worked goes on working."""
    file = tmp_path / "config.toml"
    file.write_text(LIVE)
    with pytest.raises(SettingsError, match=name):
        write_settings(file, {"window.theme": "dark", name: value})
    assert file.read_text() == LIVE


@pytest.mark.parametrize("data", [b"no toml", b"\xff\xfe", b"shop = 1\n"])
def test_a_file_that_is_no_settings_file_is_not_overwritten(tmp_path: Path, data: bytes) -> None:
    """It may be somebody's other file."""
    file = tmp_path / "config.toml"
    file.write_bytes(data)
    with pytest.raises(SettingsError, match="not TOML"):
        write_settings(file, {"shop.name": "A"})
    assert file.read_bytes() == data


def test_a_folder_that_cannot_be_written_leaves_the_file() -> None:
    """The old file whole, nothing beside it."""
    with owned_folder() as folder:
        file = folder / "config.toml"
        file.write_text(LIVE)
        write_settings(file, {"shop.name": "Corner Shop"})
        folder.chmod(0o500)
        with somebody(), pytest.raises(PermissionError):
            write_settings(file, {"shop.name": "A"})
        assert [one.name for one in folder.iterdir()] == ["config.toml"]
        assert file.read_text() == LIVE
