"""Find, Payment and Days on the page: what counters told, who is missing, signing with a reason that freezes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from pos_app.store.database import Database
from tests.support.owners import Person, owner, page_of
from tests.support.store import PretendCounter, add_shop, code_for, rows
from tests.unit.store.test_days import close, sell
from tests.unit.store.test_find import ID, paid

DAY = "/day?of={shop}&on=2026-11-23"


@contextmanager
def shown(database: Database, shop: int) -> Iterator[tuple[Person, str, PretendCounter, PretendCounter]]:
    """An owner who is in, a counter that closed its day and one that did not."""
    one, two = PretendCounter("ONE11111", 1), PretendCounter("TWO22222", 2)
    sell(one, 1, "1250.00")
    close(one, 1, 125000)
    sell(two, 1, "70.00")
    with page_of(database) as url:
        for counter in (one, two):
            with counter.at(url, code_for(database, shop)):
                counter.ship()
        rows(database, "UPDATE installation SET joined = '2026-11-01' RETURNING 1")
        with owner(database, url, shop, "nimali.perera") as person:
            yield person, url, one, two


def test_a_day_names_who_is_missing_and_is_signed_once(database: Database, shop: int) -> None:
    with shown(database, shop) as (person, url, _, two):
        assert person.get("/days").status_code == 200
        assert "2026-11-23" in person.seen.text
        assert "Without Counter 2" in person.seen.text
        path = DAY.format(shop=shop)
        assert person.get(path).status_code == 200
        assert "1,250.00" in person.seen.text
        assert "no Z" in person.seen.text
        # Three signs that nobody sees are no reason, either.
        for nothing in ("x", "\u3164\u3164\u3164", "\u202e\u202d\u200f", "x \u200b\u200b"):
            person.get(path)
            assert person.send("/day", reason=nothing).status_code == 422, ascii(nothing)
            assert "Say why" in person.seen.text
        person.get(path)
        signed = person.send("/day", reason="Counted, asked 077 123 4599")
        assert signed.status_code == 200
        assert "Signed by" in person.seen.text
        assert "/day" not in [form.action for form in person.seen.forms]
        assert rows(database, "SELECT kind, reason FROM act WHERE kind = 'day_signed'") == [
            ("day_signed", "Counted, asked …599")
        ]
        before = rows(database, "SELECT content, digest FROM store_day")
        close(two, 1, 7000)
        with two.at(url):
            two.ship(two.head().seq + 1)
        person.get(path)
        assert "70.00" in person.seen.text  # as it was told then, without a Z
        assert "no Z" in person.seen.text
        assert rows(database, "SELECT content, digest FROM store_day") == before
        person.get(f"/day?of={shop}&on=2026-11-24")
        assert "late, of 2026-11-23" in person.seen.text
        assert person.get("/acts").status_code == 200
        assert "signed the day 2026-11-23" in person.seen.text


def test_days_of_last_month_and_last_year_are_a_step_away(database: Database, shop: int) -> None:
    """Each step goes to the newest that is older, however long nothing was sold."""
    counter = PretendCounter("ONE11111", 1)
    now = datetime.now(UTC)
    told = [now - timedelta(days=each) for each in (1, 33, 400)]
    for number, at in enumerate(told):
        wall = at.isoformat(timespec="seconds")
        counter.pay(f"ONE11111-{number}-1", wall=wall, tapped_wall=wall)
    dates = [at.date().isoformat() for at in told]
    other = add_shop(database, "Another")
    with page_of(database) as url, counter.at(url, code_for(database, shop)):
        counter.ship()
        with owner(database, url, shop, "nimali.perera") as person:
            person.get("/days")
            for step, on in enumerate(dates):
                assert [each for each in dates if each in person.seen.text] == [on]
                older = [link for link in person.seen.links if link.startswith("/days?before=")]
                assert len(older) == (step < 2), step
                if older:
                    person.get(older[0])
            for wrong in ("someday", "9999-12-31", "0001-01-01", "2026-02-30"):
                assert person.get(f"/days?before={wrong}").status_code == 200, wrong
                assert dates[0] in person.seen.text, wrong
        with owner(database, url, other, "stranger.one") as stranger:
            stranger.get("/days")
            assert not [link for link in stranger.seen.links if link.startswith("/days?before=")]


def test_a_day_that_changed_meanwhile_is_looked_at_again(database: Database, shop: int) -> None:
    with shown(database, shop) as (person, url, _, two):
        person.get(DAY.format(shop=shop))
        close(two, 1, 7000)
        with two.at(url):
            two.ship(two.head().seq + 1)
        assert person.send("/day", reason="All counters counted").status_code == 422
        assert "changed while you looked" in person.seen.text
        assert rows(database, "SELECT count(*) FROM store_day") == [(0,)]
        assert person.send("/day", reason="All counters counted").status_code == 200
        assert rows(database, "SELECT count(*) FROM store_day") == [(1,)]


def test_a_day_shows_real_and_pretended_money_apart(database: Database, shop: int) -> None:
    """On the list and on the day's own page, which is what prints: neither is ever in the other's sum or count."""
    real, played = PretendCounter("ONE11111", 1, environment="live"), PretendCounter("TWO22222", 2)
    with page_of(database) as url:
        for counter, amount, units in ((real, "10.00", 1000), (played, "9999.00", 999900)):
            sell(counter, 1, amount)
            close(counter, 1, units)
            with counter.at(url, code_for(database, shop)):
                counter.ship()
        with owner(database, url, shop, "nimali.perera") as person:
            for path, end in (("/days", " 1"), (DAY.format(shop=shop), " · 1 payment")):
                person.get(path)
                assert f"LKR 10.00{end}" in person.seen.text, path
                assert f"Sandbox: no real money LKR 9,999.00{end}" in person.seen.text, path
                assert "10,009.00" not in person.seen.text, path
            assert person.send("/day", reason="All counted").status_code == 200
            person.get("/days")
            assert "Sandbox: no real money LKR 9,999.00 1" in person.seen.text


def test_a_payment_is_found_and_told_with_its_code(database: Database, shop: int) -> None:
    one = PretendCounter("K7Q2MXAB", 1)
    paid(one)
    with page_of(database) as url, one.at(url, code_for(database, shop)):
        one.ship()
        with owner(database, url, shop, "nimali.perera") as person:
            assert person.get("/find").status_code == 200
            for asked in ("amount=1,250.00", "digits=567", f"id={ID}", "id=W-77", "id=SBX-TK7Q2MXAB-R000012"):
                assert person.get(f"/find?{asked}").status_code == 200, asked
                assert f"/payment?attempt={ID}" in person.seen.links, asked
            # Pasted from a right-to-left text, with its marks.
            assert person.get(f"/find?id=%E2%80%8F%E2%80%8E{ID}%E2%80%8F").status_code == 200
            assert f"/payment?attempt={ID}" in person.seen.links
            person.get("/find?amount=1250.01")
            assert "No payment fits." in person.seen.text
            for asked in ("amount=lots", "digits=5", "from=someday", "from=2026-03-02&to=2026-03-01"):
                assert person.get(f"/find?{asked}").status_code == 422, asked
            # In digits of any script; an exponent is refused before anybody writes it out.
            assert person.get("/find?amount=١٢٥٠.00").status_code == 200
            assert f"/payment?attempt={ID}" in person.seen.links
            for many in ("1e8000000000", "1e300", "1E-8000000000", "Infinity", "NaN", "1_250", "9" * 80):
                assert person.get(f"/find?amount={many}").status_code == 422, many
                assert "1250.00" in person.seen.text
            for asked in (
                "to=9999-12-31",
                "from=9999-12-31",
                "from=0001-01-01",
                "to=someday",
                "to=2026-02-30",
            ):
                assert person.get(f"/find?{asked}").status_code == 422, asked
                assert "from 2000 to 2100, for example 2026-03-01" in person.seen.text, asked
            assert person.get("/payment?attempt=%00").status_code == 404
            assert person.get(f"/payment?attempt={ID}").status_code == 200
            for text in (
                "1,250.00",
                "Paid",
                "23456-789AB",
                "SBX-TK7Q2MXAB-R000012",
                "STATUS_ANSWERED",
                "INTENT",
            ):
                assert text in person.seen.text, text
            assert person.get("/payment?attempt=nothing").status_code == 404
            assert person.get("/day?of=1&on=2026-13-01").status_code == 404
            assert person.get("/day?of=999&on=2026-11-23").status_code == 404


def test_another_shops_owner_sees_and_signs_nothing_of_it(database: Database, shop: int) -> None:
    other = add_shop(database, "Another")
    with (
        shown(database, shop) as (person, url, _, _),
        owner(database, url, other, "stranger.one") as stranger,
    ):
        person.get(DAY.format(shop=shop))
        form = person.seen.form("/day")
        stranger.get("/days")
        assert not [link for link in stranger.seen.links if link.startswith("/day?")]
        for path in (DAY.format(shop=shop), "/payment?attempt=ONE11111-1-1"):
            assert person.get(path).status_code == 200, path
            assert stranger.get(path).status_code == 404, path
        stranger.get("/find?id=ONE11111-1-1&amount=1250.00")
        assert "ONE11111-1-1" not in stranger.seen.links
        stranger.get("/you")
        own = stranger.seen.form("/you/language").fields["form"]
        stolen = {**form.fields, "form": own, "reason": "All counters counted"}
        assert stranger.call("POST", "/day", data=stolen).status_code == 404
        assert rows(database, "SELECT count(*) FROM store_day") == [(0,)]
