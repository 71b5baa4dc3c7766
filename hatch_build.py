"""Builds what the till reads of the translators' files: a .mo beside each .po of resources/languages.

hatch runs it for a wheel and for an installed checkout, `python hatch_build.py` after a change of a .po.
"""

from __future__ import annotations

import datetime
import io
import string
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANGUAGES = Path("resources", "languages")
_NO_DAY = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


class LanguagesHook(BuildHookInterface[Any]):
    """What hatch runs before it packs a wheel, the one line of an editable install among them."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """The compiled files are in nobody's history: without their mention hatch would leave them out."""
        del version
        compile_all(Path(self.root) / LANGUAGES)
        build_data["artifacts"].append(f"/{LANGUAGES.as_posix()}/*.mo")


def compile_all(folder: Path) -> None:
    """A .mo of every .po. ValueError for a translation that could not be filled in at the till."""
    wanted = {source.with_suffix(".mo"): compiled(read(source)) for source in sorted(folder.glob("*.po"))}
    for path in folder.glob("*.mo"):
        if path not in wanted:
            path.unlink()
    for path, content in wanted.items():
        path.write_bytes(content)


def read(source: Path) -> Catalog:
    """A translators' file. Raises PoFileError where it is none."""
    with source.open("rb") as file:
        return read_po(file, locale=source.stem, abort_invalid=True)


def compiled(catalog: Catalog) -> bytes:
    """The finished texts (no fuzzy one is said); the same bytes whenever it is built."""
    for message in catalog:
        if message.id and not message.fuzzy and (wrong := wrong_places(message)):
            raise ValueError(f"{message.context}: {wrong}")
    catalog.creation_date = catalog.revision_date = _NO_DAY
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def wrong_places(message: Message) -> str:
    """What is wrong with the {places} of a translation: at the till they would be filled in or fail."""
    counted = {"count"} if message.pluralizable else set()  # always filled in there, and need not be said
    try:
        asked = set().union(*map(places, forms(message.id)))
        for given in (places(said) for said in forms(message.string) if said):
            if unknown := given - asked - counted:
                return f"{{{'}, {'.join(sorted(unknown))}}} cannot be filled in"
            if missing := asked - given - counted:
                return f"{{{'}, {'.join(sorted(missing))}}} is missing"
    except ValueError as error:
        return str(error)
    return ""


def forms(text: Any) -> tuple[str, ...]:
    """A text, or all of one that is said of a count."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def places(text: str) -> set[str]:
    """The names in braces. ValueError where a brace is not closed."""
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


if __name__ == "__main__":
    compile_all(Path(__file__).parent / LANGUAGES)
