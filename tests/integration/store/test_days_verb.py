"""`store days` and `store export` as processes, over a store that counters told something."""

from __future__ import annotations

import csv
import json
import os
from datetime import date
from pathlib import Path

from pos_app.system.atomic_file import WholeFile
from tests.integration.store.shop import Shop
from tests.support.store import PretendCounter, attempt
from tests.unit.store.test_days import close, sell


def test_days_and_export_say_each_counter_and_who_is_missing(store: Shop) -> None:
    one, two = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 2)
    sell(one, 1, "1250.00")
    sell(one, 2, "0.55")
    close(one, 2, 125055)
    sell(two, 1, "7.00")
    with store.served() as url:
        for counter in (one, two):
            with counter.at(url, store.code()):
                counter.ship()
        said = store.verb("days", "--from", "2026-11-23", "--to", "2026-11-23")
        assert said.code == 4
        first, second = said.objects
        assert (first["counter_id"], first["amount"], first["payments"]) == (1, "1250.55", 2)
        assert first["missing"] is False
        assert [(z["number"], z["amount"], z["finding"]) for z in first["z"]] == [(1, "1250.55", "")]
        assert (second["counter_id"], second["amount"], second["missing"], second["z"]) == (
            2,
            "7.00",
            True,
            [],
        )
        assert second["last_seen"]

        close(two, 1, 700)
        with two.at(url):
            two.ship(two.head().seq + 1)
        whole = store.verb("days", "--from", "2026-11-23", "--to", "2026-11-23")
        assert (whole.code, [each["missing"] for each in whole.objects]) == (0, [False, False])
        assert store.verb("check", "--deep").code == 0
        assert store.verb("rebuild").code == 0
        assert [
            each["z"] for each in store.verb("days", "--from", "2026-11-23", "--to", "2026-11-23").objects
        ] == [each["z"] for each in whole.objects]

        out = _folder(store)
        for kind in ("csv", "jsonl", "xlsx"):
            made = store.verb(
                "export", kind, str(out / f"p.{kind}"), "--from", "2026-11-23", "--to", "2026-11-23"
            )
            assert (made.code, made.objects[0]["rows"], made.objects[0]["missing"]) == (0, 3, {}), made.err
        again = store.verb("export", "csv", str(out / "p.csv"))
        assert again.code == 73
        assert "--force" in again.err
        with WholeFile(out / "q.csv") as whole_file:
            # By whoever the verb becomes, where root calls it.
            os.chown(whole_file.file.fileno(), store.folder.stat().st_uid, -1)
            busy = store.verb("export", "csv", str(out / "q.csv"))
        assert busy.code == 73
        assert "is being written by another process" in busy.err
        rows = list(csv.DictReader((out / "p.csv").read_text(encoding="utf-8-sig").splitlines()))
        assert sorted((row["counter_id"], row["amount"], row["z"]) for row in rows) == [
            ("1", "0.55", "1"),
            ("1", "1250.00", "1"),
            ("2", "7.00", "1"),
        ]
        lines = [json.loads(line) for line in (out / "p.jsonl").read_text().splitlines()]
        assert {line["business_date"] for line in lines} == {"2026-11-23"}
        assert (out / "p.xlsx").read_bytes()[:2] == b"PK"


def test_an_export_of_several_shops_says_who_is_missing_in_each(store: Shop) -> None:
    """On one date, in counters of one name."""
    assert store.verb("shop", "Harbour").code == 0
    with store.served() as url:
        for number, installation in (("1", "ONE11111"), ("2", "TWO22222")):
            counter = PretendCounter(installation, 1)
            sell(counter, 1, "7.00")
            with counter.at(url, store.code(number)):
                counter.ship()
        span = ("--from", "2026-11-23", "--to", "2026-11-23")
        said = store.verb("export", "csv", str(_folder(store) / "p.csv"), *span)
    assert said.code == 4
    missing = {"2026-11-23": ["My shop / Counter 1", "Harbour / Counter 1"]}
    assert (said.objects[0]["rows"], said.objects[0]["missing"]) == (2, missing)


def test_what_a_counter_says_moves_no_terminal(store: Shop) -> None:
    """Its Z stands on one line, whatever is in it: no colour, no cleared screen, no line that looks like a day's."""
    one = PretendCounter("ONE11111", 1)
    sell(one, 1, "7.00")
    forged = "\x1b[2J\n2026-11-23  My shop / Counter 2  Z 1: LKR 0.00 in 0"
    close(one, 1, 700, entries=[["PAID", "push", forged, "LKR", 1, 700]])
    with store.served() as url:
        with one.at(url, store.code()):
            one.ship()
        said = store.plainly("days", "--from", "2026-11-23", "--to", "2026-11-23")
    assert len(said.out.splitlines()) == 1, said.out
    assert "NOT RIGHT: PAID push \\x1b[2J\\n2026-11-23" in said.out


def test_of_two_tills_with_one_number_the_one_without_a_z_is_said(store: Shop) -> None:
    """By days and export, behind a rebuild, and in a copy that is put back."""
    old, new = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 1)
    span = ("--from", "2026-11-23", "--to", "2026-11-23")
    copy = _folder(store) / "copy.tgz"
    with store.served() as url:
        for counter in (old, new):
            with counter.at(url, store.code()):
                pass
        for counter in (old, new):
            sell(counter, 1, "7.00")
        close(new, 1, 700)
        for counter in (old, new):
            with counter.at(url):
                counter.ship()
        assert store.verb("backup", str(copy)).code == 0
        assert store.verb("rebuild").code == 0
        said = store.verb("days", *span)
        (told,) = said.objects
        assert (said.code, told["missing"], told["without"]) == (4, True, ["ONE11111"])
        assert [z["installation"] for z in told["z"]] == ["TWO22222"]
        line = store.plainly("days", *span).out
        assert "Z 1: LKR 7.00 in 1; several tills used this number, NO Z of ONE11111" in line
        made = store.verb("export", "csv", str(copy.with_name("p.csv")), *span)
        assert (made.code, made.objects[0]["missing"]) == (4, {"2026-11-23": ["Counter 1 (ONE11111)"]})
    assert store.verb("restore", str(copy)).code == 0
    assert store.verb("days", *span).objects[0]["without"] == ["ONE11111"]


def _folder(store: Shop) -> Path:
    """Where the user that the store's verbs step down to may write."""
    out = store.folder.parent / "exports"
    out.mkdir()
    out.chmod(0o777)
    return out


def _exported(store: Shop, name: str, first: str, last: str) -> list[dict[str, str]]:
    """The rows of a file of these dates, by their payments' ids."""
    file = store.folder.parent / "exports" / name
    made = store.verb("export", "jsonl", str(file), "--from", first, "--to", last)
    assert made.code in (0, 4), made.err
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return sorted(lines, key=lambda each: each["attempt_id"])


def test_a_file_has_each_payment_once_where_its_till_has_it(store: Shop) -> None:
    """Taken over from a journal that is gone: by the day on which it was paid, and in no Z of the new one, where an
    older Z has it. Overlapping Zs, which only a faulty counter tells, have it once. What is open: by its local date."""
    old, new = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 1)
    faulty, early = PretendCounter("THR33333", 3), PretendCounter("FOU44444", 4)
    _folder(store)
    sell(old, 1)
    close(old, 1, 10000)
    sell(old, 2)
    paid_at, later = "2026-11-23T10:00:05+05:30", "2026-11-28T10:00:05+05:30"
    for sale, more in ((1, {"z": 1}), (2, {})):
        said = {"proven": True, "paid_at": paid_at, **more}
        new.write("RECOVERED", later, event=said, attempt=attempt(f"ONE11111-{sale}-1"))
    close(new, 1, 10000, date(2026, 11, 28), number=2)
    sell(faulty, 1)
    close(faulty, 1, 10000)
    close(faulty, 1, 10000, from_seq=1)
    early.write(attempt=attempt("FOU44444-1-1", "WAITING", tapped_wall="2026-11-20T05:00:00+05:30"))
    with store.served() as url:
        for counter in (old, new, faulty, early):
            with counter.at(url, store.code()):
                counter.ship()
    taken = [
        (each["attempt_id"], each["business_date"], each["z"], each["paid_at"])
        for each in _exported(store, "all.jsonl", "2026-11-19", "2026-11-30")
    ]
    assert taken == [
        ("FOU44444-1-1", "2026-11-20", "", ""),
        ("ONE11111-1-1", "2026-11-23", "", paid_at),
        ("ONE11111-2-1", "2026-11-28", "2", paid_at),
        ("THR33333-1-1", "2026-11-23", "1", paid_at),
    ]
    for on, keys in (
        ("2026-11-19", []),
        ("2026-11-20", ["FOU44444-1-1"]),
        ("2026-11-23", ["ONE11111-1-1", "THR33333-1-1"]),
        ("2026-11-28", ["ONE11111-2-1"]),
    ):
        assert [each["attempt_id"] for each in _exported(store, f"{on}.jsonl", on, on)] == keys, on


def test_a_payment_that_cannot_be_told_leaves_no_file(store: Shop) -> None:
    """It is in the day's sums: a file without it would be short of money, and nobody would know."""
    counter = PretendCounter("ONE11111", 1)
    sell(counter, 1)
    odd = attempt("ONE11111-2-1")
    del odd["environment"]
    counter.write(attempt=odd)
    close(counter, 2, 20000)
    with store.served() as url, counter.at(url, store.code()):
        counter.ship()
    file = _folder(store) / "p.csv"
    said = store.verb("export", "csv", str(file), "--from", "2026-11-23", "--to", "2026-11-23")
    assert said.code == 1
    assert "cannot be read from what is held: 1, the first is ONE11111-2-1 of" in said.err
    assert list(file.parent.iterdir()) == []
    whole = store.verb("export", "csv", str(file), "--from", "2026-11-24", "--to", "2026-11-24")
    assert (whole.code, whole.objects[0]["rows"]) == (0, 0), whole.err


def test_what_cannot_be_is_bad_input(store: Shop) -> None:
    for more, says in (
        (("--from", "yesterday"), "write 2026-03-01"),
        (("--from", "2026-11-24", "--to", "2026-11-23"), "is after"),
        (("--from", "2020-01-01", "--to", "2026-11-23"), "at most 366 days"),
        (("--from", "0001-01-01", "--to", "0001-01-02"), "--from 0001-01-01: a day from 2000 to 2100"),
        (("--to", "0001-01-01"), "--to 0001-01-01: a day from 2000 to 2100, for example 2026-03-01"),
        (("--to", "9999-12-31"), "--to 9999-12-31: a day from 2000 to 2100"),
    ):
        for verb in (("days",), ("export", "csv", str(store.folder.parent / "none.csv"))):
            said = store.verb(*verb, *more)
            assert said.code == 2, said.err
            assert says in said.err
    assert store.verb("days", "--shop", "Nobody").code == 1
