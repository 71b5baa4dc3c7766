"""`python -m pos_app`: the same as `pos-app`."""

import sys

from pos_app.cli import main

if __name__ == "__main__":
    sys.exit(main())
