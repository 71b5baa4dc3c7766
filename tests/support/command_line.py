"""The command line of a till on given files, as its parser would leave it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pos_app.bootstrap.options import Options


def arguments(config_dir: Path, data_dir: Path, **more: Any) -> Options:
    """The command line of a till on these files."""
    named = {
        "config": config_dir / "config.toml",
        "secrets_file": config_dir / "secrets.toml",
        "data_dir": data_dir,
    }
    return Options(**(named | more))
