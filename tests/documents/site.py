"""The finished site, judged from outside: where its links lead, what it fetches, which of its pages nobody reaches."""

from __future__ import annotations

import posixpath
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[2]
MKDOCS = ROOT / ".venv-docs" / "bin" / "mkdocs"
"""In an environment of its own: `sh packaging/bootstrap.sh docs`, which `make test` does, too."""
_FETCHED = {"src", "srcset", "poster", "data"}
_FOLLOWED = {"a"}


class Page(HTMLParser):
    """What a page links to, fetches and can be linked at."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.direction = ""
        self.text = text
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Any tag may have an id."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.direction = given.get("dir", "") if tag == "html" else self.direction
        if "href" in given:
            (self.links if tag in _FOLLOWED else self.fetched).append(given["href"])
        self.fetched += [value for name, value in given.items() if name in _FETCHED]
        if tag == "script":
            self.fetched.append("a script")


def build(folder: Path, pictures: Path) -> subprocess.CompletedProcess[str]:
    """The site, with these pictures; any warning of mkdocs is an error."""
    command: list[str | Path] = [
        MKDOCS,
        "build",
        "--strict",
        "--config-file",
        ROOT / "packaging/docs/mkdocs.yml",
        "--site-dir",
        folder,
    ]
    environment = {"POS_APP_GUIDE_PICTURES": str(pictures), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def faults(site: Path) -> Iterator[str]:
    """Each link that leads nowhere, each thing a browser would fetch from elsewhere, each page without a way to it."""
    pages = {
        path.relative_to(site).as_posix(): Page(path.read_text("utf-8")) for path in site.rglob("*.html")
    }
    reached, ahead = set(), ["index.html"]
    while ahead:
        name = ahead.pop()
        if name in reached or name not in pages:
            continue
        reached.add(name)
        ahead += [place for link in pages[name].links if (place := _place(name, link)[0])]
    for name, page in sorted(pages.items()):
        if "|---" in page.text:
            yield f"{name}: a table that is none"  # in a list it stands four places in
        for link in (*page.links, *page.fetched):
            place, anchor = _place(name, link)
            if place and not (site / place).is_file():
                yield f"{name}: {link} leads nowhere"
            elif place in pages and anchor and anchor not in pages[place].anchors:
                yield f"{name}: {link} leads to no heading"
        for fetched in page.fetched:
            if (
                urlsplit(fetched).scheme not in ("", "data")
                or fetched.startswith("//")
                or fetched == "a script"
            ):
                yield f"{name}: fetches {fetched}"
    for style in site.rglob("*.css"):
        for fetched in re.findall(r"@import.*|url\([^)]*\)", style.read_text("utf-8")):
            yield f"{style.name}: fetches {fetched}"
    for name in sorted(pages.keys() - reached):
        yield f"{name}: no page leads there"


def _place(name: str, link: str) -> tuple[str, str]:
    """Which file of the site a link means, and where in it; "" for one that leads out of it."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc or link == "a script":
        return "", ""
    path = unquote(parts.path)
    place = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    return place, unquote(parts.fragment)
