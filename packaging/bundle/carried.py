"""The files beside the code that the bundle carries: resources, fonts, its installer. Knows nothing of Python or Qt."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from kept import FONTS

RESOURCES = "pos_app/resources"
FONTS_IN = f"{RESOURCES}/fonts"
FONT_FOLDERS = (Path("/usr/share/fonts/truetype/noto"), Path("/usr/share/fonts/noto"))
FONT_LICENCES = (
    Path("/usr/share/doc/fonts-noto-core/copyright"),
    Path("/usr/share/licenses/noto-fonts/LICENSE"),
)
# For readers of the repository.
LEFT = frozenset({"manual"})
# What translators work on; the till reads what was made of it.
SOURCES = frozenset({".md", ".po", ".pot", ".ts"})


def resources(root: Path) -> list[tuple[str, str]]:
    """Each file of the resources, and the folder it goes into. Raises FileNotFoundError for a language not built."""
    top = root / "resources"
    for source in top.glob("languages/*.po"):
        if not source.with_suffix(".mo").is_file():
            raise FileNotFoundError(f"{source.stem} is not compiled: make languages")
    files = sorted(each for each in top.rglob("*") if each.is_file() and _is_read(each.relative_to(top)))
    return [(str(file), str(PurePosixPath(RESOURCES) / file.parent.relative_to(top))) for file in files]


def _is_read(path: Path) -> bool:
    return path.suffix not in SOURCES and path.parts[0] not in LEFT


def fonts() -> list[tuple[str, str]]:
    """The fonts and their licence. Raises FileNotFoundError where fonts-noto-core is not installed."""
    files = [_first([folder / name for folder in FONT_FOLDERS]) for name in FONTS]
    return [(str(file), FONTS_IN) for file in files]


def font_licence() -> str:
    """The Open Font License as the package of the fonts gives it."""
    return _first(list(FONT_LICENCES)).read_text(encoding="utf-8")


def _first(places: list[Path]) -> Path:
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"{places[0]} is not there: install the package fonts-noto-core")
