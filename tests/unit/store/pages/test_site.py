"""The page as a browser meets it: who is let in, what each sees, what a change leaves behind."""

from __future__ import annotations

import base64
import time

import httpx
import pytest

from pos_app.store.accounts import totp
from pos_app.store.database import Database
from pos_app.store.pages.site import COOKIE
from tests.support.owners import PASSWORD, link_for, link_on, owner, page_of, person
from tests.support.store import PretendCounter, code_for, rows


def test_an_owners_first_link_sets_a_password_once(database: Database, shop: int) -> None:
    link = link_for(database, shop, "nimali.perera", "Nimali Perera")
    with page_of(database) as url, person(url) as one, person(url) as other:
        assert "Welcome, Nimali Perera" in one.get(link).text.replace("<bdi>", "").replace("</bdi>", "")
        assert one.send(link, new="short", again="short").status_code == 422
        assert "too short" in one.page
        assert one.send(link, new=PASSWORD, again=PASSWORD).status_code == 200
        assert "Taken today" in one.seen.text
        assert other.get(link).status_code == 404
        assert other.sign_in("nimali.perera", "three green cup").status_code == 401
        assert "Name or password is not right." in other.seen.text
        assert other.sign_in("Nimali.Perera").status_code == 200
        assert "Taken today" in other.seen.text


def test_a_page_says_what_it_may_do(database: Database, shop: int) -> None:
    """Nothing runs but the one script, nothing is framed, kept or sent elsewhere."""
    with page_of(database) as url, owner(database, url, shop) as one:
        for path in ("/", "/in", "/page/live.js", "/nobody", "/link/none"):
            headers = one.call("GET", path).headers
            if path != "/nobody":
                assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
                assert headers["x-content-type-options"] == "nosniff"
        assert one.call("GET", "/").headers["cache-control"] == "no-store"
        page = one.get("/").text
        assert page.count("<script") == 1
        assert 'src="/page/live.js"' in page
        assert " style=" not in page


def test_a_cookie_is_this_hosts_alone(database: Database, shop: int) -> None:
    link = link_for(database, shop, "nimali")
    with page_of(database) as url, person(url) as one:
        one.get(link)
        form = one.seen.form(link)
        answer = one.call("POST", form.action, data={"new": PASSWORD, "again": PASSWORD})
        given = answer.headers["set-cookie"]
        assert given.startswith(f"{COOKIE}=")
        for word in ("Path=/", "Secure", "HttpOnly", "SameSite=strict"):
            assert word in given
        assert "Domain" not in given
        assert rows(
            database, "SELECT count(*) FROM page_session WHERE encode(digest, 'escape') LIKE %s", one.cookie
        ) == [(0,)]


@pytest.mark.parametrize("token", ["%00", "a%20b", "%0a", "a%5Cb", "%ED%A0%80", "x" * 3000, "%3Cb%3E"])
def test_a_link_that_is_none_says_so(database: Database, token: str) -> None:
    """Cut off by whoever sent it, or with a space behind it; the page offers its languages at that very address."""
    with page_of(database) as url, person(url) as somebody:
        assert somebody.call("GET", f"/link/{token}").status_code == 404
        assert "is too old" in somebody.page
        assert somebody.get(somebody.seen.links[-1]).status_code == 404


def test_whoever_is_not_in_sees_the_sign_in(database: Database) -> None:
    with page_of(database) as url, person(url) as one:
        for path in (
            "/",
            "/attention",
            "/counters",
            "/people",
            "/acts",
            "/you",
            "/people/1/1",
            "/counters/1/revoke",
        ):
            answer = one.call("GET", path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/in")
        assert one.call("GET", "/live?of=today").text == "event: over\ndata: \n\n"
        one.cookie = "not-a-session"
        assert one.call("GET", "/").headers["location"] == "/in?ended=1"


@pytest.mark.parametrize("column", ["seen", "made"])
def test_a_session_ends_by_itself(database: Database, shop: int, column: str) -> None:
    """30 minutes without a call, 12 hours in all."""
    with page_of(database) as url, owner(database, url, shop) as one:
        assert one.call("GET", "/").status_code == 200
        age = {"seen": "29 minutes", "made": "11 hours 59 minutes"}[column]
        rows(database, f"UPDATE page_session SET {column} = now() - interval '{age}'")
        assert one.call("GET", "/").status_code == 200
        age = {"seen": "31 minutes", "made": "12 hours 1 minute"}[column]
        rows(database, f"UPDATE page_session SET {column} = now() - interval '{age}'")
        assert one.call("GET", "/").status_code == 303
        assert "You were signed out" in one.get("/in?ended=1").text


def test_wrong_passwords_cost_time_whoever_asks(database: Database, shop: int) -> None:
    """Counted before they are looked at, for names that nobody has too, and by the right one no quicker."""
    link = link_for(database, shop, "nimali")
    with page_of(database) as url, person(url) as one:
        one.take_link(link)
        with person(url) as thief:
            for name in ("nimali", "nobody.here"):
                for _ in range(5):
                    assert "not right" in thief.sign_in(name, "wrong wrong wrong").text
                assert "Too many wrong tries" in thief.sign_in(name, "wrong wrong wrong").text
            assert "Too many wrong tries" in thief.sign_in("nimali").text
            rows(database, "UPDATE login_try SET last = now() - interval '31 seconds'")
            assert thief.sign_in("nimali").status_code == 200


def test_an_app_is_asked_for_beyond_this_machine(database: Database, shop: int) -> None:
    """Set up with the first sign-in, asked for at the next; each code is good once, and so is a recovery code."""
    link = link_for(database, shop, "nimali")
    with page_of(database, needs_app=True) as url, person(url) as one, person(url) as other:
        one.take_link(link)
        assert "Your authenticator app" in one.seen.text
        assert one.call("GET", "/").headers["location"] == "/in/app"
        assert "<svg" in one.get("/in/app").text
        shown = next(each for each in one.seen.text.split("type this into the app:")[1:]).split("The six")[0]
        secret = base64.b32decode("".join(shown.split()))
        assert "not right" in one.send("/in/app", code="000000").text
        shown_now = totp.code_at(secret, int(time.time() // 30))
        one.send("/in/app", code=shown_now)
        assert "Your recovery codes" in one.seen.text
        recovery = [each for each in one.seen.text.split() if each.count("-") == 3]
        assert len(recovery) == totp.RECOVERY_CODES
        assert "Taken today" in one.get("/").text

        other.sign_in("nimali")
        assert "One more step" in other.seen.text
        for path in ("/", "/people", "/in/app", "/you"):
            assert other.call("GET", path).status_code == 303
        assert other.call("GET", "/live?of=today").text == "event: over\ndata: \n\n"
        other.get("/in/code")
        assert other.send("/in/code", code=shown_now).status_code == 401
        assert "Taken today" in other.send("/in/code", code=recovery[3].lower()).text
        other.sign_in("nimali")
        assert other.send("/in/code", code=recovery[3]).status_code == 401
        sealed = rows(database, "SELECT totp FROM account")[0][0]
        assert secret not in sealed
        assert [row[0] for row in rows(database, "SELECT kind FROM act ORDER BY number")] == [
            "link_made", "password_set", "app_set", "code_used",
        ]  # fmt: skip


def test_a_form_from_elsewhere_changes_nothing(database: Database, shop: int) -> None:
    """Another origin, no origin at all, no form token, another session's: all refused."""
    with page_of(database) as url, owner(database, url, shop) as one, owner(database, url, shop) as other:
        one.get("/counters")
        token = one.seen.form("/counters/code").fields["form"]
        other.get("/counters")
        theirs = other.seen.form("/counters/code").fields["form"]
        data = {"shop": str(shop), "form": token}
        for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"host": "evil.example"}):
            assert one.call("POST", "/counters/code", data=data, headers=headers).status_code == 403
        for form in ("", theirs, token[:-1]):
            assert one.call("POST", "/counters/code", data={**data, "form": form}).status_code == 403
        one.call("POST", "/counters/code", data=data, headers={"content-type": "text/plain"})
        assert one.call("POST", "/counters/code", content=b"x" * 70_000).status_code == 403
        assert one.call("GET", "/", headers={"host": "evil.example"}).status_code == 403
        assert one.call("GET", "/counters/code").status_code in (404, 405)
        kinds = [row[0] for row in rows(database, "SELECT kind FROM act WHERE kind = 'code_made'")]
        assert len(kinds) <= 1
        assert one.call("POST", "/counters/code", data=data).status_code == 200


def test_a_joining_code_joins_and_stands_in_the_acts(database: Database, shop: int) -> None:
    with page_of(database) as url, owner(database, url, shop) as one:
        one.get("/counters")
        assert one.send("/counters/code").status_code == 200
        code = next(each for each in one.seen.text.split() if len(each) == 9 and each[4] == "-")
        with PretendCounter(name="Counter at the door").at(url, code) as counter:
            counter.pay("a1")
            counter.ship()
        assert "Counter at the door" in one.get("/counters").text
        assert "made a joining code" in one.get("/acts").text


def test_a_refused_counter_tells_nothing_more(database: Database, shop: int) -> None:
    """With a reason, an act, and from the commit on (M10, M13)."""
    with page_of(database) as url, owner(database, url, shop) as one:
        with PretendCounter(name="Three").at(url, code_for(database, shop)) as counter:
            counter.pay("a1")
            counter.ship()
            one.get("/counters")
            path = next(each for each in one.seen.links if each.endswith("/revoke"))
            one.get(path)
            assert one.send(path, reason="\u3164\u3164\u3164").status_code == 422
            assert one.send(path, reason=" x ").status_code == 422
            assert "3 to 200 letters" in one.page
            assert one.send(path, reason="Terminal stolen").status_code == 200
            counter.pay("a2")
            assert counter.send(counter.batch(4, 6)).status_code == 403
        assert rows(database, "SELECT count(*) FROM attempt") == [(1,)]
        assert rows(database, "SELECT kind, subject, reason FROM act ORDER BY number DESC LIMIT 1") == [
            ("counter_revoked", "Three", "Terminal stolen")
        ]
        assert "refused" in one.get("/").text


def test_people_are_added_given_roles_and_sent_away(database: Database, shop: int) -> None:
    with page_of(database) as url, owner(database, url, shop) as one, person(url) as other:
        one.get("/people")
        assert one.send("/people", shown="", name="X", role="king").status_code == 422
        for word in ("1 to 60 letters", "3 to 40 small letters", "Choose one of the roles."):
            assert word in one.page
        one.get("/people")
        assert one.send("/people", shown="Kamal Silva", name="kamal", role="reader").status_code == 200
        other.take_link(link_on(one.page))
        assert {"/", "/attention", "/counters"} <= set(other.seen.links)
        assert not {"/people", "/acts"} & set(other.seen.links)
        for path in ("/people", "/acts", f"/people/{shop}/1"):
            assert other.call("GET", path).status_code == 403
        other.get("/counters")
        assert not any(form.action == "/counters/code" for form in other.seen.forms)

        one.get("/people")
        at = sorted(each for each in one.seen.links if each.startswith(f"/people/{shop}/"))[-1]
        one.get(at)
        one.send(f"{at}/role", role="manager")
        assert other.get("/acts").status_code == 200
        one.get(at)
        one.send(f"{at}/away")
        assert other.call("GET", "/").status_code == 403
        one.get("/people")
        own = next(each for each in one.seen.links if each.startswith(f"/people/{shop}/"))
        one.get(own)
        assert "only owner" in one.send(f"{own}/away").text
        assert "only owner" in (one.get(own), one.send(f"{own}/role", role="reader"))[1].text


def test_a_persons_name_is_written_as_its_language_writes_it(database: Database, shop: int) -> None:
    """Priya, whose first two letters are joined by a sign that nobody sees; anywhere else it is refused."""
    with page_of(database) as url, owner(database, url, shop) as one:
        one.get("/people")
        assert (
            one.send("/people", shown="Pri\N{ZERO WIDTH JOINER}ya", name="priya", role="reader").status_code
            == 422
        )
        one.get("/people")
        assert (
            one.send("/people", shown="ප්\N{ZERO WIDTH JOINER}රියා", name="priya", role="reader").status_code
            == 200
        )
        one.get("/people")
    assert "ප්\N{ZERO WIDTH JOINER}රියා" in one.page


def test_a_new_link_ends_what_was_before(database: Database, shop: int) -> None:
    with page_of(database) as url, owner(database, url, shop) as one, person(url) as other:
        one.get("/people")
        one.send("/people", shown="Kamal Silva", name="kamal", role="reader")
        other.take_link(link_on(one.page))
        one.get("/people")
        at = sorted(each for each in one.seen.links if each.startswith(f"/people/{shop}/"))[-1]
        one.get(at)
        one.send(f"{at}/link")
        link = link_on(one.page)
        assert other.get("/").status_code == 200
        with person(url) as thief:
            thief.take_link(link, "four blue saucers")
            assert other.call("GET", "/").status_code == 303
            assert thief.sign_in("kamal").status_code == 401
            assert thief.sign_in("kamal", "four blue saucers").status_code == 200


def test_ones_own_account(database: Database, shop: int) -> None:
    """Language, password, sessions elsewhere."""
    with page_of(database) as url, owner(database, url, shop, "nimali") as one, person(url) as other:
        other.sign_in("nimali")
        one.get("/you")
        one.send("/you/elsewhere")
        assert other.call("GET", "/").status_code == 303
        one.get("/you")
        assert (
            one.send(
                "/you/password", old="wrong wrong wrong", new="four blue saucers", again="four blue saucers"
            ).status_code
            == 422
        )
        one.get("/you")
        assert (
            one.send(
                "/you/password", old=PASSWORD, new="four blue saucers", again="four blue saucer"
            ).status_code
            == 422
        )
        one.get("/you")
        assert (
            one.send(
                "/you/password", old=PASSWORD, new="four blue saucers", again="four blue saucers"
            ).status_code
            == 200
        )
        assert other.sign_in("nimali", "four blue saucers").status_code == 200
        for language, way in (("si", "ltr"), ("ta", "ltr"), ("ar", "rtl")):
            one.get("/you")
            one.send("/you/language", language=language)
            assert (one.seen.root["lang"], one.seen.root["dir"]) == (language, way)
        one.send("/out")
        assert one.call("GET", "/").status_code == 303


def test_a_stream_that_cannot_be_drawn_does_not_say_that_it_lives(database: Database, shop: int) -> None:
    """Figures that cannot be read stay as they are: whoever looks at them is told that the line is lost."""
    counter, lived = PretendCounter(), 0
    with (
        page_of(database) as url,
        owner(database, url, shop) as one,
        counter.at(url, code_for(database, shop)),
    ):
        headers = {"cookie": f"{COOKIE}={one.cookie}"}
        with httpx.stream("GET", f"{url}/live?of=today", headers=headers, trust_env=False) as stream:
            pieces = stream.iter_text()
            assert any("event: at" in piece for piece in pieces)
            rows(database, "REVOKE SELECT ON takings FROM pos_page")
            counter.pay("a1")
            counter.ship()
            for piece in pieces:
                lived += piece.count("event: at")
                assert lived < 3, "it goes on as if all were well"
