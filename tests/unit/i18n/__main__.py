"""`python -m tests.unit.i18n`: brings resources/languages up to the tables, and compiles them for this checkout."""

from __future__ import annotations

from hatch_build import compile_all
from tests.unit.i18n.catalogs import FOLDER, fresh, said, source
from tests.unit.i18n.tables import LANGUAGES


def main() -> int:
    """0: all was fresh or is now."""
    for language in LANGUAGES:
        path, text = source(language), fresh(language)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"{path.name}: written")
        now = said(language)
        print(f"{language}: {sum(bool(each.said) and not each.fuzzy for each in now)} of {len(now)} texts")
    compile_all(FOLDER)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
