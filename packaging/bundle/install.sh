#!/bin/sh
# Puts this till in place and takes it away again; needs no network. Journals, settings and secrets are never touched.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
name=pos-app

usage() {
    cat <<'END'
usage: install.sh [install | uninstall] [--kiosk] [--prefix DIR]

install     into /opt/pos-app, with an entry in the menu of programs and the command pos-app (also: the update)
uninstall   takes all of that away again; journals, settings and secrets stay where they are
--kiosk     install only: also the service that makes this machine a till from its start (see kiosk/README.md)
--prefix    everything below DIR instead of /: for an image of a machine that is being made
END
}

say() { printf '%s\n' "$@"; }
stop() { printf 'install.sh: %s\n' "$@" >&2; exit 1; }

folder_of() { (cd -- "$1" 2>/dev/null && pwd -P) || stop "the folder $1 is not there"; }

verb=install prefix='' kiosk=
while [ $# -gt 0 ]; do
    case "$1" in
        install | uninstall) verb=$1 ;;
        --kiosk) kiosk=yes ;;
        --prefix)
            [ $# -gt 1 ] || stop '--prefix needs a folder'
            prefix=$(folder_of "$2")
            shift ;;
        --prefix=*) prefix=$(folder_of "${1#*=}") ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
[ "$prefix" != / ] || prefix=

home=/opt/$name
menu=/usr/share/applications/$name.desktop
icon=/usr/share/icons/hicolor/scalable/apps/$name.svg
command=/usr/local/bin/$name
unit=$name-kiosk.service
unit_file=/etc/systemd/system/$unit
sysctl=/etc/sysctl.d/90-$name-kiosk.conf

# Half an update is worse than none: parts are read from the folder while the till is open.
not_running() {
    for exe in /proc/[0-9]*/exe; do
        case "$(readlink "$exe" 2>/dev/null)" in
            "$prefix$home/$name" | "$prefix$home/$name (deleted)") stop "the till is open: close it first (a kiosk: systemctl stop $unit), then try again" ;;
        esac
    done
}

may_write() {
    mkdir -p "$prefix/opt" 2>/dev/null || true
    [ -w "$prefix/opt" ] || stop "$prefix/opt cannot be written: use sudo, or become root"
}

on_this_machine() { [ -z "$prefix" ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null; }

whole() {
    (cd "$here" && grep -v '^#' CONTENTS.sha256 | sha256sum -c --quiet - >/dev/null 2>&1) ||
        stop 'this folder is not as it was made: a file is damaged or missing; fetch it again'
}

# put FILE PLACE: with the till's own folder written into it.
put() {
    mkdir -p "$prefix$(dirname "$2")"
    sed "s|@HOME@|$home|g" "$here/$1" >"$prefix$2.new"
    chmod 644 "$prefix$2.new"
    mv -f "$prefix$2.new" "$prefix$2"
}

place_program() {
    new=$prefix$home.new old=$prefix$home.old
    rm -rf "$new" "$old"
    cp -R -P -p "$here" "$new"
    [ "$(id -u)" != 0 ] || chown -R 0:0 "$new"
    # Only the finished copy gets the name; where it fails in between, the next run puts things right.
    [ ! -e "$prefix$home" ] || mv "$prefix$home" "$old"
    mv "$new" "$prefix$home"
    rm -rf "$old"
}

install_all() {
    may_write
    not_running
    if [ "$here" = "$prefix$home" ]; then
        say 'This is the installed till itself: its files stay, what belongs to it is put in place again.'
    else
        whole
        place_program
    fi
    put $name.desktop $menu
    put $name.svg $icon
    mkdir -p "$prefix$(dirname $command)"
    ln -sfn $home/$name "$prefix$command"
    # An update of a machine that is a kiosk updates that too.
    if [ -n "$kiosk" ] || [ -f "$prefix$unit_file" ]; then
        install_kiosk
    fi
    say "The till is in $prefix$home; the command is $name."
    missing_libraries
}

# What each is for stands in its first line, and in kiosk/README.md.
kiosk_files() {
    printf '%s\n' "$name-kiosk.pam /etc/pam.d/$name-kiosk" \
        "$unit $unit_file" \
        "$name-kiosk.sysusers /etc/sysusers.d/$name-kiosk.conf" \
        "$name-kiosk.tmpfiles /etc/tmpfiles.d/$name-kiosk.conf" \
        "$name-kiosk.sysctl $sysctl" \
        "$name-kiosk.logind /etc/systemd/logind.conf.d/$name-kiosk.conf"
}

install_kiosk() {
    [ -f "$here/kiosk/$unit" ] || stop 'this folder carries no kiosk'
    kiosk_files | while read -r file place; do
        put "kiosk/$file" "$place"
    done
    if on_this_machine; then
        systemd-sysusers /etc/sysusers.d/pos-app-kiosk.conf
        systemd-tmpfiles --create /etc/tmpfiles.d/pos-app-kiosk.conf
        sysctl -q -p "$sysctl" || true
        systemctl daemon-reload
    fi
    command -v cage >/dev/null || say 'The kiosk needs cage. On Debian: apt-get install cage xwayland'
    say "The kiosk's service is in place; what is left to do by hand: $home/kiosk/README.md"
}

# What every desktop has and a bare machine may not: the system's own drawing libraries are not carried along.
missing_libraries() {
    command -v ldd >/dev/null || return 0
    qt=$prefix$home/_internal/PySide6/Qt
    lost=$(for file in "$qt"/lib/libQt6Gui.so.6 "$qt"/plugins/platforms/*.so; do
        [ ! -f "$file" ] || LD_LIBRARY_PATH="$prefix$home/_internal" ldd "$file" 2>/dev/null
    done | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | sort -u | tr '\n' ' ')
    [ -z "$lost" ] || say "Not on this machine, and needed for the window: $lost" \
        'On Debian: apt-get install libgl1 libegl1 libxcb1 libwayland-client0 libwayland-cursor0 libwayland-egl1'
}

uninstall_all() {
    may_write
    not_running
    if on_this_machine && [ -f "$unit_file" ]; then
        systemctl disable $unit 2>/dev/null || true
    fi
    kiosk_files | while read -r _ place; do
        rm -f "$prefix$place"
    done
    rm -f "$prefix$menu" "$prefix$icon" "$prefix$command"
    rm -rf "$prefix$home" "$prefix$home.new" "$prefix$home.old"
    if on_this_machine; then
        systemctl daemon-reload
    fi
    say 'The till is gone from this machine. Journals, settings and secrets were not touched:' \
        '  each person'"'"'s own in ~/.local/share/pos-app and ~/.config/pos-app,' \
        '  those of this machine in /etc/xdg/pos-app, /etc/credstore.encrypted and /var/lib/pos-app, where there are' \
        '  any; a kiosk'"'"'s user, pos-app, stays because it owns them.'
}

case $verb in
    install) install_all ;;
    uninstall) uninstall_all ;;
esac
