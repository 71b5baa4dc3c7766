"""`python -m tests.documents` (`make docs`): writes what is made from the code; `--check` only says what is stale."""

from __future__ import annotations

import argparse
import sys

from tests.documents.made import pages


def main() -> int:
    """0 when all was fresh or is now."""
    parser = argparse.ArgumentParser(prog="python -m tests.documents", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when something is stale")
    check = parser.parse_args().check
    stale = {
        page: text for page, text in pages().items() if not page.exists() or page.read_text("utf-8") != text
    }
    for page, text in stale.items():
        sys.stdout.write(f"{page.name}: {'stale' if check else 'written'}\n")
        if not check:
            page.write_text(text, "utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
