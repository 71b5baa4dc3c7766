#!/bin/sh
# Builds dist/pos-app: build.sh [--again | --bench]. --again: and once more from a copy elsewhere, and compares every file;
# --bench: a bare window and a till that says when it was painted, in build/bundle. RELEASE_KEY=FILE signs the list of
# the folder's files (manifest.py). Needs .venv-bundle (bootstrap.sh bundle).
set -eu
cd "$(dirname "$0")/../.."

. packaging/reproducible.sh

# build PROGRAM DIST: makes DIST/PROGRAM.
build() {
    work=build/bundle/work-$1
    log=build/bundle/$1.log
    rm -rf "$work" "${2:?}/$1"
    mkdir -p "$work"
    BUNDLE_PROGRAM=$1 .venv-bundle/bin/python -m PyInstaller --noconfirm --log-level WARN \
        --distpath "$2" --workpath "$work" packaging/bundle/pos_app.spec >"$log" 2>&1 ||
        { tail -n 30 "$log" >&2; exit 1; }
    rm -rf "$work"
    [ "$1" != pos-app ] || [ -z "${RELEASE_KEY-}" ] ||
        .venv-bundle/bin/python packaging/bundle/manifest.py sign "$RELEASE_KEY" "$2/$1/CONTENTS.sha256"
}

case "${1-}" in
    '')
        build pos-app dist
        du -sh dist/pos-app ;;
    --bench)
        build bare build/bundle
        build measured build/bundle ;;
    --again)
        # Both now, side by side: one that lies here may be older than a library the system has renewed since.
        build pos-app dist &
        here=$!
        there=build/bundle/elsewhere
        rm -rf "$there"
        mkdir -p "$there"
        cp -R pos_app resources packaging "$there"
        ln -s "$PWD/.venv-bundle" "$there/.venv-bundle"
        sh "$there/packaging/bundle/build.sh" >/dev/null || { wait "$here"; exit 1; }
        wait "$here"
        diff -r --no-dereference dist/pos-app "$there/dist/pos-app"
        rm -rf "$there"
        echo 'Two builds are the same in every file.' ;;
    *) echo 'usage: build.sh [--again | --bench]' >&2; exit 2 ;;
esac
