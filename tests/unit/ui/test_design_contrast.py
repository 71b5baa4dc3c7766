"""Every pair of ink and ground that is painted reads well, in both themes."""

from __future__ import annotations

import pytest

from pos_app.ui.theme.tokens import DARK, LIGHT, Tokens

TEXT = 4.5
SHAPE = 3.0

GROUNDS = (
    "bg",
    "surface",
    "raised",
    "sandboxbar",
    "key",
    "field",
    "oksoft",
    "badsoft",
    "warnsoft",
    "primarysoft",
)

TEXT_PAIRS = [
    *(("text", ground) for ground in GROUNDS), *(("muted", ground) for ground in GROUNDS),
    *((ink, "surface") for ink in ("primary", "ok", "bad", "warn", "off")),
    *((ink, "raised") for ink in ("primary", "ok", "bad", "warn")),
    *((ink, "sandboxbar") for ink in ("bad", "warn", "ok")),
    ("ok", "oksoft"), ("bad", "badsoft"), ("warn", "warnsoft"), ("primary", "primarysoft"),
    ("warn", "badsoft"), ("bad", "warnsoft"), ("bad", "oksoft"), ("warn", "oksoft"),
    ("onprimary", "primary"), ("onprimary", "primarypressed"), ("onok", "ok"), ("onbad", "bad"),
    ("onwarn", "warn"),
    ("text", "pressed"), ("muted", "pressed"), ("onprimary", "primaryhover"),
    *((ink, "hover") for ink in ("text", "muted", "primary", "bad", "warn")),
    ("onsandbox", "sandbox"), ("onsandbox", "sandboxstripe"),
    ("off", "bg"), ("ink", "paper"),
]  # fmt: skip

SHAPE_PAIRS = [
    *(("focus", ground) for ground in GROUNDS[:3]), *(("primary", ground) for ground in GROUNDS[:3]),
    *(("fieldline", ground) for ground in GROUNDS[:3]),
    *((mark, "surface") for mark in ("ok", "bad", "warn", "muted")),
    ("focus", "oksoft"), ("focus", "badsoft"), ("focus", "warnsoft"),
    ("bad", "field"), ("focus", "field"), ("fieldline", "field"),
]  # fmt: skip


def luminance(colour: str) -> float:
    """WCAG's relative luminance of "#rrggbb"."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT_PAIRS)
def test_text_can_be_read(theme: Tokens, ink: str, ground: str) -> None:
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= TEXT


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("shape", "ground"), SHAPE_PAIRS)
def test_shapes_can_be_seen(theme: Tokens, shape: str, ground: str) -> None:
    assert contrast(getattr(theme, shape), getattr(theme, ground)) >= SHAPE


def test_the_measure_is_the_known_one() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
