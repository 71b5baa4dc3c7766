"""Standard error: for a person beside the output, which no program reads for data.

Loaded by the isolation too: it imports nothing that Python has not loaded by then.
"""

import io
import os
import sys


class _Nowhere(io.StringIO):
    name = os.devnull


def tell(text: str) -> None:
    """Whole lines. Where nobody takes them, nothing else goes wrong for it: a full disk, a terminal that was closed.

    What is left in the buffer would fail once more at the end of the process, which Python then ends with 120: of
    `pay` the code is the word about money.
    """
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = _Nowhere()
