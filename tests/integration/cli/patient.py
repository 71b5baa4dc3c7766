"""`pos-app` by a real start, that waits for a printer longer than a machine stands still."""

import sys

from pos_app.cli.main import main
from tests.support.patient_verbs import PATIENT_S, wait_longer

if __name__ == "__main__":
    wait_longer(PATIENT_S)
    sys.exit(main())
