"""A wrong `pos-app`, planted: it writes an export under its own name from the first byte on."""

import sys

from pos_app.cli.main import main
from pos_app.system import atomic_file

if __name__ == "__main__":
    atomic_file.part_of = lambda path: path
    sys.exit(main())
