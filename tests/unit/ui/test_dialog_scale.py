"""Every panel at 200 %: the same checks in a process of their own, as Qt scales at start only; and contrast."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from pos_app.ui.theme.tokens import THEMES

HERE = Path(__file__).parent
CHECKED = (
    HERE / "test_dialog_sign_in.py",
    HERE / "test_dialog_open_payments.py",
    HERE / "test_dialog_confirm_help.py",
    HERE / "test_dialog_settings.py",
    HERE / "test_wizard.py",
)
PAIRS = (
    ("text", "primarysoft"),
    ("muted", "primarysoft"),
    ("primary", "primarysoft"),
    ("onprimary", "primary"),
    ("text", "pressed"),
    ("muted", "pressed"),
    ("muted", "raised"),
    ("bad", "raised"),
    ("ok", "raised"),
    ("warn", "raised"),
    ("primary", "bg"),
    ("muted", "bg"),
    ("muted", "field"),
    ("text", "key"),
    ("off", "bg"),
)
"""Text and ground of the panels and the phone, beside those of the till."""


def test_nothing_is_cut_at_200_percent() -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "-k",
        "fit or problem or key_that or show",
    ]
    done = subprocess.run(
        [*command, *map(str, CHECKED)],
        env=os.environ | {"QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        timeout=110,
        cwd=HERE.parents[1],
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert " passed" in done.stdout


def test_every_text_stands_out_from_its_ground() -> None:
    weak = [
        f"{theme}: {ink} on {ground}"
        for theme, on in THEMES.items()
        for ink, ground in PAIRS
        if _contrast(getattr(on, ink), getattr(on, ground)) < 4.5
    ]
    assert weak == []


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
