"""`pos-app` where the system lets it open so many files and no more: what it loads, opens or calls next fails."""

import os
import resource
import sys

from pos_app.cli.main import main

MOST = "TEST_MOST_FILES"

if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(os.environ[MOST]), hard))
    sys.exit(main())
