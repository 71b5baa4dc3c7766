"""`python -m tests.unit.i18n`: brings resources/languages up to the tables; `--check` only says whether they are."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.unit.i18n.keeping import compiled, kept
from tests.unit.i18n.po import read, written
from tests.unit.i18n.tables import LANGUAGES, entries

FOLDER = Path(__file__).parents[3] / "resources" / "languages"


def fresh(language: str) -> dict[Path, str]:
    """What the files of a language should hold now."""
    source = FOLDER / f"{language}.po"
    before = tuple(read(source.read_text("utf-8"))) if source.exists() else ()
    now = tuple(kept(entries(language), before))
    return {source: written(language, now), source.with_suffix(".json"): compiled(now)}


def main() -> int:
    """0 when all was fresh or is now."""
    parser = argparse.ArgumentParser(prog="python -m tests.unit.i18n", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 when something is stale")
    check = parser.parse_args().check
    stale = 0
    for language in LANGUAGES:
        for path, text in fresh(language).items():
            if not path.exists() or path.read_text("utf-8") != text:
                stale += 1
                print(f"{path.name}: {'stale' if check else 'written'}")
                if not check:
                    path.write_text(text, "utf-8")
        _count(language)
    return int(check and stale > 0)


def _count(language: str) -> None:
    now = tuple(read((FOLDER / f"{language}.po").read_text("utf-8")))
    open_ = [entry for entry in now if not entry.said or entry.fuzzy]
    print(f"{language}: {len(now) - len(open_)} of {len(now)} texts")


if __name__ == "__main__":
    raise SystemExit(main())
