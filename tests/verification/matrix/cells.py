"""The matrix as data: which fault can meet which step, and the behaviour each cell must show. Plays nothing."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from pos_app.domain.attempt import Kind

MATRIX = Path(__file__).with_name("matrix.toml")
STEPS = ("J0", "S", "J1", "T", "C", "G", "O1", "O2", "D")
NAMES = {
    "J0": "intent",
    "S": "send",
    "J1": "record",
    "T": "poll",
    "C": "cancel",
    "G": "later",
    "O1": "code-out",
    "O2": "code-in",
    "D": "shown",
}
WITHOUT_KIND = ("O1", "O2")
"""Signing in has nothing to do with how a customer pays."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault, and by step: the codes of what the till does, what is lacking, what is not there at all."""

    number: int
    fault: str
    cells: dict[str, str]
    partly: dict[str, str] = {}
    not_built: dict[str, str] = {}


class _File(msgspec.Struct, frozen=True):
    row: list[Row]


class Case(msgspec.Struct, frozen=True):
    """One cell, for one kind of payment (None where there is no payment). `codes`: as the file has them."""

    row: int
    step: str
    kind: Kind | None
    codes: str
    fault: str

    @property
    def cell(self) -> str:
        """As the table counts it."""
        return f"{self.row} {self.step}"

    @property
    def name(self) -> str:
        """row-21-reset-after-sending × S × push → U."""
        words = "-".join("".join(c if c.isalnum() else " " for c in self.fault).split())
        kind = f" × {self.kind.value}" if self.kind else ""
        return f"row-{self.row}-{words} × {self.step}{kind} → {self.codes}"


@cache
def rows() -> tuple[Row, ...]:
    """All of the file, in its order."""
    return tuple(msgspec.convert(tomllib.loads(MATRIX.read_text("utf-8")), _File).row)


@cache
def cases() -> tuple[Case, ...]:
    """Every cell whose part of the till is built, for each kind of payment it can meet."""
    return tuple(
        Case(row.number, step, kind, row.cells[step], row.fault)
        for row in rows()
        for step in STEPS
        if step in row.cells and step not in row.not_built
        for kind in (_kinds(row.number, step))
    )


def _kinds(row: int, step: str) -> tuple[Kind | None, ...]:
    if step in WITHOUT_KIND:
        return (None,)
    if (row, step) == (48, "D"):
        # There is no code on the screen of a push.
        return (Kind.QR,)
    return (Kind.PUSH, Kind.QR)
