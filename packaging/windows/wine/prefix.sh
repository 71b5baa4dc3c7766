#!/bin/sh
# Makes the folder that Wine takes for a machine with Windows 10, for builds and proofs: prefix.sh FOLDER. It lays two
# libraries of Windows, which Wine 8 lacks, into that machine's own System32; nothing of it goes into what ships.
set -eu
[ $# = 1 ] || { echo 'usage: prefix.sh FOLDER' >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
WINEPREFIX=$(cd "$1" && pwd)
# No .NET, no browser, and nothing laid into the menus of whoever builds.
WINEDEBUG=-all WINEARCH=win64 WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
export WINEPREFIX WINEDEBUG WINEARCH WINEDLLOVERRIDES

wineboot -i </dev/null >/dev/null 2>&1
wine reg add 'HKCU\Software\Wine' /v Version /d win10 /f </dev/null >/dev/null 2>&1
system32=$WINEPREFIX/drive_c/windows/system32
compile() {
    x86_64-w64-mingw32-gcc -shared -nostdlib -nostartfiles -O2 -s -o "$system32/$1.dll" "$here/$1.c" $2
}
compile icuuc ''
compile bcryptprimitives '-ladvapi32 -lkernel32'
wineserver -w
# Last: a folder without it was not finished.
touch "$WINEPREFIX/.ready"
