#!/bin/sh
# Packs dist/pos-app (make bundle) as pos-app_VERSION_amd64.deb and the kiosk's files as pos-app-kiosk_VERSION_all.deb.
# build.sh [--fast] [--as VERSION] [OUT]. --fast: not compressed; --as: under another number, for a trial of an update.
# RELEASE_KEY=FILE signs the list of what lies in the folder (packaging/bundle/manifest.py).
set -eu
cd "$(dirname "$0")/../.."

. packaging/reproducible.sh

usage() { echo 'usage: build.sh [--fast] [--as VERSION] [OUT]' >&2; exit 2; }

compression='-Zxz -z6' version='' out=dist
while [ $# -gt 0 ]; do
    case "$1" in
        --fast) compression=-Znone ;;
        --as) [ $# -gt 1 ] || usage; version=$2; shift ;;
        -*) usage ;;
        *) out=$1 ;;
    esac
    shift
done
# 0.2.0rc1 comes before 0.2.0: for Debian only a tilde says so.
[ -n "$version" ] || version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml | sed 's/[0-9]\(a\|b\|rc\)[0-9]/&/; s/\(a\|b\|rc\)\([0-9]\)/~\1\2/')
[ -f dist/pos-app/CONTENTS.sha256 ] || { echo 'dist/pos-app is not there: make bundle' >&2; exit 1; }

bundle=dist/pos-app parts=packaging/deb work=build/deb
till=$work/pos-app kiosk=$work/pos-app-kiosk
home=/usr/lib/pos-app kiosk_home=/usr/lib/pos-app-kiosk
metainfo=local.pos_app.till.metainfo.xml
papers=/usr/share/doc/pos-app kiosk_papers=/usr/share/doc/pos-app-kiosk
guide=$kiosk_papers/README.md
maintainer='The pos-app developers <pos-app@pos-app.invalid>'
rm -rf "$work"
mkdir -p "$till$home" "$till/DEBIAN" "$kiosk/DEBIAN" "$out"

# put ROOT FILE PLACE [MODE]: with what it names by @…@, and its own place where its first line says one.
put() {
    mkdir -p "$(dirname "$1$3")"
    sed -e "1s|^# /[^: ]*:|# $3:|" -e "s|@HOME@/kiosk/README.md|$guide|; s|@HOME@/kiosk|$kiosk_home|; s|@HOME@|$home|" \
        -e "s|@VERSION@|$version|" "$2" >"$1$3"
    chmod "${4:-644}" "$1$3"
}

# zipped FILE PLACE: no name and no time inside.
zipped() {
    mkdir -p "$(dirname "$2")"
    gzip -9nc "$1" >"$2"
}

place_till() {
    cp -R -P "$bundle/." "$till$home"
    # What the packages have in places of their own, and the installer that they take the place of.
    (cd "$till$home" && rm -rf install.sh kiosk pos-app.1 pos-app.bash pos-app.zsh pos-app.fish pos-app.desktop pos-app.svg *.metainfo.xml CONTENTS.sha256*)
    find "$till$home" -name '*.so*' -type f -exec chmod 644 {} +
    .venv-bundle/bin/python packaging/bundle/manifest.py list "$till$home"
    [ -z "${RELEASE_KEY-}" ] || .venv-bundle/bin/python packaging/bundle/manifest.py sign "$RELEASE_KEY" "$till$home/CONTENTS.sha256"
    mkdir -p "$till/usr/bin"
    ln -s ../lib/pos-app/pos-app "$till/usr/bin/pos-app"
    zipped "$bundle/pos-app.1" "$till/usr/share/man/man1/pos-app.1.gz"
    put "$till" "$bundle/pos-app.bash" /usr/share/bash-completion/completions/pos-app
    put "$till" "$bundle/pos-app.zsh" /usr/share/zsh/vendor-completions/_pos-app
    put "$till" "$bundle/pos-app.fish" /usr/share/fish/vendor_completions.d/pos-app.fish
    put "$till" "$bundle/$metainfo" "/usr/share/metainfo/$metainfo"
    put "$till" packaging/bundle/pos-app.desktop /usr/share/applications/pos-app.desktop
    sh packaging/desktop/icons.sh "$work/icons" 2>/dev/null
    mkdir -p "$till/usr/share/icons"
    cp -R "$work/icons/hicolor" "$till/usr/share/icons"
    put "$till" $parts/config.toml $papers/examples/config.toml
    put "$till" docs/debian.md $papers/README.Debian
}

place_kiosk() {
    from=packaging/kiosk
    put "$kiosk" $from/session $kiosk_home/session 755
    put "$kiosk" $from/README.md $guide
    put "$kiosk" $from/pos-app-kiosk.service /usr/lib/systemd/system/pos-app-kiosk.service
    put "$kiosk" $from/pos-app-kiosk.sysusers /usr/lib/sysusers.d/pos-app-kiosk.conf
    put "$kiosk" $from/pos-app-kiosk.tmpfiles /usr/lib/tmpfiles.d/pos-app-kiosk.conf
    put "$kiosk" $from/pos-app-kiosk.sysctl /usr/lib/sysctl.d/90-pos-app-kiosk.conf
    put "$kiosk" $from/pos-app-kiosk.logind /usr/lib/systemd/logind.conf.d/pos-app-kiosk.conf
    put "$kiosk" $from/pos-app-kiosk.rules /usr/lib/udev/rules.d/90-pos-app-kiosk.rules
    put "$kiosk" $parts/needrestart.conf /etc/needrestart/conf.d/pos-app-kiosk.conf
    # What an administrator may change and keep; all else is the packages' own.
    (cd "$kiosk" && find etc -type f -printf '/%p\n' | sort) >"$kiosk/DEBIAN/conffiles"
}

# papers NAME ROOT: what Debian wants beside each package.
papers() {
    doc=/usr/share/doc/$1
    mkdir -p "$2$doc"
    printf '%s (%s) stable; urgency=medium\n\n  * See CHANGELOG.md of pos-app.\n\n -- %s  %s\n' \
        "$1" "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9nc >"$2$doc/changelog.gz"
    { cat $parts/copyright; echo; cat "$bundle/THIRD-PARTY.txt"; } >"$2$doc/copyright"
    put "$2" "$parts/$1.lintian-overrides" "/usr/share/lintian/overrides/$1"
}

# pack NAME ROOT ARCHITECTURE: the scripts, the list of sums, and the package itself.
pack() {
    for script in preinst postinst prerm postrm; do
        [ ! -f "$parts/$1.$script" ] || {
            # What two scripts ask alike is written once and stands in both: one of them runs before any file is there.
            sed -e "/^# @NO_TILL@$/{r $parts/no_till.sh
d}" -e "s|@VERSION@|$version|" "$parts/$1.$script" >"$2/DEBIAN/$script"
            chmod 755 "$2/DEBIAN/$script"
        }
    done
    put "$2" "$parts/$1.control" /DEBIAN/control
    size=$(du -sk --apparent-size --exclude=DEBIAN "$2" | cut -f1)
    sed -i "s|@SIZE@|$size|; s|@MAINTAINER@|$maintainer|" "$2/DEBIAN/control"
    (cd "$2" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    chmod -R u=rwX,go=rX "$2"
    find "$2" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    # xz on one thread: their number changes what it writes.
    # shellcheck disable=SC2086 # two words
    dpkg-deb --root-owner-group $compression --threads-max=1 --build "$2" "$out/$1_${version}_$3.deb" >/dev/null
}

place_till
place_kiosk
zipped CHANGELOG.md "$till$papers/CHANGELOG.md.gz"
papers pos-app "$till"
papers pos-app-kiosk "$kiosk"
pack pos-app "$till" amd64
pack pos-app-kiosk "$kiosk" all
rm -rf "$work"
ls -l "$out/pos-app_${version}_amd64.deb" "$out/pos-app-kiosk_${version}_all.deb"
