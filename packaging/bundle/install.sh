#!/bin/sh
# Puts this till in place and takes it away again; needs no network. Journals, settings and secrets are never touched.
set -eu
# Modes of our own: whoever starts this and whoever unpacked the folder have no say in who may change a till.
umask 022
here=$(cd "$(dirname "$0")" && pwd -P)
name=pos-app

usage() {
    cat <<'END'
usage: install.sh [install | uninstall] [--kiosk] [--prefix DIR]

install     into /opt/pos-app, with an entry in the menu of programs and the command pos-app with its manual page and
            completion in bash, zsh and fish (also: the update; over a newer version with POS_APP_OLDER=1 alone)
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
manual=/usr/share/man/man1/$name.1
completion=/usr/share/bash-completion/completions/$name
zsh=/usr/share/zsh/vendor-completions/_$name
fish=/usr/share/fish/vendor_completions.d/$name.fish
metainfo=/usr/share/metainfo/local.pos_app.till.metainfo.xml
command=/usr/local/bin/$name
me=$(id -u)
unit=$name-kiosk.service
unit_file=/etc/systemd/system/$unit
sysctl=/etc/sysctl.d/90-$name-kiosk.conf

# However it ends: no till is kept from starting, and the half of a new folder does not fill the disk that a till sells on.
flag='' half=''
left() {
    [ -z "$half" ] || { rm -rf "$half"; put_back; }
    [ -z "$flag" ] || rm -f "$flag"
}
# What was cut off between the two names: the old one is all that there is.
put_back() {
    [ -e "$prefix$home" ] || [ -L "$prefix$home" ] || [ ! -d "$prefix$home.old" ] || mv -T "$prefix$home.old" "$prefix$home"
}
trap left EXIT
trap 'exit 1' HUP INT TERM

# Half an update is worse than none: parts are read from the folder while the till is open.
not_running() {
    # The system names what runs by its resolved path: /opt may be a link.
    at=$prefix$home/$name
    really=$(readlink -f "$prefix$home")/$name || really=$at
    # All at once: a program started for each process took longer than the rest.
    if readlink -z /proc/[0-9]*/exe 2>/dev/null |
        grep -zqxF -e "$at" -e "$at (deleted)" -e "$really" -e "$really (deleted)"; then
        stop "the till is open: close it first (a kiosk: systemctl stop $unit), then try again"
    fi
}

# While it is there no till starts (docs/updates.md): one that was started behind the look for tills would read half of
# either version. It names this process, so that one that was killed here holds nobody up. An image has no tills.
raise_flag() {
    run=${POS_APP_RUN_DIR:-}
    if [ -z "$run" ]; then
        [ -z "$prefix" ] || return 0
        run=/run
    fi
    [ -w "$run" ] || return 0
    flag=$run/$name.updating
    printf '%s\n%s\n' "$(cat /proc/sys/kernel/random/boot_id)" "$$" >"$flag"
}

may_write() {
    ours /opt
    [ -w "$prefix/opt" ] || stop "$prefix/opt cannot be written: use sudo, or become root"
}

# ours FOLDER: is there, and nobody else can turn what we write in it. In an image no link may lead out of it; on
# this machine its administrator may have linked (/opt into /var). What is made is 0755 by our umask.
ours() {
    rest=${1#/} at=$prefix
    while [ -n "$rest" ]; do
        at=$at/${rest%%/*}
        case "$rest" in */*) rest=${rest#*/} ;; *) rest= ;; esac
        if [ -L "$at" ] && { [ -n "$prefix" ] || [ "$(stat -c %u "$at")" != 0 ]; }; then
            stop "$at is a link: nothing is put behind it"
        fi
        [ -e "$at" ] || mkdir "$at" 2>/dev/null || stop "$at cannot be made: use sudo, or become root"
        case "$(stat -L -c '%u %a' "$at")" in
            "$me "* | '0 '*) ;;
            *) stop "$at belongs to another user" ;;
        esac
        # By everybody, and not as in /tmp, where nobody may take away what is another's.
        if [ -n "$(find -H "$at" -prune -perm -0002 ! -perm -1000)" ]; then
            stop "$at can be changed by others; run: chmod o-w $at"
        fi
    done
}

on_this_machine() { [ -z "$prefix" ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null; }

# listed FOLDER: every file and link of it as "type name [-> aim]", as its list says it.
listed() {
    sed -n -e 's/^[0-9a-f]\{64\}  /f /p' -e 's/^# /l /p' "$1/CONTENTS.sha256" | sort
}

# found FOLDER: the same, as it is. The list cannot hold itself, nor what was signed over it.
found() {
    (cd "$1" && find . -type d ! -empty -o ! -path ./CONTENTS.sha256 ! \( -path ./CONTENTS.sha256.sig -type f \) \( -type l -printf 'l %P -> %l\n' -o -printf '%y %P\n' \)) | sort
}

# whole FOLDER: each file is as it was made, and nothing else lies there, be it a link, a pipe or an empty folder.
whole() {
    list=$1/CONTENTS.sha256
    if [ -L "$list" ] || [ ! -f "$list" ] || [ "$(listed "$1")" != "$(found "$1")" ] ||
        grep -qv -e '^[0-9a-f]\{64\}  ' -e '^# ' "$list" || grep -q -e '^# .* -> /' "$list" ||
        ! (cd "$1" && grep -v '^#' CONTENTS.sha256 | sha256sum -c --strict --quiet - >/dev/null 2>&1); then
        return 1
    fi
}

# put FILE PLACE: with the till's own folder written into it. Under a name that nobody can have linked before.
put() {
    ours "$(dirname "$2")"
    made=$(mktemp "$prefix$2.XXXXXXXX")
    if ! sed "s|@HOME@|$home|g" "$from/$1" >"$made" || ! chmod 644 "$made" || ! mv -fT "$made" "$prefix$2"; then
        rm -f "$made"
        stop "$prefix$2 cannot be written"
    fi
}

place_program() {
    new=$prefix$home.new old=$prefix$home.old
    put_back
    rm -rf "$new" "$old"
    # mkdir takes nothing that lies there already, and until the copy is checked nobody else looks into it.
    mkdir -m 700 "$new"
    half=$new
    cp -R -P --preserve=timestamps "$here/." "$new"
    # The copy is what is checked: the folder it came from may be anybody's, and may change meanwhile.
    if ! whole "$new"; then
        stop 'this folder is not as it was made: a file is damaged or missing, or there is one too many; fetch it again'
    fi
    find "$new" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
    for program in $name install.sh kiosk/session; do
        [ ! -f "$new/$program" ] || chmod 755 "$new/$program"
    done
    [ "$(id -u)" != 0 ] || chown -Rh 0:0 "$new"
    # A name may outlive a power cut where the files behind it do not: first they last, then the name, then the old go.
    sync -f "$new"
    # Only the finished copy gets the name; where it fails in between, the next run puts things right.
    [ ! -e "$prefix$home" ] && [ ! -L "$prefix$home" ] || mv -T "$prefix$home" "$old"
    mv -T "$new" "$prefix$home"
    half=
    sync -f "$(dirname "$prefix$home")"
    rm -rf "$old"
}

# version_of FOLDER: the newest that its list of releases names; a candidate (rc) sorts before its release.
version_of() {
    list=$1/local.pos_app.till.metainfo.xml
    [ ! -f "$list" ] || sed -n 's/.*<release version="\([^"]*\)".*/\1/p' "$list" | sed -e 's/[-~]*rc/~rc/' -e 1q
}

# What a newer till wrote an older one may not be able to read.
not_older() {
    [ -z "${POS_APP_OLDER-}" ] || return 0
    there=$(version_of "$prefix$home") comes=$(version_of "$here")
    [ -n "$there" ] && [ -n "$comes" ] && [ "$there" != "$comes" ] || return 0
    [ "$(printf '%s\n%s\n' "$there" "$comes" | sort -V | head -n 1)" = "$there" ] ||
        stop "$there is installed, and this is $comes, which is older: it may not be able to read the journal" \
            'POS_APP_OLDER=1 in the environment installs it all the same'
}

install_all() {
    may_write
    not_older
    raise_flag
    not_running
    if [ "$here" = "$prefix$home" ]; then
        say 'This is the installed till itself: its files stay, what belongs to it is put in place again.'
    else
        place_program
    fi
    from=$prefix$home
    put $name.desktop $menu
    put $name.svg $icon
    put $name.1 $manual
    put $name.bash $completion
    put $name.zsh $zsh
    put $name.fish $fish
    put local.pos_app.till.metainfo.xml $metainfo
    ours "$(dirname $command)"
    ln -sfT $home/$name "$prefix$command"
    # An update of a machine that is a kiosk updates that too.
    if [ -n "$kiosk" ] || [ -f "$prefix$unit_file" ]; then
        install_kiosk
    fi
    say "The till is in $prefix$home; the command is $name."
    missing_libraries
}

# What each is for stands in its first line, and in kiosk/README.md.
kiosk_files() {
    printf '%s\n' "$unit $unit_file" \
        "$name-kiosk.rules /etc/udev/rules.d/90-$name-kiosk.rules" \
        "$name-kiosk.sysusers /etc/sysusers.d/$name-kiosk.conf" \
        "$name-kiosk.tmpfiles /etc/tmpfiles.d/$name-kiosk.conf" \
        "$name-kiosk.sysctl $sysctl" \
        "$name-kiosk.logind /etc/systemd/logind.conf.d/$name-kiosk.conf"
}

install_kiosk() {
    [ -f "$from/kiosk/$unit" ] || stop 'this folder carries no kiosk'
    kiosk_files | while read -r file place; do
        put "kiosk/$file" "$place"
    done
    if on_this_machine; then
        systemd-sysusers /etc/sysusers.d/pos-app-kiosk.conf
        systemd-tmpfiles --create /etc/tmpfiles.d/pos-app-kiosk.conf
        sysctl -q -p "$sysctl" || true
        systemctl daemon-reload
    fi
    for program in cage Xwayland seatd; do
        [ -x "$prefix/usr/bin/$program" ] || [ -x "$prefix/usr/sbin/$program" ] ||
            { [ -z "$prefix" ] && command -v $program >/dev/null; } ||
            say "The kiosk needs $program, and its screen stays without a till until it is there." \
                'On Debian: apt-get install cage xwayland seatd'
    done
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

# gone PLACE: where its folder is there at all.
gone() {
    [ ! -d "$prefix$(dirname "$1")" ] || { ours "$(dirname "$1")"; rm -f "$prefix$1"; }
}

uninstall_all() {
    may_write
    raise_flag
    not_running
    if on_this_machine && [ -f "$unit_file" ]; then
        systemctl disable $unit 2>/dev/null || true
    fi
    kiosk_files | while read -r _ place; do
        gone "$place"
    done
    for place in "$menu" "$icon" "$manual" "$completion" "$zsh" "$fish" "$metainfo" "$command"; do gone "$place"; done
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
