#!/bin/sh
# Sets up what `make run` (bootstrap.sh run), `make store` (store), `make test` (dev), the campaigns (campaign), `make proof` and
# `make proof-packages` (proof, packages, windows), `make machine` (machine), `make versions` (versions), `make bundle`
# (bundle), `make deb` (deb), `make windows` (windows) and `make docs` (docs) need; instant when all is there.
# Installs Debian packages only through apt-get, Python packages only if their hash is in packaging/locks.
set -eu
cd "$(dirname "$0")/.."

# Qt's libraries were found one by one on a bare system; the fonts carry Sinhala and Tamil.
QT_OFFSCREEN='libglib2.0-0 libgl1 libegl1 libfontconfig1 libdbus-1-3 libxkbcommon0 fonts-noto-core'
QT_X11='libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0'
QT_WAYLAND='libwayland-cursor0 libwayland-egl1'
QT="$QT_OFFSCREEN $QT_X11 $QT_WAYLAND"
# fish and zsh complete the command line of their tests; the store's have a PostgreSQL.
TESTS='xvfb xauth fish zsh postgresql'
# The store starts a PostgreSQL of its own.
STORE='postgresql'
# The layer that plays a power cut and a failing disk under the till is a small C library.
CAMPAIGN='gcc libc6-dev'
# Compositors without a display, a way to look at them and to type into them, a screen reader's bus, a browser.
PROOF='cage sway grim wtype openbox xdotool xwayland x11-xserver-utils systemd util-linux at-spi2-core dbus-daemon
    fontconfig chromium chromium-driver'
# PyInstaller reads and trims libraries with objdump and strip; patchelf makes them look in the folder alone.
BUNDLE='binutils patchelf'
# PyInstaller for Windows runs under Wine; what Wine lacks is compiled; the icon, the installer, the runtime's signatures.
WINDOWS='wine wine64 gcc-mingw-w64-x86-64-win32 nsis librsvg2-bin icoutils osslsigncode openbox ca-certificates'
# Icons in sizes, packages, and a repository of them with its signature.
DEB='librsvg2-bin xz-utils apt-utils gnupg'
# What a package is judged by, and a bare Debian to install it on.
DEB_PROOF='lintian appstream desktop-file-utils debootstrap'
# The next Debian, bare, for whoever types the two commands there.
VERSIONS='debootstrap'
# A machine that is played, its disk, and what reads the words on its display.
MACHINE='qemu-system-x86 qemu-utils debootstrap e2fsprogs tesseract-ocr tesseract-ocr-eng'

case "${1-}" in
    run) venv=.venv-run lock=packaging/locks/run.txt packages=$QT ;;
    store) venv=.venv-run lock=packaging/locks/run.txt packages="$QT $STORE" ;;
    dev) venv=.venv lock=packaging/locks/dev.txt packages="$QT $TESTS" ;;
    campaign) venv=.venv lock=packaging/locks/dev.txt packages="$QT $TESTS $CAMPAIGN" ;;
    proof) venv=.venv lock=packaging/locks/dev.txt packages="$QT $TESTS $PROOF $CAMPAIGN" ;;
    packages) venv=.venv lock=packaging/locks/dev.txt packages="$QT $TESTS $DEB $DEB_PROOF" ;;
    versions) venv=.venv lock=packaging/locks/dev.txt packages="$QT $TESTS $VERSIONS" ;;
    machine) venv=.venv lock=packaging/locks/dev.txt packages="$QT $TESTS $DEB $MACHINE" ;;
    bundle) venv=.venv-bundle lock=packaging/locks/bundle.txt packages="$QT $BUNDLE" ;;
    deb) venv=.venv-bundle lock=packaging/locks/bundle.txt packages="$QT $BUNDLE $DEB" ;;
    windows) venv=.venv-bundle lock=packaging/locks/bundle.txt packages="$QT $BUNDLE $WINDOWS $TESTS" ;;
    docs) venv=.venv-docs lock=packaging/locks/docs.txt packages= ;;
    *) echo 'usage: bootstrap.sh run|store|dev|campaign|proof|packages|machine|versions|bundle|deb|windows|docs' >&2; exit 2 ;;
esac

say() { printf '%s\n' "$@" >&2; }
stop() { say "$@"; exit 1; }

has_package() {
    # Newer releases renamed some libraries for 64-bit time: libglib2.0-0 became libglib2.0-0t64.
    dpkg-query -W -f='${db:Status-Status}\n' "$1" "$1t64" 2>/dev/null | grep -qx installed
}

apt_install() {
    line="apt-get install -y --no-install-recommends $*"
    if [ "$(id -u)" = 0 ]; then
        as_root='env'
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root='sudo env'
    else
        stop 'Debian packages are missing and this account may not install them. As root, type' '' \
            "    apt-get update && $line" '' 'and then the same make command again.'
    fi
    say "Installing Debian packages: $*"
    mkdir -p build
    log=build/apt.log
    as_root="$as_root DEBIAN_FRONTEND=noninteractive"
    # A source that is down need not matter: the install tells whether it does.
    $as_root apt-get update >"$log" 2>&1 || say 'apt-get update failed; going on with the lists there are.'
    # shellcheck disable=SC2086 # the line is a list of words
    $as_root $line >>"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; stop '' "Failed: $line"; }
}

install_missing() {
    missing=
    for package in "$@"; do
        has_package "$package" || missing="$missing $package"
    done
    # shellcheck disable=SC2086 # a list of names
    [ -z "$missing" ] || apt_install $missing
}

find_python() {
    for python in ${PYTHON:-} python3.11 python3 python3.12 python3.13 python3.14; do
        if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$python"
            return
        fi
    done
}

# Debian's own Python keeps its library in a package of its own, and a bundle takes it along.
shared_python() {
    case "$(find_python)" in
        /usr/bin/*) "$(find_python)" -c 'import sys; print("libpython%d.%d" % sys.version_info[:2])' ;;
    esac
}

on_debian() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

# The stamp says what was installed, how and where: an environment does not survive a move.
stamp="$venv/.installed"
want="$(pwd) $(cat "$lock" pyproject.toml packaging/bootstrap.sh | sha256sum | cut -d' ' -f1)"
have=$(cat "$stamp" 2>/dev/null || true)

# Which Python makes the environment, if it is missing, broken or was moved here; empty if it stays.
python=
case "$have" in
    "$want") [ -x "$venv/bin/python" ] || python=needed ;;
    '' | "$(pwd) "*) "$venv/bin/python" -m pip --version >/dev/null 2>&1 || python=needed ;;
    *) python=needed ;;
esac
if [ -n "$python" ]; then
    python=$(find_python)
    [ -n "$python" ] || stop 'Python 3.11 or newer was not found (PYTHON=/path/to/python3.11 make … names one).'
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        on_debian || stop "$python has no venv or no ensurepip module: install them, then try again."
        packages="$packages $("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    fi
fi

if on_debian; then
    [ "$venv" != .venv-bundle ] || packages="$packages $(shared_python)"
    # shellcheck disable=SC2086 # a list of names
    install_missing $packages
elif [ "$have" != "$want" ]; then
    say "Not a Debian system: if the till does not start, install what these Debian packages hold: $packages"
fi

if [ -n "$python" ]; then
    have=
    say "Making the environment $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
fi
# What the till reads of its languages is built, in this folder, for whoever runs from it; what a change brought is newer.
languages_are_built() {
    for source in resources/languages/*.po; do
        [ "${source%po}mo" -nt "$source" ] || return 1
    done
}
if [ "$have" = "$want" ]; then
    [ "$1" = docs ] || languages_are_built || "$venv/bin/python" hatch_build.py
    exit 0
fi

say "Installing the packages of $lock"
# Until it is whole it is nobody's: cut off half way, it would be taken for what was there before, by whoever goes back to that.
rm -f "$stamp"
pip="$venv/bin/python -m pip --disable-pip-version-check --no-input --quiet"
# The lock has all of it, so nothing is looked for beside it. pip does not know it for complete: where one package asks for another
# with an extra (pytest-cov for coverage[toml]) it tries the newest there is, and ends at a hash that the lock cannot have.
$pip install --require-hashes --no-deps --only-binary :all: -r "$lock" >&2
# The project itself, from here, with the build tools the lock has just brought: no network, nothing unlocked.
# hatch_build.py compiles the languages on the way. What makes the site of the guides does without the till.
[ "$1" = docs ] || $pip install --no-index --no-deps --no-build-isolation -e . >&2
case "$1" in run | store | bundle | deb | windows)
    # Qt for Python keeps modules of its own in an archive and compiles them at each start; as files they are
    # compiled once. The tests' environment stays as pip made it: a bare window in it is the floor of the start.
    SBK_EMBED=0 "$venv/bin/python" -c 'import PySide6.QtCore' ;;
esac
printf '%s\n' "$want" >"$stamp"
