"""`packed.py PROGRAM NEEDLE`: the modules packed into a program of PyInstaller's; run by the Python that built it."""

import sys

from PyInstaller.archive.readers import CArchiveReader  # type: ignore


def main() -> None:
    program, needle = sys.argv[1], sys.argv[2].encode()
    archive = CArchiveReader(program)
    packed = archive.open_embedded_archive(
        next(name for name in archive.toc if name.lower().startswith("pyz"))
    )
    for name in packed.toc:
        code = packed.extract(name, raw=True)
        if not needle or (code and needle in code):
            sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
