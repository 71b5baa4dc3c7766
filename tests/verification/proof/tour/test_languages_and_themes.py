"""The whole tour in each language, light and dark: every scene comes to its end, with a picture of each screen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image, ImageStat

from tests.support.types_of_qt import made_elsewhere

ROOT = Path(__file__).parents[4]
TOURS = [("en", "light"), ("si", "dark"), ("ta", "light"), ("ar", "dark")]
SHOWN = (
    "sign-in", "code", "choose-passcode", "ready", "amount", "waiting-qr", "customer-scans", "paid",
    "customer-paid", "wallet-number", "waiting-push", "locked", "person-menu", "passcode", "manager", "people",
    "enrol", "settings", "what-was-done", "not-paid", "cancel-asks-once", "cancelled", "time-ran-out",
    "not-known-yet", "late-payment", "today", "today-searched", "help", "open-payments", "safe-screen",
)  # fmt: skip
CODES = ("waiting-qr", "customer-scans")
LIGHT, DARK = 150, 90
"""The mean of a picture's brightness, of 255: above the one, below the other."""


def shown_in_guides(language: str) -> set[str]:
    """What the guides show in this language; `make docs` has it taken by this tour."""
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs" / "guides").glob("*.md"))
    return set(re.findall(rf"\(pictures/{language}/([\w-]+)\.png\)", pages))


@pytest.mark.timeout(420)
@pytest.mark.parametrize(("language", "theme"), TOURS)
def test_the_tour_comes_to_its_end(tmp_path: Path, language: str, theme: str) -> None:
    types = tmp_path / "types"
    command = [sys.executable, "-m", "tests.support.types_of_qt", str(types), "tour"]
    done = subprocess.run(
        [*command, "--screenshots", str(tmp_path), "--language", language, "--theme", theme],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert made_elsewhere(types) == []
    pictures = {path.stem.partition("-")[2]: path for path in tmp_path.glob("*.png")}
    assert set(SHOWN) <= set(pictures)
    assert shown_in_guides(language) <= set(pictures)
    for name in CODES:
        assert zxingcpp.read_barcodes(Image.open(pictures[name])), name
    ready = ImageStat.Stat(Image.open(pictures["ready"]).convert("L")).mean[0]
    assert ready > LIGHT if theme == "light" else ready < DARK
