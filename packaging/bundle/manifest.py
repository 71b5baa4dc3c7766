"""The list of every file in a finished folder, and the release's signature over it; `sha256sum -c` reads the list.

`manifest.py list FOLDER` writes it, `manifest.py sign KEY FILE…` puts FILE.sig beside each: 64 bytes of Ed25519 by the
private key in KEY (PEM, as `openssl genpkey -algorithm ed25519` makes it; kept outside the repository).
`manifest.py public KEY` prints what pos_app/system/release_key.py holds of it.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

LIST = "CONTENTS.sha256"
SIGNATURE = ".sig"


def listed(folder: Path) -> list[str]:
    """Each file with its sum; a link with where it leads. Neither the list itself nor its signature."""
    own = {folder / LIST, folder / (LIST + SIGNATURE)}
    files = [path for path in sorted(folder.rglob("*")) if path not in own]
    plain = [path for path in files if path.is_file() and not path.is_symlink()]
    links = [path for path in files if path.is_symlink()]
    return [
        *(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}" for path in plain),
        *(f"# {path.relative_to(folder)} -> {path.readlink()}" for path in links),
    ]


def write_list(folder: Path) -> None:
    """The folder's, over one that was there; a signature of that one goes."""
    (folder / (LIST + SIGNATURE)).unlink(missing_ok=True)
    (folder / LIST).write_text("".join(f"{line}\n" for line in listed(folder)), encoding="utf-8")


def sign(key: Path, file: Path) -> None:
    """Writes FILE.sig. Raises ValueError for a key that is not Ed25519."""
    file.with_name(file.name + SIGNATURE).write_bytes(_private(key).sign(file.read_bytes()))


def public(key: Path) -> str:
    """The public half, 64 hexadecimal digits."""
    return str(_private(key).public_key().public_bytes_raw().hex())


def _private(key: Path):  # type: ignore[no-untyped-def]
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    private = load_pem_private_key(key.read_bytes(), password=None)
    if not isinstance(private, Ed25519PrivateKey):
        raise ValueError(f"{key} is no Ed25519 key")
    return private


def main() -> None:
    """As its first lines say."""
    match sys.argv[1:]:
        case ["list", folder]:
            write_list(Path(folder))
        case ["sign", key, *files]:
            for file in files:
                sign(Path(key), Path(file))
        case ["public", key]:
            sys.stdout.write(f"{public(Path(key))}\n")
        case _:
            sys.exit("usage: manifest.py list FOLDER | sign KEY FILE… | public KEY")


if __name__ == "__main__":
    main()
