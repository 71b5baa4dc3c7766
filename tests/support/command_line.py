"""The command line of a till on given files, as its parser would leave it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pos_app.cli.parser import DEFAULTS


def arguments(config_dir: Path, data_dir: Path, **more: Any) -> argparse.Namespace:
    """The command line of a till on these files."""
    named = {
        "config": str(config_dir / "config.toml"),
        "secrets_file": str(config_dir / "secrets.toml"),
        "data_dir": str(data_dir),
    }
    return argparse.Namespace(**(DEFAULTS | {"verb": None} | named | more))
