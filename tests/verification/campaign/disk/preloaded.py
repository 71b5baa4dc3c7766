"""The till on the layer: without the isolation, which would start it anew without the library that is the layer."""

import sys

from pos_app.cli import main as cli
from pos_app.system.memory import keep_to_ourselves

if __name__ == "__main__":
    keep_to_ourselves()
    sys.exit(cli.main())
