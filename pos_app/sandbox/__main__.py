"""Starts the sandbox on its own (`python -m pos_app.sandbox`); it must do no more than that."""

import argparse
import sys

from pos_app.sandbox.command import add_arguments, run


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="pos-app sandbox", description="Both payment services, on this machine alone."
    )
    add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
