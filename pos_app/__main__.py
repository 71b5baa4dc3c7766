"""The start: `pos-app` and `python -m pos_app`. Shuts the environment out before anything else is loaded."""

import gc
import sys

if not __package__:
    # Started by its file: isolated, Python puts no folder of ours on its path.
    from pathlib import Path

    sys.path.append(str(Path(__file__).resolve().parents[1]))

from pos_app.system.isolation import isolate


def main() -> int:
    """The exit code; where a window stood this does not return but ends the process with it."""
    # Until the line is understood and its verb is loaded: what a start loads stays for good (app/__init__.py).
    gc.disable()
    isolate()
    from pos_app.system.memory import keep_to_ourselves

    # Before the first secret is read.
    keep_to_ourselves()
    from pos_app.cli import main as cli

    code = cli.main()
    if "PySide6.QtGui" in sys.modules:
        from pos_app.system.process_end import end_process

        end_process(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
