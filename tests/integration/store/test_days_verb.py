"""`store days` and `store export` as processes, over a store that counters told something."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from tests.integration.store.shop import Shop
from tests.support.store import PretendCounter
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
        rows = list(csv.DictReader((out / "p.csv").read_text(encoding="utf-8-sig").splitlines()))
        assert sorted((row["counter_id"], row["amount"], row["z"]) for row in rows) == [
            ("1", "0.55", "1"),
            ("1", "1250.00", "1"),
            ("2", "7.00", "1"),
        ]
        lines = [json.loads(line) for line in (out / "p.jsonl").read_text().splitlines()]
        assert {line["business_date"] for line in lines} == {"2026-11-23"}
        assert (out / "p.xlsx").read_bytes()[:2] == b"PK"


def _folder(store: Shop) -> Path:
    """Where the user that the store's verbs step down to may write."""
    out = store.folder.parent / "exports"
    out.mkdir()
    out.chmod(0o777)
    return out


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
