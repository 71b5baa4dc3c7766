"""The start: `pos-app` and `python -m pos_app`. Shuts the environment out before anything else is loaded."""

import sys

if not __package__:
    # Started by its file: isolated, Python puts no folder of ours on its path.
    from pathlib import Path

    sys.path.append(str(Path(__file__).resolve().parents[1]))

from pos_app.system.isolation import isolate


def main() -> int:
    """The exit code."""
    isolate()
    from pos_app.system.memory import keep_to_ourselves

    # Before the first secret is read.
    keep_to_ourselves()
    from pos_app.cli import main as cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
