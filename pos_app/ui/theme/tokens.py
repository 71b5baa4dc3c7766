"""The one place of colours, spaces, radii and sizes; nothing else may write a colour or invent a space."""

from __future__ import annotations

from typing import NamedTuple


class Tokens(NamedTuple):
    """The colours of one theme, as "#rrggbb"."""

    dark: bool
    bg: str
    surface: str
    raised: str
    text: str
    muted: str
    line: str
    key: str
    keyline: str
    field: str
    fieldline: str
    hover: str
    pressed: str
    primary: str
    primaryhover: str
    primarypressed: str
    onprimary: str
    primarysoft: str
    ok: str
    oksoft: str
    onok: str
    bad: str
    badsoft: str
    onbad: str
    warn: str
    warnsoft: str
    onwarn: str
    focus: str
    off: str
    sandbox: str
    sandboxstripe: str
    onsandbox: str
    sandboxbar: str
    paper: str
    ink: str
    veil: str


# fieldline and focus are darker than the hairlines: a field's edge and a focus ring need 3:1, a key's
# hairline is decoration because its label carries it.
LIGHT = Tokens(
    dark=False,
    bg="#F4F6F8", surface="#FFFFFF", raised="#FFFFFF", text="#0F172A", muted="#475569", line="#DFE5EC",
    key="#FFFFFF", keyline="#D5DDE6", field="#FFFFFF", fieldline="#7C8CA1", hover="#F0F4F8",
    pressed="#E6EBF1", primary="#0F766E", primaryhover="#0D6962", primarypressed="#0B5B55",
    onprimary="#FFFFFF", primarysoft="#E3F4F1",
    ok="#137A38", oksoft="#E7F6EC", onok="#FFFFFF", bad="#B91C1C", badsoft="#FDECEC", onbad="#FFFFFF",
    warn="#A84C06", warnsoft="#FEF3DC", onwarn="#FFFFFF", focus="#0E7490", off="#5B6B82",
    sandbox="#F59E0B", sandboxstripe="#FBBF24", onsandbox="#3B2500", sandboxbar="#FFF9EC",
    paper="#FFFFFF", ink="#000000", veil="#0F172A",
)  # fmt: skip

DARK = Tokens(
    dark=True,
    bg="#0B1220", surface="#121B2C", raised="#18243A", text="#E8EEF7", muted="#9DB0C9", line="#25324A",
    key="#18243A", keyline="#2A3954", field="#0E1626", fieldline="#6B7F9E", hover="#1E2C46",
    pressed="#24344F", primary="#2DD4BF", primaryhover="#27C6B2", primarypressed="#1FB5A3",
    onprimary="#042F2E", primarysoft="#10312F",
    ok="#4ADE80", oksoft="#10301D", onok="#052E16", bad="#F87171", badsoft="#371A1D", onbad="#3B0A0A",
    warn="#FBBF24", warnsoft="#33270D", onwarn="#3B2500", focus="#7DD3FC", off="#8296B2",
    sandbox="#F59E0B", sandboxstripe="#FBBF24", onsandbox="#3B2500", sandboxbar="#1B1A1E",
    paper="#FFFFFF", ink="#000000", veil="#02050B",
)  # fmt: skip

THEMES = {"light": LIGHT, "dark": DARK}

FAMILIES = [
    "Noto Sans",
    "Noto Sans Sinhala",
    "Noto Sans Tamil",
    "Noto Sans Arabic",
    "Segoe UI",
    "Nirmala UI",
    "Helvetica Neue",
    "DejaVu Sans",
]
"""The scripts of all languages, by name: the system might else choose one with serifs."""

VEIL_ALPHA = 150
"""How much of the till an overlay dims, of 255."""

GAP = 4
"""The grid: every space is a multiple of it."""

S1, S2, S3, S4, S5, S6 = GAP, 2 * GAP, 3 * GAP, 4 * GAP, 5 * GAP, 6 * GAP

RADIUS_PANEL = 16
RADIUS_KEY = 14
RADIUS_SMALL = 6

TOUCH = 48
"""No target is smaller (logical pixels)."""

KEY_HEIGHT = 57
"""15 mm at 96 dpi: the least height of a keypad's key."""

BAND_HEIGHT = 28
QR_LEAST = 240
QUIET_ZONE = 4
TICK_MS = 1000
