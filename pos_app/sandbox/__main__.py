"""Starts the sandbox on its own (`python -m pos_app.sandbox`); it must do no more than that."""

import argparse
import sys
from pathlib import Path

if not __package__:
    # Started by its file: isolated, Python puts no folder of ours on its path.
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from pos_app.sandbox.command import add_arguments, run


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="pos-app sandbox", description="Both payment services, on this machine alone."
    )
    parser.add_argument("--json", action="store_true", help="JSON lines")
    add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
