"""The cells of the failure model a proxy can reach: what each row is to do to a payment, a question, a code."""

from __future__ import annotations

COLUMNS = {
    "S": "initiate",
    "T": "getstatus",
    "C": "cancel",
    "G": "query",
    "O1": "validate-code",
    "O2": "submit-code",
}
"""The steps that send something, and the operation each sends."""

_LINE = ("N", "P", "P", "P", "V", "V")
_SILENT = ("U", "P", "U", "P", "Q", "Q")
_UNREADABLE = ("U", "X", "U", "X", "Q", "Q")

ROWS: dict[int, tuple[str, tuple[str, ...]]] = {
    16: ("captive portal, network change", ("N/U", "P", "P", "P", "V", "Q")),
    17: ("name not resolved", _LINE),
    18: ("connection refused, or none in time", _LINE),
    19: ("identity not proven", _LINE),
    20: ("reset while sending", _SILENT),
    21: ("reset or silence after sending", _SILENT),
    22: ("request arrives late", ("U", "", "U", "", "Q", "Q")),
    23: ("request arrives twice", ("U/ok", "ok", "5006", "ok", "ok", "V/Q")),
    24: ("slow bytes", _SILENT),
    25: ("half a reply, wrong length", _UNREADABLE),
    26: ("HTML 502, 503, 504", _SILENT),
    27: ("200 with HTML or another type", _UNREADABLE),
    28: ("JSON 5xx", _SILENT),
    29: ("401", ("A+U", "A", "A+U", "A", "A", "A")),
    30: ("403", ("A+U", "A", "A+U", "A", "V", "A")),
    31: ("400, 404, 405, 406, 415 bare", ("U", "P", "U", "P", "V", "V")),
    32: ("429 with Retry-After", ("L+U", "L", "L+U", "L", "V", "Q")),
    33: ("429 without, or an absurd one", ("L+U", "L", "L+U", "L", "V", "Q")),
    34: ("redirect", _UNREADABLE),
    35: ("more than a reply may be", _UNREADABLE),
    36: ("packed, or a bomb", _UNREADABLE),
    37: ("not JSON as money needs it", _UNREADABLE),
    38: ("JSON, but not our envelope", _UNREADABLE),
    40: ("an older status again", ("", "B", "", "", "", "")),
}
"""docs/failure-model.md, "The matrix"; an empty code is a cell the fault cannot reach."""


def code(row: int, column: str) -> str:
    """What the failure model asks in a cell."""
    return ROWS[row][1][list(COLUMNS).index(column)]


def cells() -> list[tuple[int, str, str]]:
    """Row, column and way of paying ("" where the step has none), in their order."""
    found = []
    for row in ROWS:
        for column in COLUMNS:
            if code(row, column):
                kinds = ("push", "qr") if column in ("S", "T", "C") else ("",)
                found += [(row, column, kind) for kind in kinds]
    return found


def name(row: int, column: str, kind: str) -> str:
    """The cell as figures and findings call it: 21/S/push."""
    return "/".join(filter(None, (str(row), column, kind)))
