till=/usr/lib/pos-app/pos-app
# While it is there no till starts: it names this start of the machine and dpkg's process, and holds no longer than they do.
flag=/run/pos-app.updating
# A kiosk that was ended here is begun again when the files lie there, the new ones or the old.
again=/run/pos-app.kiosk-again

running() {
    for exe in /proc/[0-9]*/exe; do
        case "$(readlink "$exe" 2>/dev/null)" in "$till" | "$till (deleted)") return 0 ;; esac
    done
    return 1
}

gone_within() {
    left=$1
    while running; do
        [ "$left" -gt 0 ] || return 1
        left=$((left - 1))
        sleep 1
    done
}

# A kiosk that has ended is begun again within a second, from files that come and go, to say that it is being updated;
# the till would count as open then. $1: its process before it was asked. One that has not ended by itself stays.
keep_ended() {
    left=10
    while [ -e "/proc/$1/exe" ]; do
        [ "$left" -gt 0 ] || return 0
        left=$((left - 1))
        sleep 1
    done
    if [ -d /run/systemd/system ]; then
        systemctl stop pos-app-kiosk.service || true
    fi
}

stays() {
    rm -f "$flag"
    printf 'pos-app: %s\n' "$@" >&2
    exit 1
}

# No till may be reading the files that come or go. One with an open payment is never ended from here: it is asked to
# take no new sale, to let what is open come to its end, and to close. Asked once: apt asks again at its next run.
no_till() {
    printf '%s\n%s\n' "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)" "$PPID" >"$flag"
    running || return 0
    kiosk=
    if [ -d /run/systemd/system ]; then
        # Not `is-active`, to which a till that is coming up, or about to be begun again, is none.
        case "$(systemctl show --property=ActiveState --value pos-app-kiosk.service)" in
            inactive | failed) ;;
            *)
                : >"$again"
                kiosk=$(systemctl show --property=MainPID --value pos-app-kiosk.service)
                ;;
        esac
    fi
    result=0
    /usr/bin/pos-app drain --all-users --end --wait "${POS_APP_DRAIN_S:-60}" >/dev/null 2>&1 </dev/null || result=$?
    case "$result" in
        # 69: no till, but another program of it, as a list being printed, or a kiosk's screen that says why there is no
        # till: that ends by itself once the flag is up.
        0 | 69)
            if [ -n "$kiosk" ]; then keep_ended "$kiosk"; fi
            if gone_within 10; then return 0; fi
            why='the till is open.'
            ;;
        75) why='payments are open at the till and did not come to their end in time, a manager has put the update off, or a till does not answer.' ;;
        *) why='the till is open.' ;;
    esac
    stays "$why" 'It stays as it is, and so does its version.' \
        'Close it when nothing is open (a kiosk: systemctl stop pos-app-kiosk), then try again.'
}
