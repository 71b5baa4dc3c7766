"""What a finished folder carries, as CycloneDX 1.6: `sbom.py FOLDER VERSION OUT`. For the shop's own scanner.

Each part of THIRD-PARTY.txt with its purl and licence, each file of CONTENTS.sha256 with its sum. The same folder gives
the same bytes, its serial number too; no network, no clock.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote

_PART = re.compile(r"(?P<name>\S+) (?P<version>\S+)  (?P<licence>.+)")
_SPDX = re.compile(r"[A-Za-z0-9.+-]+(?: (?:OR|AND|WITH) [A-Za-z0-9.+-]+)*")
_FROM_DEBIAN = "Debian's: "
# Debian names no licence of a package as a whole: LICENCES.txt of the folder has the text.
_IN_TEXT = "see LICENCES.txt"


def bill(folder: Path, version: str) -> dict[str, Any]:
    """Raises ValueError for a line of either list that it does not know."""
    listed = (folder / "CONTENTS.sha256").read_text("utf-8")
    parts = [_part(line) for line in (folder / "THIRD-PARTY.txt").read_text("utf-8").splitlines()]
    files = [_file(line) for line in listed.splitlines() if not line.startswith("# ")]
    root = f"pkg:generic/pos-app@{quote(version, safe='')}"
    till = {"type": "application", "bom-ref": root, "name": "pos-app", "version": version, "purl": root}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, listed)}",
        "version": 1,
        "metadata": {"component": till},
        "components": parts + files,
        "dependencies": [{"ref": root, "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def _part(line: str) -> dict[str, Any]:
    found = _PART.fullmatch(line)
    if found is None:
        raise ValueError(f"THIRD-PARTY.txt has a line {line!r}")
    name, version, licence = found.group("name", "version", "licence")
    purl = f"pkg:{_place(name, licence)}@{quote(version, safe='')}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "licenses": [_licence(licence)],
        "purl": purl,
    }


def _place(name: str, licence: str) -> str:
    if licence.startswith(_FROM_DEBIAN):
        return f"deb/debian/{quote(name.lower(), safe='')}"
    # As the registry spells a name, however its package does.
    plain = re.sub(r"[-_.]+", "-", name).lower()
    return f"generic/{plain}" if name == "Python" else f"pypi/{plain}"


def _licence(said: str) -> dict[str, Any]:
    if said.startswith(_FROM_DEBIAN):
        return {"license": {"name": _IN_TEXT}}
    return {"expression": said} if _SPDX.fullmatch(said) else {"license": {"name": said}}


def _file(line: str) -> dict[str, Any]:
    total, gap, name = line.partition("  ")
    if not gap:
        raise ValueError(f"CONTENTS.sha256 has a line {line!r}")
    return {
        "type": "file",
        "bom-ref": f"file:{name}",
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": total}],
    }


def main() -> None:
    """As its first lines say."""
    if len(sys.argv) != 4:
        sys.exit("usage: sbom.py FOLDER VERSION OUT")
    folder, version, out = sys.argv[1:]
    Path(out).write_text(json.dumps(bill(Path(folder), version), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
