"""What mkdocs is told beside mkdocs.yml: pages from outside docs/, pictures of the till, and the language of a page.

A page keeps the links that lead somewhere in the repository; here they are turned into those of the site. A link to
a file that the site has not is a warning, and with --strict an error.
"""

from __future__ import annotations

import logging
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
PICTURES = Path(os.environ.get("POS_APP_GUIDE_PICTURES", ROOT / "build" / "guide-pictures"))
"""A folder for each language, a picture for each screen (tests/documents/pictures.py)."""

OUTSIDE = {
    "README.md": "project.md",
    "CHANGELOG.md": "changes.md",
    "packaging/kiosk/README.md": "kiosk.md",
    "pos_app/sandbox/README.md": "sandbox.md",
    "resources/languages/GLOSSARY.md": "translators.md",
    "resources/manual/till.png": "till.png",
}
"""What the site has from other folders, and as what."""

RIGHT_TO_LEFT = ("ar",)

_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_SHOWN = re.compile(r"\(pictures/([a-z]+/[\w-]+\.png)\)")
_log = logging.getLogger("mkdocs.hooks.pos-app")


def slug(heading: str, separator: str) -> str:
    """An anchor as forges name it, so that a link leads to the same place in both."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def on_config(config: Any) -> Any:
    """Anchors as above."""
    config.mdx_configs["toc"] = {**config.mdx_configs.get("toc", {}), "slugify": slug}
    return config


def on_files(files: Any, config: Any) -> Any:
    """The pages and pictures that lie elsewhere."""
    for source, name in OUTSIDE.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    guides = "".join(page.read_text("utf-8") for page in sorted((ROOT / "docs" / "guides").glob("*.md")))
    for shown in sorted(set(_SHOWN.findall(guides))):
        if (PICTURES / shown).is_file():  # else the link to it is told as one that leads nowhere
            files.append(
                File.generated(config, f"guides/pictures/{shown}", abs_src_path=str(PICTURES / shown))
            )
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Every link from the page's place in the repository to its place in the site."""
    here = page.file.src_uri
    source = next((path for path, name in OUTSIDE.items() if name == here), f"docs/{here}")

    def turned(link: re.Match[str]) -> str:
        target, mark, anchor = link[2].partition("#")
        if not target or ":" in target:
            return link[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        place = OUTSIDE.get(wanted, wanted.removeprefix("docs/"))
        if place == wanted:
            _log.warning("%s: the link %s leads to nothing that the site has", source, target)
        return f"{link[1]}{posixpath.relpath(place, posixpath.dirname(here) or '.')}{mark}{anchor}{link[3]}"

    return _LINK.sub(turned, markdown)


def on_page_context(context: dict[str, Any], page: Any, **_: Any) -> dict[str, Any]:
    """A page is in the language that stands before its ending, else in English; Arabic goes from right to left."""
    parts = page.file.src_uri.split(".")
    language = parts[-2] if len(parts) > 2 else "en"
    return context | {"language": language, "direction": "rtl" if language in RIGHT_TO_LEFT else "ltr"}
