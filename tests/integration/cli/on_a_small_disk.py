"""`pos-app` on a disk that takes no file of more than 200 kB: writing fails there as on a full one."""

import resource
import sys

from pos_app.cli.main import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    sys.exit(main())
