"""A settings file that is right, and changes to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.settings import Settings, SettingsError, load_settings

LIVE = """\
# The shop at the corner
[gateway]
environment = "live"   # never mixed
base_url = "https://gateway.example"
merchant_pg_identifier = "M-0001"
counter_id = 1

[shop]
name = "Corner Shop"
currency = "LKR"
country = "LK"
"""


def loaded(folder: Path, text: str | bytes = LIVE) -> Settings:
    """What a file with this text says."""
    file = folder / "config.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_settings(file, {})


def refused(folder: Path, text: str | bytes) -> str:
    """What is said about a file with this text."""
    with pytest.raises(SettingsError) as caught:
        loaded(folder, text)
    return str(caught.value)


def changed(old: str, new: str) -> str:
    """The right file with one thing replaced."""
    assert LIVE.count(old) == 1
    return LIVE.replace(old, new)


def with_line(section: str, line: str) -> str:
    """The right file with one line more in a section."""
    return (
        LIVE.replace(f"[{section}]\n", f"[{section}]\n{line}\n")
        if f"[{section}]" in LIVE
        else (f"{LIVE}[{section}]\n{line}\n")
    )
