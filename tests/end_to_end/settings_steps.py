"""What a manager does on the settings' screen, and what the journal has of it. It holds no tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt

from pos_app.domain.people import TERMINAL
from pos_app.domain.record import Record
from pos_app.journal import read_only
from tests.support.sandbox import Sandbox
from tests.support.till import StartedTill

COMMENT = "# Opening hours: 8 to 20.\n"
WHY = "Asked for by the owner"


def write_in(sandbox: Sandbox, config_dir: Path) -> Path:
    """A settings file that a person has written in; the token of today."""
    sandbox.renew_token()
    secrets = config_dir / "secrets.toml"
    secrets.write_text(
        f'access_token = "{sandbox.access_token}"\n'
        f'merchant_secret_code = "{sandbox.merchant_secret_code}"\n'
        f'merchant_password = "{sandbox.merchant_password}"\n'
    )
    secrets.chmod(0o600)
    file = config_dir / "config.toml"
    file.write_text(COMMENT + file.read_text("utf-8"), "utf-8")
    return file


def records(till: StartedTill, *kinds: str) -> list[Record]:
    """What the journal holds of these, oldest first."""
    journal = read_only(till.session.shop.data_dir / "journal.sqlite")
    try:
        return [event for event in journal.events_of(TERMINAL) if event.kind in kinds]
    finally:
        journal.close()


def says_anywhere(till: StartedTill, text: str) -> bool:
    return any(text in words for words in till.words())


def open_settings(till: StartedTill, section: str) -> None:
    if not till.seen("settings"):
        till.press(Qt.Key.Key_F10)
        till.touch("manager_settings")
        till.until_seen("settings")
    till.part("sections").choose(section)


def fill(till: StartedTill, name: str, text: str) -> None:
    till.fill(name.replace(".", "_"), text)


def choose(till: StartedTill, name: str, value: str) -> None:
    till.choose(name.replace(".", "_"), value)


def save(till: StartedTill, why: str = WHY) -> None:
    fill(till, "reason", why)
    till.touch("save")


def saved(till: StartedTill, why: str = WHY) -> None:
    save(till, why)
    till.until_says("save_outcome", "Saved.")


def close(till: StartedTill) -> None:
    till.touch("back")
    if "not saved" in till.says("save_outcome"):
        till.touch("back")
    till.until(lambda: not till.seen("settings"))
    till.leave_menu()


def change(till: StartedTill, section: str, texts: Mapping[str, str], choices: Mapping[str, str]) -> None:
    open_settings(till, section)
    for name, value in choices.items():
        choose(till, name, value)
    for name, text in texts.items():
        fill(till, name, text)
    saved(till)
