"""The store's verbs, as processes: made, served, killed, looked over, copied, put back."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import shutil
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from signal import SIGHUP, SIGKILL, SIGTERM, Signals

import psycopg
import pytest

from pos_app.domain.shipping import Verdict
from pos_app.store import keys
from pos_app.store.accounts.accounts import Sealer
from pos_app.store.cluster import Cluster
from pos_app.store.place import DATABASE
from tests.integration.store.shop import REPOSITORY, Shop
from tests.support.forked import TILL
from tests.support.owners import person
from tests.support.ports import free_port
from tests.support.store import PretendCounter, caller, without_files_from
from tests.unit.store.test_days import close


def test_a_killed_store_has_what_it_said_it_took(store: Shop) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    running, url = store.start()
    code = store.code()
    with counter.at(url, code):
        assert counter.ship().verdict is Verdict.TAKEN
    running.send(SIGKILL).end()
    with store.served() as url, counter.at(url):
        assert counter.head().seq == 3
        counter.pay("K7Q2MX-2-1")
        assert counter.ship(4, 6).verdict is Verdict.TAKEN
        assert store.verb("check", "--deep").code == 0
    assert store.verb("check", "--deep").objects == [{"finding": None, "deep": True}]
    assert [each["events"] for each in store.verb("counters").objects] == [6]


def test_postgresql_killed_under_it_is_started_again(store: Shop) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with store.served() as url:
        with counter.at(url, store.code()):
            counter.ship(1, 1)
        number = int((store.folder / "postgresql" / "postmaster.pid").read_text().split()[0])
        os.kill(number, SIGKILL)
        with caller(url, timeout=30) as client:
            while client.get("/health").status_code != 200:
                continue
        with counter.at(url):
            assert counter.ship(2, 3).verdict is Verdict.TAKEN
    assert store.verb("check").code == 0


def test_a_backup_is_tried_and_begins_an_epoch(store: Shop) -> None:
    file = str(store.folder / "copy.tgz")
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with store.served() as url, counter.at(url, store.code()):
        counter.ship()
        saved = store.verb("backup", file)
        assert (saved.code, saved.objects[0]["events"], saved.objects[0]["verified"]) == (0, 3, True), (
            saved.err
        )
        assert store.verb("backup", file).code == 73
        counter.pay("K7Q2MX-2-1")
        assert counter.ship(4, 6).head.epoch == 1
        assert store.verb("restore", file).code == 73
    broken = store.folder / "broken.tgz"
    whole = Path(file).read_bytes()
    broken.write_bytes(whole[: len(whole) // 2])
    os.chown(broken, *_owner(store.folder))
    said = store.verb("restore", str(broken))
    assert said.code == 1, said.err
    said = store.verb("restore", file)
    assert (said.code, said.objects[0]["epoch"], said.objects[0]["events"]) == (0, 2, 3), said.err
    assert Path(said.objects[0]["kept"]).is_dir()
    with store.served() as url, person(url) as one:
        one.take_link(store.verb("link").objects[0]["link"])
        one.get("/acts")
        assert "put back the copy copy.tgz" in one.seen.text
    with store.served() as url, counter.at(url):
        head = counter.sign_in(acknowledged=6)
        assert (head.seq, head.epoch) == (3, 2)
        assert counter.ship(4, 6).verdict is Verdict.TAKEN
    assert store.verb("check", "--deep").code == 0


def test_a_store_that_was_begun_and_cut_off_is_made_by_the_next_init(folder: Path) -> None:
    """PostgreSQL's own files were there by half, and each later `init` took them for whole: it did not start."""
    store = Shop(folder)
    code = 0
    while not code:
        # One that was over before it was told to end is followed by the next.
        shutil.rmtree(folder, ignore_errors=True)
        begun = store.begin("init", "--name", "My shop")
        while begun.poll() is None and not list(folder.glob("postgresql*/PG_VERSION")):
            continue
        begun.send_signal(SIGTERM)
        _, err = begun.communicate(timeout=100)
        code = begun.returncode
    assert (code, err) == (128 + SIGTERM, b"")
    made = store.verb("init", "--name", "My shop")
    assert made.code == 0, made.err
    assert store.verb("check").code == 0
    assert not (folder / "postgresql.new").exists()


def test_a_restore_that_was_cut_off_between_two_names_is_said_and_begun_again(store: Shop) -> None:
    """It said that there is no store, and to make one; and init, that there is one."""
    copy = store.folder / "copy.tgz"
    assert store.verb("backup", str(copy)).code == 0
    (store.folder / "postgresql").rename(store.folder / "postgresql.before-20261127T030000Z")
    for verb in ("check", "run"):
        said = store.verb(verb)
        assert (said.code, "store restore was cut off" in said.err) == (73, True), said.err
        assert "give postgresql.before-20261127T030000Z its name postgresql back" in said.err
    assert store.verb("restore", str(copy)).code == 0
    assert store.verb("check").code == 0


def test_of_two_restores_in_one_second_each_keeps_what_was_there(store: Shop) -> None:
    """The second one's folder had its name already: it said that the file cannot be put back."""
    copy = store.folder / "copy.tgz"
    assert store.verb("backup", str(copy)).code == 0
    # Whichever of the next minutes' seconds it is that the restore comes to.
    now = datetime.now(UTC)
    for second in range(600):
        taken = store.folder / f"postgresql.before-{now + timedelta(seconds=second):%Y%m%dT%H%M%SZ}"
        (taken / "of another").mkdir(parents=True)
    said = store.verb("restore", str(copy))
    assert said.code == 0, said.err
    kept = Path(said.objects[0]["kept"])
    assert kept.name.endswith("Z-2")
    assert (kept / "PG_VERSION").is_file()


@pytest.mark.parametrize("number", [SIGTERM, SIGHUP])
def test_a_backup_that_is_told_to_end_leaves_nothing_behind(store: Shop, number: Signals) -> None:
    """Neither the PostgreSQL that it tries the copy on, nor the copy: a night's job that a limit ends, a closed ssh."""
    code, scratch = 0, -1
    while not code:
        # As above.
        (store.folder / "copy.tgz").unlink(missing_ok=True)
        backing = store.begin("backup", str(store.folder / "copy.tgz"))
        found: list[str] = []
        while backing.poll() is None and not found:
            with contextlib.suppress(OSError):
                files = store.folder.glob("pos-app-scratch-*/postgresql/postmaster.pid")
                found = [line for file in files for line in file.read_text().splitlines()[:1]]
        with contextlib.suppress(ProcessLookupError):
            scratch = os.pidfd_open(int(found[0]))
        backing.send_signal(number)
        _, err = backing.communicate(timeout=100)
        code = backing.returncode
    assert (code, err) == (128 + number, b"")
    assert not [path.name for path in store.folder.iterdir() if "scratch" in path.name or "copy" in path.name]
    assert not (store.folder / "postgresql" / "postmaster.pid").exists()
    assert select.select([scratch], [], [], 0)[0], "whoever began it has waited for its end"
    os.close(scratch)


def test_what_another_backup_is_writing_is_not_taken_away_under_it(store: Shop) -> None:
    part = store.folder / "copy.tgz.part"
    part.write_bytes(b"half of it")
    os.chown(part, *_owner(store.folder))
    said = store.verb("backup", str(store.folder / "copy.tgz"))
    assert (said.code, part.read_bytes()) == (73, b"half of it")
    assert "another backup is writing it, or one was cut off" in said.err


_OLDER = f"""{without_files_from(3)};
DO $$ DECLARE each text; BEGIN
FOR each IN SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' AND relname !~ 'default' LOOP
EXECUTE 'DROP TABLE ' || each; END LOOP; END $$"""
"""What a store has of which a copy was made by an older program, months ago."""


# A dozen verbs, each with a PostgreSQL of its own: ten seconds, and minutes on a busy machine.
@pytest.mark.timeout(600)
def test_an_old_copy_and_one_with_other_figures_are_put_back_and_no_other(store: Shop) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    close(counter, 0, 0)
    with store.served() as url, counter.at(url, store.code()):
        counter.ship()
    # Its partitions end before this month: what is held stands in the default.
    _at_database(store, f"CREATE TABLE kept AS TABLE batch; CREATE TABLE paid AS TABLE attempt; {_OLDER}")
    _at_database(store, "INSERT INTO batch TABLE kept; INSERT INTO attempt TABLE paid; DROP TABLE kept, paid")
    old, odd, bad = (str(store.folder / f"{name}.tgz") for name in ("old", "odd", "bad"))
    saved = store.verb("backup", old)
    assert saved.code == 0, saved.err
    said = store.verb("restore", old)
    assert (said.code, said.objects[0]["told_anew"]) == (0, 4), said.err
    assert [
        each["z"][0]["number"]
        for each in store.verb("days", "--from", "2026-11-23", "--to", "2026-11-23").objects
    ]
    assert store.verb("check", "--deep").objects == [{"finding": None, "deep": True}]
    # A figure that no batch says is put right; a batch that no counter signed is not.
    _at_database(store, "UPDATE z_report SET number = 9")
    assert store.verb("check", "--deep").code == 1
    assert store.verb("backup", odd).code == 0
    said = store.verb("restore", odd)
    assert (said.code, said.objects[0]["told_anew"]) == (0, 4), said.err
    again = store.verb("restore", odd)
    assert again.code == 0
    assert store.verb("check", "--deep").code == 0
    _at_database(
        store,
        "ALTER TABLE batch DISABLE TRIGGER USER; UPDATE batch SET signature = header; "
        "UPDATE z_report SET number = 9",
    )
    assert store.verb("backup", bad).code == 0
    said = store.verb("restore", bad)
    assert (said.code, "not whole: K7Q2MX 1-4" in said.err) == (1, True), said.err


def test_a_copy_on_a_machine_with_another_key_says_whose_codes_are_none(store: Shop) -> None:
    """A new machine's store made a key of its own: who set up an app elsewhere would hear that each code is wrong."""
    own = keys.load(store.folder / "keys" / "store.key")
    for name, key in (("here", own.derived("page")), ("elsewhere", bytes(32))):
        assert store.verb("link", name).code == 0
        sealed = Sealer(key).seal(b"secret of an app", name).hex()
        _at_database(store, f"UPDATE account SET totp = '\\x{sealed}' WHERE name = '{name}'")
    file = str(store.folder / "copy.tgz")
    assert store.verb("backup", file).code == 0
    said = store.verb("restore", file)
    assert (said.code, said.objects[0]["unsealed"]) == (0, ["elsewhere"]), said.err
    assert "the apps of elsewhere: no code of theirs is right here" in store.plainly("restore", file).out


def _at_database(store: Shop, sql: str) -> None:
    """As its superuser, with `store run` ended."""
    with contextlib.ExitStack() as stack:
        cluster = Cluster(store.folder)
        cluster.start()
        stack.callback(cluster.stop)
        connection = stack.enter_context(psycopg.connect(cluster.dsn(DATABASE)))
        connection.execute(sql)


def _owner(folder: Path) -> tuple[int, int]:
    said = folder.stat()
    return said.st_uid, said.st_gid


def test_what_was_read_off_is_told_anew(store: Shop) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with store.served() as url, counter.at(url, store.code()):
        counter.ship()
        assert store.verb("rebuild").objects == [{"events": 3}]
    assert store.verb("check", "--deep").code == 0


def test_a_revoked_key_is_refused_at_once(store: Shop) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    with store.served() as url, counter.at(url, store.code()):
        assert counter.ship(1, 2).verdict is Verdict.TAKEN
        assert store.verb("revoke", "K7Q2MX").objects == [{"installation": "K7Q2MX", "state": "revoked"}]
        assert counter.send(counter.batch(3, 3)).status_code == 403
    assert [(each["state"], each["events"]) for each in store.verb("counters").objects] == [("revoked", 2)]
    assert store.verb("revoke", "NOBODY").code == 1


def test_bad_input_names_field_limit_and_example(store: Shop) -> None:
    for line, code, words in (
        (("code", "77"), 1, ("SHOP '77'", "store shop")),
        (("shop", "1", "--cutoff", "25:00"), 2, ("--cutoff '25:00'", "00:00 to 23:59", "04:00")),
        (("shop", "1", "--rename", "x" * 81), 2, ("--rename", "1 to 80", "Main street")),
        (("code", "Ha\udcffbour"), 1, ("SHOP 'Ha\\udcffbour'", "store shop")),
        (("shop", "Ha\udcffbour"), 2, ("SHOP", "1 to 80", "Main street")),
        (("days", "--shop", "Ha\udcffbour"), 1, ("SHOP 'Ha\\udcffbour'", "store shop")),
        (("link", "--shop", "Ha\udcffbour"), 1, ("SHOP 'Ha\\udcffbour'", "store shop")),
        (("link", "nimali.perera", "--shown", "Ha\udcff"), 2, ("--shown", "1 to 60", "Nimali Perera")),
        (("link", "nimali.perera", "--shown", "x" * 61), 2, ("--shown", "1 to 60", "Nimali Perera")),
        (("link", "nimali.perera", "--shown", "a\u202eb"), 2, ("--shown", "1 to 60", "Nimali Perera")),
        (("link", "nimali.perera", "--shop", ""), 2, ("--shop", "nothing stands there")),
        (("days", "--shop", " "), 2, ("--shop", "nothing stands there")),
        (("shop", "1", "--cutoff", ""), 2, ("--cutoff", "nothing stands there")),
        (("shop", "1", "--rename", ""), 2, ("--rename", "nothing stands there")),
        (("shop", ""), 2, ("SHOP", "nothing stands there")),
        (("init", "--name", "x", "--dsn", ""), 2, ("--dsn", "nothing stands there")),
        (("run", "--host", "0.0.0.0"), 2, ("--host 0.0.0.0", "--tls-cert", "--behind-proxy")),
        (("run", "--tls-cert", "a.pem"), 2, ("--tls-cert", "--tls-key")),
        (("run", "--port", "65536"), 2, ("'65536'", "0 to 65535", "8600")),
        (("init", "--name", "Again"), 73, ("already",)),
        (("init", "--name", "x", "--dsn", "host=a password=b"), 2, ("--dsn", ".pgpass")),
        (("init", "--name", "x", "--dsn", "rubbish"), 2, ("--dsn", "for example")),
        (("restore", "nothing.tgz"), 73, ("nothing.tgz", "no file")),
    ):
        said = store.verb(*line)
        assert said.code == code, (line, said.err)
        assert all(word in said.err for word in words), (line, said.err)
    none = Shop(store.folder.parent / "none").verb("counters")
    assert (none.code, "store init" in none.err) == (73, True)


def test_a_name_is_written_as_its_language_writes_it(store: Shop) -> None:
    """Sinhala joins letters by a sign that nobody sees; anywhere else such a sign is refused."""
    assert store.verb("shop", "ශ්\N{ZERO WIDTH JOINER}රී මහල").code == 0
    assert store.verb("shop", "1", "--rename", "ප්\N{ZERO WIDTH JOINER}රධාන").code == 0
    assert store.verb("code", "ප්\N{ZERO WIDTH JOINER}රධාන").objects[0]["shop"] == 1
    assert store.verb("shop", "My\N{ZERO WIDTH JOINER}shop").code == 2


@pytest.mark.parametrize(("verb", "code"), [(("check",), 73), (("code", "1"), 73), (("shop", "Hill"), 0)])
def test_a_verb_whose_output_goes_nowhere_says_so(store: Shop, verb: tuple[str, ...], code: int) -> None:
    """A reader that has gone is no error (`| head -1`); a full disk is, unless something else was done."""
    line = [*TILL, "store", *verb, "--data", str(store.folder)]
    read, gone = os.pipe()
    os.close(read)
    with os.fdopen(gone, "wb") as nobody, Path("/dev/full").open("wb") as full:
        left = subprocess.run(line, stdout=nobody, stderr=subprocess.PIPE, check=False, cwd=REPOSITORY)
        kept = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, check=False, cwd=REPOSITORY)
    assert (left.returncode, left.stderr) == (0, b"")
    assert (kept.returncode, kept.stderr.count(b"standard output cannot be written: No space")) == (code, 1)


def test_a_store_serves_whoever_hears_its_address(store: Shop) -> None:
    line = [*TILL, "store", "run", "--data", str(store.folder)]
    with Path("/dev/full").open("wb") as full:
        running = subprocess.Popen(line, stdout=full, stderr=subprocess.PIPE, cwd=REPOSITORY)
    assert running.stderr is not None
    with running.stderr as told:
        assert told.readline() == b"pos-app: standard output cannot be written: No space left on device\n"
        assert store.verb("counters").code == 0
        running.send_signal(SIGTERM)
        assert (running.wait(), told.read()) == (0, b"")


def test_shops_are_made_and_listed(store: Shop) -> None:
    """A day begins where a counter's ends, unless somebody says otherwise."""
    store.verb("shop", "Harbour", "--cutoff", "04:30")
    store.verb("shop", "Hill")
    assert store.verb("shop").objects == [
        {"shop": 1, "name": "My shop", "cutoff": "04:00"},
        {"shop": 2, "name": "Harbour", "cutoff": "04:30"},
        {"shop": 3, "name": "Hill", "cutoff": "04:00"},
    ]
    assert store.verb("code", "Harbour").objects[0]["shop"] == 2
    # Typed with a space too many it is the same.
    again = store.verb("shop", " My  shop", "--cutoff", "05:00")
    assert (again.code, [each["cutoff"] for each in again.objects]) == (0, ["05:00", "04:30", "04:00"]), (
        again.err
    )
    assert store.verb("code", "My shop ").objects[0]["shop"] == 1


def test_a_day_that_begins_at_another_time_takes_what_is_held_along(store: Shop) -> None:
    """What was told before the change, and what the same session tells behind it, is counted by one time."""
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1", wall="2026-11-23T02:00:00+05:30")
    assert store.verb("shop", "1", "--cutoff", "00:00").code == 0
    with store.served() as url, counter.at(url, store.code()):
        counter.ship()
        counter.pay("K7Q2MX-2-1", wall="2026-11-23T02:10:00+05:30")
        assert [each["business_date"] for each in _days(store)] == ["2026-11-23"]
        assert store.verb("shop", "1", "--cutoff", "04:30").code == 0
        assert counter.ship(4, 6).verdict is Verdict.TAKEN
        assert [(each["business_date"], each["payments"]) for each in _days(store) if each["payments"]] == [
            ("2026-11-22", 2)
        ]
        assert store.verb("check", "--deep").code == 0
        assert store.verb("shop", "1", "--cutoff", "00:00", "--rename", "x" * 81).code == 2
        assert store.verb("shop", "1").objects[0]["cutoff"] == "04:30"
        assert store.verb("shop", "Harbour").code == 0
        taken = store.verb("shop", "1", "--cutoff", "00:00", "--rename", "Harbour")
        assert (taken.code, "another shop is called that" in taken.err) == (2, True)
        assert store.verb("shop", "1").objects[0] == {"shop": 1, "name": "My shop", "cutoff": "04:30"}
    assert store.verb("check", "--deep").code == 0
    file = str(store.folder / "copy.tgz")
    assert store.verb("backup", file).code == 0
    said = store.plainly("restore", file)
    assert said.code == 0, said.err
    assert "refused keys and people are as they were in the copy" in said.out


def _days(store: Shop) -> list[dict[str, object]]:
    """Of the days with a payment."""
    told = store.verb("days", "--from", "2026-11-20", "--to", "2026-11-24").objects
    return [each for each in told if each["payments"]]


def test_it_says_how_it_does(store: Shop) -> None:
    counter = PretendCounter()
    counter.pay("K7Q2MX-1-1")
    port = free_port()
    with store.served("--metrics-port", str(port)) as url, counter.at(url, store.code()):
        counter.ship()
        counter.ship()
        with urllib.request.urlopen(f"{url}/health") as said:
            assert said.status == 200
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as said:
            lines = said.read().decode().splitlines()
    assert {"pos_store_up 1", "pos_store_events_total 3", "pos_store_counters 1"} <= set(lines)
    assert 'pos_store_batches_total{verdict="have"} 1' in lines


def test_two_never_serve_one_folder(store: Shop) -> None:
    running, _ = store.start()
    said = store.verb("run")
    assert (said.code, "at work" in said.err) == (73, True)
    assert running.send(SIGTERM).end().code == 0


_USES = """
import sys
from pathlib import Path
from pos_app.store.place import Place
with Place(Path(sys.argv[1])).answering() as database:
    print("in", flush=True)
    sys.stdin.readline()
    with database.connect_now("pos_root") as connection:
        print(connection.execute("SELECT 1").fetchone(), flush=True)
"""


def _using(store: Shop) -> subprocess.Popen[str]:
    """A verb that is in the middle of what it does, until it is told."""
    pipe = subprocess.PIPE
    using = subprocess.Popen(
        [sys.executable, "-c", _USES, str(store.folder)], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )
    assert using.stdout is not None
    assert using.stdout.readline() == "in\n"
    return using


def test_a_verb_that_started_the_postgresql_ends_it_behind_the_last_that_uses_it(store: Shop) -> None:
    """Of two at once the second used what the first had started, and was cut off by the first one's end."""
    first, second = _using(store), _using(store)
    assert first.stdin is not None
    assert first.stderr is not None
    first.stdin.write("\n")
    first.stdin.flush()
    # It waits, or it has ended.
    assert "another verb uses the store's PostgreSQL" in first.stderr.readline()
    assert second.communicate("\n", timeout=100) == ("(1,)\n", "")
    first.communicate(timeout=100)
    assert (first.returncode, second.returncode) == (0, 0)
    assert not (store.folder / "postgresql" / "postmaster.pid").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="who holds a lock")
def test_nobody_is_waited_for_who_waits_for_a_postgresql_that_was_killed(store: Shop) -> None:
    """Each of the two waited for the other: the second was told, in the end, that another verb is at work."""
    first = _using(store)
    assert first.stdin is not None
    killed = int((store.folder / "postgresql" / "postmaster.pid").read_text().split()[0])
    gone = os.pidfd_open(killed)
    os.kill(killed, SIGKILL)
    select.select([gone], [], [])
    os.close(gone)
    second = store.started("check")
    inode = f":{(store.folder / 'users').stat().st_ino} "
    while Path("/proc/locks").read_text().count(inode) < 2:
        select.select([], [], [], 0.02)
    _, err = first.communicate("\n", timeout=100)
    assert (first.returncode, "another verb" in err) == (1, False), err
    done = second.end()
    assert done.code == 0, done.err


@pytest.mark.parametrize("verb", [("code", "1"), ("link",)])
def test_what_lasts_minutes_is_told_before_others_are_waited_for(store: Shop, verb: tuple[str, ...]) -> None:
    """A code was told behind the backup that had come in meanwhile, when it was over; and never where that was cut."""
    assert store.verb("check").code == 0
    with (store.folder / "users").open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        begun = store.started(*verb, "--json")
        assert begun.until(lambda said: verb[0] in said)["shop"] == 1
    assert begun.end().code == 0


def socket_of(store: Shop) -> Path:
    """The folder that its PostgreSQL has its socket in."""
    return Path((store.folder / "postgresql" / "postmaster.pid").read_text().splitlines()[4])


def test_a_store_in_a_deep_folder_is_found_by_its_verbs(folder: Path) -> None:
    """A socket's path has an end: the folder of another was made by each process for itself, so that no verb found the
    PostgreSQL of a store that ran, and each was told to end it first."""
    above = Path(folder.parent, "deep" * 20)
    above.mkdir()
    above.chmod(0o777)
    store = Shop(above / "store")
    assert store.verb("init", "--name", "My shop").code == 0
    running, _ = store.start()
    where = socket_of(store)
    assert where.exists()
    assert store.verb("check").code == 0
    assert store.verb("backup", str(store.folder / "copy.tgz")).code == 0
    running.send(SIGKILL).end()
    with store.served():
        assert not where.exists()
        where = socket_of(store)
        assert where.exists()
    assert not where.exists()
    assert store.verb("check").code == 0


def test_a_copy_of_a_store_that_runs_in_a_deep_folder_is_not_that_store(folder: Path) -> None:
    """A link to the socket was copied, too: what was done in the copy was done in the store that runs."""
    above = Path(folder.parent, "deep" * 20)
    above.mkdir()
    above.chmod(0o777)
    store, copied = Shop(above / "store"), above / "copy"
    assert store.verb("init", "--name", "My shop").code == 0
    with store.served():
        subprocess.run(["cp", "-a", store.folder, copied], check=True)
        assert Cluster(store.folder).answers()
        assert not Cluster(copied).answers()


def test_a_store_that_is_moved_into_a_deep_folder_and_back_runs(store: Shop) -> None:
    """A socket's folder that was made at the one place is of no use at the other."""
    deep, plain = Path(store.folder.parent, "deep" * 20), store.folder
    deep.mkdir()
    deep.chmod(0o777)
    moved = Shop(plain.rename(deep / "store"))
    said = moved.verb("check")
    assert said.code == 0, said.err
    moved.folder.rename(plain)
    said = store.verb("check")
    assert said.code == 0, said.err


def test_a_verb_waits_for_a_store_that_is_just_starting_or_ending(store: Shop) -> None:
    """It was told to end the other first: a night's backup at the moment in which the store's service began anew."""
    with (store.folder / "lock").open("w") as lock, ThreadPoolExecutor(1) as beside:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = beside.submit(store.verb, "check")
        with contextlib.suppress(TimeoutError):
            said.result(3)
        lock.close()
        assert said.result().code == 0, said.result().err


def test_an_owner_comes_in_by_a_link_and_every_hand_leaves_its_line(store: Shop) -> None:
    """Who knows this machine needs no password to give one; behind a proxy an app is asked for, too."""
    with store.served() as url, person(url) as one:
        link = store.verb("link").objects[0]["link"]
        assert one.take_link(link).status_code == 200
        assert "Taken today" in one.seen.text
        store.code()
        store.verb("shop", "Kandy")
        assert (
            store.verb("link", "kamal.silva", "--shop", "Kandy", "--shown", "Kamal Silva").objects[0][
                "shop_name"
            ]
            == "Kandy"
        )
        assert store.verb("shop", "1", "--cutoff", "05:30", "--rename", "Galle Road").code == 0
        one.get("/acts")
        said = one.seen.text
        for told in (
            "made a joining code",
            "made a link for",
            "the store’s machine",
            "changed the shop: Galle Road 05:30",
        ):
            assert told in said
        assert "Kamal" not in said
        assert store.verb("check").code == 0
        assert (store.verb("link", "No Name!").code, store.verb("link", "x", "--shop", "9").code) == (2, 1)
    with store.served("--behind-proxy") as url, person(url.replace("http:", "https:")) as one:
        one.reach(url)
        one.take_link(store.verb("link").objects[0]["link"])
        assert "Your authenticator app" in one.seen.text
        assert one.call("GET", "/").headers["location"] == "/in/app"
