"""What the command line asks of every run, whatever verb it names: read once at the door, frozen, handed on."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The common options. None or "": not given, so that settings, environment or defaults decide.

    `config`, `secrets_file`: files; `data_dir`: the folder around those of the environments. `language`: two letters.
    `log_level`: debug, info, warning or error. `json`: standard output is for a program. `sandbox`: on a sandbox of
    its own; `training`: with the course open beside it. `kiosk`: the till alone on its screen.
    """

    config: Path | None = None
    secrets_file: Path | None = None
    data_dir: Path | None = None
    language: str = ""
    log_level: str = "info"
    json: bool = False
    sandbox: bool = False
    training: bool = False
    kiosk: bool = False
